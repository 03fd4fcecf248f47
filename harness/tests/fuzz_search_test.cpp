// The fuzzer's executions: they judge as check_case does, see what a kernel must not do, and lead a search to a fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "harness/check/check.hpp"
#include "harness/fuzz/codec.hpp"
#include "harness/fuzz/execute.hpp"
#include "harness/fuzz/feedback.hpp"
#include "harness/fuzz/input_files.hpp"
#include "harness/fuzz/minimised.hpp"
#include "harness/fuzz/mutate.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/tests/bad_kernels.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

TEST(FuzzExecution, JudgesAsTheCaseIsJudged) {
    Stream stream{1, 0, 0};
    Draft draft;
    Executor executor;
    int64_t judged = 0;
    for (const nc_kernel* kernel : built_in_kernels()) {
        const FuzzSubject subject(*kernel);
        for (int i = 0; i < 150; ++i) {
            mutate(draft, stream);
            const Execution execution = executor.run(subject, draft);
            const Case c = case_of(draft, subject);
            const CaseResult result = check_case(*kernel, c);
            ASSERT_EQ(execution.refused, result.refusal.has_value()) << print(c);
            ASSERT_EQ(execution.rows.size(), result.rows.size()) << print(c);
            ASSERT_FALSE(execution.is_finding()) << print(c) << ": " << execution.reason();
            for (size_t row = 0; row < result.rows.size(); ++row) {
                ASSERT_EQ(execution.rows[row].verdict == Verdict::suspect ? Verdict::pass : execution.rows[row].verdict,
                          result.rows[row].verdict == Verdict::suspect ? Verdict::pass : result.rows[row].verdict)
                    << print(c);
                ASSERT_EQ(execution.rows[row].slack, result.rows[row].slack) << print(c);
                judged += result.rows[row].verdict == Verdict::pass;
            }
        }
    }
    EXPECT_GT(judged, 1000);
}

Draft wide_layout() {
    Draft draft;
    draft[DraftField::rows] = 2;
    draft[DraftField::pitch] = 3;
    draft[DraftField::stride] = 2;
    draft[DraftField::eps_exponent] = -20;
    return draft;
}

TEST(FuzzExecution, SeesWhatNoKernelMayDo) {
    Executor executor;
    for (const nc_kernel* kernel :
         {&past_row_kernel, &before_row_kernel, &row_gap_kernel, &column_gap_kernel, &gamma_guard_kernel,
          &changes_x_kernel, &changes_gamma_kernel, &leaves_y_kernel, &leaves_rstd_kernel, &wrong_rstd_kernel,
          &flushing_kernel, &rounding_kernel, &throwing_kernel}) {
        const Execution execution = executor.run(FuzzSubject(*kernel), wide_layout());
        EXPECT_TRUE(execution.is_finding()) << kernel->name;
        EXPECT_NE(execution.reason(), "") << kernel->name;
    }
    EXPECT_FALSE(executor.run(FuzzSubject(honest_kernel), wide_layout()).is_finding());
    EXPECT_TRUE(executor.run(FuzzSubject(refusing_kernel), wide_layout()).refused);
}

TEST(FuzzExecution, TakesARowThatHoldsThePoisonForWhatItIs) {
    Draft draft;
    draft.bits_of(DraftTensor::x) = {0x7f800001, 0x3f800000};  // the signalling NaN that stands for memory not written
    draft[DraftField::cols] = 2;
    Executor executor;
    for (const nc_kernel* kernel : built_in_kernels())
        EXPECT_FALSE(executor.run(FuzzSubject(*kernel), draft).is_finding()) << kernel->name;
}

// Found by fuzzing: mean square and epsilon each fit f32, but their sum does not.
TEST(FuzzExecution, AnEpsilonThatLeavesNoRoomForTheMeanSquarePromisesNothing) {
    for (const char* kernel : {"cpu/rms", "cpu/layer_two_pass"}) {
        const Case c = parse_case("eps=3.4028235e+38 fill=bits:5cb7b1c1,dcb7b1c1 kernel=" + std::string(kernel));
        for (const Oracle oracle : {Oracle::certified, Oracle::exact})
            EXPECT_EQ(check_case(*find_kernel(kernel), c, oracle).rows.at(0).verdict, Verdict::outside) << kernel;
    }
}

TEST(FuzzFeedback, StepsRiseWithTheSlack) {
    EXPECT_EQ(slack_step(0), 0);
    EXPECT_EQ(slack_step(1e-9), 0);
    EXPECT_LT(slack_step(0.1), slack_step(0.2));
    EXPECT_LT(slack_step(0.5), slack_step(0.7));
    EXPECT_EQ(slack_step(1), slack_steps - 1);
    EXPECT_EQ(slack_step(HUGE_VAL), slack_steps - 1);
}

