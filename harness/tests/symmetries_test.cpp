// Every symmetry that is claimed of a kernel, checked on its outputs over many pairs and all special ones; and that the
// judge has the same symmetries.
#include "harness/sweep/symmetries.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "harness/check/abi_format.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/sweep/judge_block.hpp"
#include "harness/sweep/subject.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

using Codes16 = std::vector<uint16_t>;

constexpr uint64_t random_pairs = 1 << 18;

SweepSubject subject_of(const char* kernel, FormatId id) {
    return make_subject(*find_kernel(kernel), fmt::format("x={}", format(id).name), 2, false);
}

/// y of rows of x, in x's format; Code is its storage type.
template <typename Code>
std::vector<Code> outputs(const SweepSubject& subject, std::vector<Code> x, int64_t cols = 2) {
    const nc_format id = abi_format(subject.identity.contract.x);
    const int64_t rows = std::ssize(x) / cols;
    std::vector<Code> y(x.size()), residual(x.size());
    nc_call call{};
    call.x = {x.data(), {rows, cols}, {cols, 1}, id, {NC_CPU, 0}};
    call.y = {y.data(), {rows, cols}, {cols, 1}, id, {NC_CPU, 0}};
    if (subject.identity.contract.residual != Residual::none)
        call.residual = {residual.data(), {rows, cols}, {cols, 1}, id, {NC_CPU, 0}};
    call.eps = subject.identity.contract.eps.value;
    call.threads = 1;
    EXPECT_EQ(subject.kernel->run(&call), nullptr);
    return y;
}

/// Zeros, subnormals, powers of two, the ends of the range, Inf and NaN, with both signs.
Codes16 special_codes(const Format& numbers) {
    Codes16 codes;
    for (const uint64_t base : {uint64_t{0}, uint64_t{1} << (numbers.significand_bits - 1),
                                numbers.max_finite_code() / 2, numbers.max_finite_code(), numbers.nan_code()})
        for (int step = -2; step <= 2; ++step)
            for (const uint64_t sign : {uint64_t{0}, numbers.sign_bit()})
                codes.push_back(
                    static_cast<uint16_t>(((base + static_cast<uint64_t>(step)) & (numbers.sign_bit() - 1)) | sign));
    return codes;
}

/// All pairs of special codes; random pairs; and random codes beside a near one or its opposite.
Codes16 pairs(const Format& numbers) {
    Codes16 x;
    for (const uint16_t a : special_codes(numbers))
        for (const uint16_t b : special_codes(numbers)) x.insert(x.end(), {a, b});
    for (uint64_t i = 0; i < random_pairs; ++i) {
        const uint64_t random = mixed(i);
        const auto a = static_cast<uint16_t>(random);
        const auto near = static_cast<uint16_t>((a + (random >> 16 & 7)) ^ (random >> 24 & 1) << 15);
        x.insert(x.end(), {a, (i & 1) == 0 ? static_cast<uint16_t>(random >> 32) : near});
    }
    return x;
}

Codes16 negated(Codes16 codes) {
    for (uint16_t& code : codes) code ^= 0x8000;
    return codes;
}

Codes16 swapped(Codes16 codes) {
    for (size_t i = 0; i < codes.size(); i += 2) std::swap(codes[i], codes[i + 1]);
    return codes;
}

/// Bit by bit, but for the sign of zeros and the payload of NaNs: how many differ.
int64_t differences(const Format& numbers, const Codes16& a, const Codes16& b) {
    int64_t found = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const bool nan = is_nan(numbers, a[i]) || is_nan(numbers, b[i]);
        const bool same =
            nan ? is_nan(numbers, a[i]) && is_nan(numbers, b[i]) : rank(numbers, a[i]) == rank(numbers, b[i]);
        found += same ? 0 : 1;
    }
    return found;
}

TEST(Symmetries, hold_on_the_outputs_of_every_kernel_that_claims_them) {
    for (const KernelSymmetry& claim : proven_symmetries())
        for (const FormatId id : {FormatId::f16, FormatId::bf16}) {
            const Format& numbers = format(id);
            const Codes16 x = pairs(numbers);
            const SweepSubject subject = subject_of(claim.kernel, id);
            const Codes16 y = outputs(subject, x);
            const auto unlike = [&](auto changed) {
                return differences(numbers, outputs(subject, changed(x)), changed(y));
            };
            EXPECT_TRUE(!claim.symmetry.sign || unlike(negated) == 0) << claim.kernel << " sign";
            EXPECT_TRUE(!claim.symmetry.swap || unlike(swapped) == 0) << claim.kernel << " swap";
        }
}

SweepSubject f32_subject(const char* kernel) {
    return make_subject(*find_kernel(kernel), "x=f32", 1, false);
}

