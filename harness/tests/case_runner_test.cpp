// The lean runner of cases: it gives what check_case gives, and sees what a kernel must not do.
#include "harness/bench/case_runner.hpp"

#include <gtest/gtest.h>

#include "harness/check/check.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/tests/bad_kernels.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

void expect_equal(const RowResult& lean, const RowResult& full, const std::string& line) {
    EXPECT_EQ(lean.verdict, full.verdict) << line;
    EXPECT_EQ(lean.row_error, full.row_error) << line;
    EXPECT_EQ(lean.element_error, full.element_error) << line;
    EXPECT_EQ(lean.slack, full.slack) << line;
    EXPECT_EQ(lean.worst, full.worst) << line;
    EXPECT_EQ(lean.correctly_rounded, full.correctly_rounded) << line;
}

TEST(CaseRunner, GivesWhatCheckCaseGivesOfTheSameLine) {
    for (const char* name : {"cpu/rms", "cpu/layer_two_pass"}) {
        for (const FormatId id : {FormatId::f32, FormatId::f16, FormatId::bf16}) {
            for (const int64_t cols : {1, 16, 100}) {
                const nc_kernel& kernel = *find_kernel(name);
                CaseRunner runner(kernel, id, cols);
                for (const uint64_t seed : {7, 8, 7}) {
                    const RowResult lean = runner.run(seed);
                    const std::string line = print(runner.described());
                    EXPECT_EQ(runner.described().seed, seed);
                    expect_equal(lean, check_case(kernel, parse_case(line)).rows.at(0), line);
                    EXPECT_EQ(lean.verdict, Verdict::pass) << line;
                }
            }
        }
    }
}

/// What the runner says of a kernel that breaks a rule; empty where it says nothing.
std::string complaint_about(const nc_kernel& kernel) {
    CaseRunner runner(kernel, FormatId::f32, 16);
    try {
        runner.run(1);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(CaseRunner, NamesTheRuleThatAKernelBreaks) {
    const auto expect_complaint = [](const nc_kernel& kernel, const char* words) {
        EXPECT_NE(complaint_about(kernel).find(words), std::string::npos)
            << kernel.name << ": " << complaint_about(kernel);
    };
    expect_complaint(past_row_kernel, "memory beside an output");
    expect_complaint(before_row_kernel, "memory beside an output");
    expect_complaint(changes_x_kernel, "an input was changed");
    expect_complaint(changes_gamma_kernel, "an input was changed");
    expect_complaint(leaves_y_kernel, "not written");
    expect_complaint(leaves_rstd_kernel, "not written");
    expect_complaint(flushing_kernel, "environment");
    expect_complaint(throwing_kernel, "threw");
    expect_complaint(refusing_kernel, "refuses");
    EXPECT_EQ(complaint_about(honest_kernel), "");
}

TEST(CaseRunner, JudgesTheSavedStatistics) {
    CaseRunner runner(wrong_rstd_kernel, FormatId::f32, 16);
    EXPECT_EQ(runner.run(1).verdict, Verdict::fail);
}

}  // namespace
}  // namespace normcheck
