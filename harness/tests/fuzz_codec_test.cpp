// The fuzzer's bytes: every string is a case, the case is the call that is made, and mutations stay among cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/cases/fills.hpp"
#include "harness/check/check.hpp"
#include "harness/fuzz/codec.hpp"
#include "harness/fuzz/mutate.hpp"
#include "harness/fuzz/prepare.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

Bytes random_bytes(Stream& stream) {
    Bytes bytes(static_cast<size_t>(next_below(stream, 160)));
    const bool sparse = next_below(stream, 2) == 0;
    for (uint8_t& byte : bytes)
        if (!sparse || next_below(stream, 4) == 0) byte = static_cast<uint8_t>(next(stream) >> 56);
    return bytes;
}

std::vector<FuzzSubject> subjects() {
    std::vector<FuzzSubject> all;
    for (const nc_kernel* kernel : built_in_kernels()) all.emplace_back(*kernel);
    return all;
}

TEST(FuzzCodec, EveryByteStringIsADraftWithBytesOfItsOwn) {
    Stream stream{1, 0, 0};
    for (int i = 0; i < 100000; ++i) {
        const Draft draft = read_draft(random_bytes(stream));
        for (size_t field = 0; field < draft.fields.size(); ++field) {
            ASSERT_GE(draft.fields[field], draft_fields()[field].lowest);
            ASSERT_LE(draft.fields[field], draft_fields()[field].highest);
        }
        const Bytes bytes = write_draft(draft);
        ASSERT_EQ(read_draft(bytes), draft);
        ASSERT_EQ(write_draft(read_draft(bytes)), bytes);
    }
}

TEST(FuzzCodec, EveryByteStringIsACaseThatComesBackFromItsBytesAndFromItsLine) {
    const auto all = subjects();
    Stream stream{2, 0, 0};
    for (size_t i = 0; i < 20000; ++i) {
        const FuzzSubject& subject = all[i % all.size()];
        const Case c = decode_case(random_bytes(stream), subject);
        const Bytes bytes = encode_case(c, subject);
        ASSERT_EQ(decode_case(bytes, subject), c) << print(c);
        ASSERT_EQ(encode_case(decode_case(bytes, subject), subject), bytes) << print(c);
        if (i % 8 != 0) continue;
        ASSERT_EQ(parse_case(print(c)), c) << print(c);
    }
}

TEST(FuzzCodec, EveryShapeOfItsOwnComesBackFromItsCase) {
    const FuzzSubject subject(*find_kernel("cpu/rms"));
    for (int i = 1; i < std::ssize(draft_shapes()); ++i) {
        Draft draft;
        draft[DraftField::shape] = i;
        const Case c = case_of(draft, subject);
        const DraftShape& shape = draft_shapes()[static_cast<size_t>(i)];
        EXPECT_EQ(c.rows, shape.rows);
        EXPECT_EQ(c.cols, shape.cols);
        EXPECT_EQ(c.threads, shape.threads);
        EXPECT_EQ(draft_of(c, subject)[DraftField::shape], i) << print(c);
    }
}

TEST(FuzzCodec, TheCallIsTheOneThatTheLineReproduces) {
    const auto all = subjects();
    Stream stream{3, 0, 0};
    std::set<std::string> fills;
    for (size_t i = 0; i < 6000; ++i) {
        const FuzzSubject& subject = all[i % all.size()];
        const Draft draft = read_draft(random_bytes(stream));
        const PreparedCall call = prepare(draft, subject);
        const Case c = parse_case(print(case_of(draft, subject)));
        fills.insert(c.x.fill.substr(0, c.x.fill.find(':')));
        const Contract contract = case_contract(&subject.kernel(), c);
        ASSERT_EQ(call.contract, contract) << print(c);
        const Inputs inputs = make_inputs(c, contract);
        ASSERT_EQ(call.inputs.x, inputs.x) << print(c);
        ASSERT_EQ(call.inputs.gamma, inputs.gamma) << print(c);
        ASSERT_EQ(call.inputs.beta, inputs.beta) << print(c);
        ASSERT_EQ(call.inputs.residual, inputs.residual) << print(c);
    }
    EXPECT_EQ(fills.size(), draft_fills().size() + 1);  // and bits
}

TEST(FuzzCodec, NoBytesMeanThePlainCase) {
    const FuzzSubject subject(*find_kernel("cpu/rms"));
    const Case c = decode_case({}, subject);
    EXPECT_EQ(c.cols, 8);
    EXPECT_EQ(c.rows, 1);
    EXPECT_EQ(c.x.fill, "shaped:0:0:-64:0:0:0");
}

TEST(FuzzCodec, EpsFollowsTheRow) {
    const FuzzSubject subject(*find_kernel("cpu/rms"));
    for (const int exponent : {-20, 0, 20}) {
        for (const int scale : {-30, 0, 12}) {
            Draft draft;
            draft[DraftField::x_shape] = 1;  // signs: the mean square is 4^scale
            draft[DraftField::x_scale] = scale;
            draft[DraftField::eps_exponent] = exponent;
            EXPECT_EQ(prepare(draft, subject).contract.eps.value, std::ldexp(1.0, 2 * scale + exponent));
        }
    }
}