TEST(FuzzFeedback, ARowMarksItsStepsInItsRegimeAndFormatAlone) {
    Execution execution;
    execution.format = FormatId::f16;
    execution.rows.resize(2);
    execution.rows[0].regime = Regime::transition;
    execution.rows[0].slack = 0.3;
    execution.rows[1].verdict = Verdict::outside;
    std::array<uint8_t, slack_counter_count> counters{};
    mark_slack(execution, counters);
    const size_t first =
        (static_cast<size_t>(Regime::transition) * format_count + static_cast<size_t>(FormatId::f16)) * slack_steps;
    const auto last = first + static_cast<size_t>(slack_step(0.3));
    for (size_t i = 0; i < counters.size(); ++i) EXPECT_EQ(counters[i], i >= first && i <= last ? 1 : 0) << i;
}

/// Executions up to the first finding of a plain search that keeps what sets a new counter; `most` where there is none.
int64_t executions_to_finding(const nc_kernel& kernel, int64_t most, Draft* found = nullptr) {
    const FuzzSubject subject(kernel);
    Executor executor;
    std::vector<Draft> pool(1);
    std::array<uint8_t, slack_counter_count> known{};
    Stream stream{1, 0, 0};
    for (int64_t i = 0; i < most; ++i) {
        Draft draft = pool[static_cast<size_t>(next_below(stream, std::ssize(pool)))];
        mutate(draft, stream);
        const Execution execution = executor.run(subject, draft);
        if (execution.is_finding()) {
            if (found != nullptr) *found = draft;
            return i + 1;
        }
        std::array<uint8_t, slack_counter_count> counters{};
        mark_slack(execution, counters);
        bool is_new = false;
        for (size_t k = 0; k < known.size(); ++k)
            is_new |= counters[k] != 0 && std::exchange(known[k], uint8_t{1}) == 0;
        if (is_new) pool.push_back(draft);
    }
    return most;
}

TEST(FuzzSearch, FindsEpsOutsideTheRootAndClearsAnHonestKernel) {
    Draft found;
    EXPECT_LT(executions_to_finding(eps_outside_kernel, 2000, &found), 2000);
    EXPECT_TRUE(Executor().run(FuzzSubject(eps_outside_kernel), found).is_finding());
    EXPECT_EQ(executions_to_finding(honest_kernel, 20000), 20000);
}

bool fails(const nc_kernel& kernel, const Case& c) {
    const CaseResult result = check_case(kernel, c);
    return std::ranges::any_of(result.rows, [](const RowResult& row) { return row.verdict == Verdict::fail; });
}

TEST(FuzzSearch, AFindingIsMadeSmallerAndStillFails) {
    const Case c = parse_case(
        "kernel=bad/eps_outside eps=1e-2 rows=3 cols=40 fill=shaped:0:-3:-64:0:0:0 seed=9 pitch=3 stride=2 offset=1 "
        "position=4");
    ASSERT_TRUE(fails(eps_outside_kernel, c));
    const Case small = minimised(eps_outside_kernel, c);
    EXPECT_TRUE(fails(eps_outside_kernel, small));
    EXPECT_EQ(small.rows, 1);
    EXPECT_LT(small.cols, 4);
    EXPECT_EQ(small.stride, 1);
    EXPECT_EQ(small.pitch + small.offset + small.position, 0);
    EXPECT_EQ(small.gamma.fill, "ones");
}

TEST(FuzzInputs, HexReadsBackAndWrongDigitsAreNamed) {
    const Bytes bytes = {0, 1, 0xff, 0x80};
    EXPECT_EQ(print_hex(bytes), "0001ff80");
    EXPECT_EQ(parse_hex("0001ff80"), bytes);
    EXPECT_THROW(parse_hex("001"), InputError);
    EXPECT_THROW(parse_hex("0g"), InputError);
    EXPECT_THROW(parse_hex("-1"), InputError);
}

TEST(FuzzInputs, LinesOfACorpusAreInputsAndAWrongOneIsNamed) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "fuzz_inputs_test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "a.hex", "# comment\n00\n\n0102\n");
    write_file_atomically(folder / "b", "raw");
    EXPECT_EQ(read_inputs(folder, parse_hex), (std::vector<Bytes>{{0}, {1, 2}, {'r', 'a', 'w'}}));
    write_file_atomically(folder / "a.hex", "00\nxx\n");
    try {
        read_inputs(folder, parse_hex);
        FAIL() << "a wrong line was taken";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("a.hex:2:"), std::string::npos) << error.what();
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace normcheck