TEST(Symmetries, the_sign_holds_for_f32_too) {
    std::vector<float> x;
    for (uint64_t i = 0; i < random_pairs; ++i) {
        const auto value = std::bit_cast<float>(static_cast<uint32_t>(mixed(i)));
        x.insert(x.end(), {value, -value});
    }
    for (const KernelSymmetry& claim : proven_symmetries()) {
        const std::vector<float> y = outputs(f32_subject(claim.kernel), x, 1);
        for (size_t i = 0; i < y.size(); i += 2)
            ASSERT_TRUE(y[i] == -y[i + 1] || (std::isnan(y[i]) && std::isnan(y[i + 1]))) << claim.kernel << ' ' << x[i];
    }
}

// Its two ways round differ by an f32 rounding, which the short formats hardly ever show.
TEST(Symmetries, swapping_is_not_claimed_of_welford_and_does_not_hold) {
    std::vector<float> x, exchanged;
    for (uint64_t i = 0; i < 1000; ++i) {
        const float a = static_cast<float>(mixed(2 * i)), b = static_cast<float>(mixed(2 * i + 1));
        x.insert(x.end(), {a, b});
        exchanged.insert(exchanged.end(), {b, a});
    }
    const SweepSubject welford = f32_subject("cpu/layer_welford"), two_pass = f32_subject("cpu/layer_two_pass");
    const auto differ = [&](const SweepSubject& subject) {
        const std::vector<float> y = outputs(subject, x), other = outputs(subject, exchanged);
        int64_t found = 0;
        for (size_t i = 0; i < y.size(); i += 2) found += y[i] != other[i + 1] || y[i + 1] != other[i] ? 1 : 0;
        return found;
    };
    EXPECT_GT(differ(welford), 0);
    EXPECT_EQ(differ(two_pass), 0);
    EXPECT_FALSE(proven_symmetry("cpu/layer_welford").swap);
}

TEST(Symmetries, belong_to_built_in_kernels_and_come_with_their_proofs) {
    for (const KernelSymmetry& claim : proven_symmetries()) {
        EXPECT_NE(find_kernel(claim.kernel), nullptr) << claim.kernel;
        EXPECT_EQ(claim.symmetry.sign, claim.sign_proof != nullptr);
        EXPECT_EQ(claim.symmetry.swap, claim.swap_proof != nullptr);
    }
    EXPECT_EQ(proven_symmetry("somebody's/kernel"), Symmetry{});
    EXPECT_EQ(proof_of("somebody's/kernel", {}), "");
    EXPECT_THROW(proof_of("cpu/layer_welford", {.sign = true, .swap = true}), InternalError);
}

BlockVerdicts judged(const SweepSubject& subject, const Codes16& x, const Codes16& y) {
    const int64_t rows = std::ssize(x) / 2;
    BlockVerdicts verdicts(rows);
    BlockJudge(subject.identity.contract, 2).judge({x.data(), y.data(), rows}, {}, verdicts);
    return verdicts;
}

void expect_same(const BlockVerdicts& a, const BlockVerdicts& b) {
    EXPECT_EQ(a.row_class, b.row_class);
    EXPECT_EQ(a.rounded, b.rounded);
    const auto peak = [](const BlockVerdicts& verdicts, double RowErrors::* error) {
        double largest = -1;
        for (const RowErrors& errors : verdicts.errors) largest = std::max(largest, errors.*error);
        return largest;
    };
    for (const auto error : {&RowErrors::row_error, &RowErrors::absolute_error, &RowErrors::element_error})
        EXPECT_EQ(peak(a, error), peak(b, error));
}

/// Every third output one off, every ninth far off, so that failing rows are judged as well.
Codes16 damaged(Codes16 y) {
    for (size_t i = 0; i < y.size(); i += 3) y[i] ^= i % 9 == 0 ? 0x0100 : 1;
    return y;
}

TEST(Symmetries, the_judge_has_them_too) {
    for (const char* kernel :
         {"cpu/layer_two_pass", "cpu/layer_folded", "cpu/rms_cast_before_gamma", "cpu/add_rms_wide"})
        for (const FormatId id : {FormatId::f16, FormatId::bf16}) {
            const SweepSubject subject = subject_of(kernel, id);
            Codes16 x = pairs(format(id));
            x.resize(20'000);
            for (const Codes16& y : {outputs(subject, x), damaged(outputs(subject, x))}) {
                const BlockVerdicts plain = judged(subject, x, y);
                expect_same(judged(subject, negated(x), negated(y)), plain);
                expect_same(judged(subject, swapped(x), swapped(y)), plain);
            }
        }
}

}  // namespace
}  // namespace normcheck