TEST(FuzzCodec, EpsMayBeAnyValueOfF32) {
    const FuzzSubject subject(*find_kernel("cpu/rms"));
    for (const char* eps : {"0", "0x1p-149", "1e-6", "3.4028235e+38"}) {
        const Case c = parse_case(std::string("kernel=cpu/rms cols=8 eps=") + eps);
        EXPECT_EQ(case_contract(&subject.kernel(), decode_case(encode_case(c, subject), subject)).eps,
                  case_contract(&subject.kernel(), c).eps);
    }
}

TEST(FuzzCodec, EveryFillIsKnownAndKeepsItsNumber) {
    const auto names = draft_fills();
    for (const FillInfo& info : fills()) EXPECT_NE(std::ranges::find(names, info.name), names.end()) << info.name;
    EXPECT_EQ(names[19], "alternating_scales");  // bytes that are kept mean what they did
}

TEST(FuzzCodec, CasesThatNoBytesSayAreRefusedByName) {
    const FuzzSubject subject(*find_kernel("cpu/rms"));
    for (const char* line :
         {"kernel=cpu/rms rows=5", "kernel=cpu/rms cols=65", "kernel=cpu/rms cols=8 threads=2",
          "kernel=cpu/rms cols=8 stats=f64", "kernel=cpu/rms cols=8 fill=spike:3", "kernel=cpu/rms cols=8 y=f16"})
        EXPECT_THROW(encode_case(parse_case(line), subject), InputError) << line;
}

TEST(FuzzMutation, IsDeterministicStaysAmongDraftsAndReachesEveryField) {
    Stream bytes{4, 0, 0};
    std::set<size_t> moved;
    std::set<size_t> with_bits;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        const Draft before = read_draft(random_bytes(bytes));
        Draft once = before, again = before;
        Stream a{seed, 0, 0}, b{seed, 0, 0};
        mutate(once, a);
        mutate(again, b);
        ASSERT_EQ(once, again);
        ASSERT_EQ(read_draft(write_draft(once)), once);
        for (size_t i = 0; i < once.fields.size(); ++i)
            if (once.fields[i] != before.fields[i]) moved.insert(i);
        for (size_t i = 0; i < once.bits.size(); ++i)
            if (once.bits[i] != before.bits[i]) with_bits.insert(i);
    }
    EXPECT_EQ(moved.size(), draft_fields().size());
    EXPECT_EQ(with_bits.size(), size_t{draft_tensor_count});
}

// 15 shapes 24 times each, one call in eight: some 2,900 calls, and after them one in 256.
TEST(FuzzMutation, AGuidedSearchMeetsEveryShapeSoonAndEquallyOften) {
    ShapeRuns runs{};
    Stream stream{7, 0, 0};
    Draft draft;
    const auto run = [&](int calls) {
        for (int i = 0; i < calls; ++i) {
            mutate(draft, stream, &runs);
            ++runs[static_cast<size_t>(draft[DraftField::shape])];
        }
    };
    run(4000);
    for (size_t shape = 1; shape < runs.size(); ++shape) {
        EXPECT_GE(runs[shape], first_shape_runs) << shape;
        EXPECT_LE(runs[shape], first_shape_runs + 2) << shape;
    }
    const int64_t first = runs[0];
    run(25600);
    EXPECT_NEAR(static_cast<double>(25600 - (runs[0] - first)), 100, 40);
}

TEST(FuzzMutation, IsTheSameWithEveryCompiler) {
    Draft draft;
    Stream stream{5, 0, 0};
    for (int i = 0; i < 1000; ++i) mutate(draft, stream);
    uint64_t hash = 0;
    for (const uint8_t byte : write_draft(draft)) hash = (hash ^ byte) * 0x100000001b3;
    EXPECT_EQ(hash, 10765150710463370514u);
}

TEST(FuzzMutation, CrossingOverTakesEveryPlaceFromOneOfTheTwo) {
    Stream bytes{6, 0, 0};
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        const Draft a = read_draft(random_bytes(bytes)), b = read_draft(random_bytes(bytes));
        Stream once{seed, 0, 0}, again{seed, 0, 0};
        const Draft child = cross_over(a, b, once);
        ASSERT_EQ(child, cross_over(a, b, again));
        ASSERT_EQ(read_draft(write_draft(child)), child);
        ASSERT_EQ(child[DraftField::shape], 0);
        for (size_t i = 0; i + 1 < child.fields.size(); ++i)
            ASSERT_TRUE(child.fields[i] == a.fields[i] || child.fields[i] == b.fields[i]);
        for (size_t i = 0; i < child.bits.size(); ++i)
            ASSERT_TRUE(child.bits[i] == a.bits[i] || child.bits[i] == b.bits[i]);
    }
}

TEST(FuzzMutation, RandomDraftsAreRowsOfRandomBits) {
    const FuzzSubject subject(*find_kernel("cpu/rms"));
    Stream stream{7, 0, 0};
    std::set<std::string> lines;
    for (int i = 0; i < 100; ++i) {
        const Case c = case_of(random_draft(stream), subject);
        EXPECT_EQ(c.x.fill, "uniform_bits");
        lines.insert(print(c));
    }
    EXPECT_GT(lines.size(), 90u);
}

}  // namespace
}  // namespace normcheck
