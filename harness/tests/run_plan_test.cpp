// The run over many cases: complete, the same on any number of threads, with findings that say what is wrong and where.
#include "harness/check/run_plan.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <thread>

#include "harness/cases/plan.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/tests/bad_kernels.hpp"
#include "oracles/error.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

std::vector<Case> cases_of(std::initializer_list<const char*> lines) {
    std::vector<Case> cases;
    for (const char* line : lines) cases.push_back(parse_case(line));
    return cases;
}

Job planned(const nc_kernel& kernel, FormatId format, int64_t number) {
    return {&kernel, plan(kernel.name, parse_contract(kernel.contract), {.formats = {format}, .max_cases = number}),
            format};
}

Report run(const std::vector<Job>& jobs, const RunOptions& options = {}) {
    return run_plan(jobs, options);
}

Finding only_finding(const nc_kernel& kernel, const char* line) {
    const Report report = run({{&kernel, cases_of({line})}});
    EXPECT_EQ(report.findings.size(), 1U);
    return report.findings.empty() ? Finding{} : report.findings[0];
}

std::string first_reasons(const Report& report) {
    std::string text;
    for (const Finding& finding : report.findings)
        text += finding.case_line + ": " + name(finding.verdict) + ", " + finding.reason + '\n';
    return text;
}

TEST(RunPlan, every_built_in_kernel_passes_a_plan_in_every_format) {
    std::vector<Job> jobs;
    for (const nc_kernel* kernel : built_in_kernels())
        for (const FormatId format : {FormatId::f32, FormatId::f16, FormatId::bf16})
            jobs.push_back(planned(*kernel, format, 60));
    const Report report = run(jobs, {.threads = 2});
    EXPECT_EQ(report.kernels.size(), jobs.size());
    EXPECT_EQ(exit_status(report), 0);
    EXPECT_TRUE(report.findings.empty()) << first_reasons(report);
    for (const KernelReport& kernel : report.kernels) {
        EXPECT_EQ(kernel.cases, 60) << kernel.kernel;
        EXPECT_EQ(verdict(kernel), Verdict::pass) << kernel.kernel << " in " << format(kernel.format).name;
    }
}

TEST(RunPlan, the_report_does_not_depend_on_the_number_of_threads) {
    std::vector<Job> jobs;
    for (const nc_kernel* kernel : {&honest_kernel, &eps_outside_kernel, &leaves_y_kernel, &changes_x_kernel})
        jobs.push_back(planned(*kernel, FormatId::f32, 40));
    const Report many = run(jobs, {.threads = 7, .finding_cap = 5});
    EXPECT_EQ(exit_status(many), 1);
    EXPECT_FALSE(many.findings.empty());
    // Falling, because clang's OpenMP loses the memory of nested teams where the team round them grows again.
    for (const int threads : {3, 2, 1}) EXPECT_EQ(run(jobs, {.threads = threads, .finding_cap = 5}), many);
}

TEST(RunPlan, a_failing_row_becomes_a_finding_with_its_numbers) {
    const char* line = "rms cols=3 fill=values:0.001,0.001,0.001 gamma_fill=bits:00000000,3f800000,40000000";
    const Finding finding = only_finding(eps_outside_kernel, line);
    EXPECT_EQ(finding.kernel, "test/eps_outside");
    EXPECT_EQ(finding.verdict, Verdict::fail);
    EXPECT_EQ(parse_case(finding.case_line), parse_case(line));
    EXPECT_EQ(finding.row, 0);
    EXPECT_EQ(finding.output, "y");
    EXPECT_EQ(finding.element, 1);
    ASSERT_TRUE(finding.numbers.has_value());
    EXPECT_LE(finding.numbers->lowest.code, finding.numbers->target.code);
    EXPECT_GT(finding.numbers->got.code, finding.numbers->highest.code);
    EXPECT_GT(finding.numbers->error, 1e5);
}

TEST(RunPlan, a_wrong_statistic_becomes_a_finding_that_names_it) {
    const Finding finding = only_finding(wrong_rstd_kernel, "rms cols=8 rows=2");
    EXPECT_EQ(finding.output, "rstd");
    EXPECT_EQ(finding.row, 0);
    EXPECT_EQ(finding.element, -1);
    EXPECT_TRUE(finding.numbers.has_value());
}

TEST(RunPlan, a_wrong_sum_becomes_a_finding_with_its_element) {
    const Finding finding = only_finding(wrong_sum_kernel, "rms cols=8 rows=2");
    EXPECT_EQ(finding.output, "residual_out");
    EXPECT_EQ(finding.row, 0);
    EXPECT_EQ(finding.element, 1);
    EXPECT_TRUE(finding.numbers.has_value());
}

TEST(RunPlan, a_suspect_row_becomes_a_finding) {
    const Finding finding = only_finding(drifting_kernel, "rms cols=4096");
    EXPECT_EQ(finding.verdict, Verdict::suspect);
    EXPECT_EQ(finding.output, "y");
    EXPECT_TRUE(finding.numbers.has_value());
}

TEST(RunPlan, a_swallowed_nan_becomes_a_finding) {
    const Report report = run({{&nan_swallowing_kernel, cases_of({"rms rows=6 cols=9 fill=nan_in_row"})}});
    ASSERT_EQ(report.findings.size(), 2U);
    EXPECT_EQ(report.findings[0].regime, Regime::special);
    EXPECT_EQ(report.findings[0].output, "y");
}

TEST(RunPlan, a_broken_rule_becomes_a_finding_of_the_whole_call_and_is_counted_without_its_place) {
    const Report report =
        run({{&row_gap_kernel, cases_of({"rms rows=4 cols=5 pitch=3", "rms rows=4 cols=9 pitch=3"})}});
    ASSERT_EQ(report.findings.size(), 2U);
    EXPECT_EQ(report.findings[1].row, -1);
    EXPECT_EQ(report.findings[1].case_index, 1);
    EXPECT_EQ(report.findings[1].reason, "guard after row 0 of y was overwritten at byte 0");
    EXPECT_EQ(report.kernels[0].broken_rules, (ReasonCounts{{"guard after row _ of y was overwritten at byte _", 2}}));
    EXPECT_EQ(exit_status(report), 1);
}

TEST(RunPlan, more_findings_than_are_kept_are_counted) {
    const Report report = run({{&eps_outside_kernel, cases_of({"rms rows=9 cols=16 fill=small"})}}, {.finding_cap = 2});
    ASSERT_EQ(report.findings.size(), 2U);
    EXPECT_EQ(report.findings[0].row, 0);
    EXPECT_EQ(report.findings[1].row, 1);
    EXPECT_TRUE(report.findings[1].numbers.has_value());
    EXPECT_GT(count(report.kernels[0].findings, Verdict::fail), 2);
}

TEST(RunPlan, a_refused_call_is_counted_and_is_no_case) {
    const Report report = run({{&refusing_kernel, cases_of({"rms cols=5", "rms cols=6"})}});
    EXPECT_EQ(report.kernels[0].cases, 0);
    EXPECT_EQ(count(totals(report), Verdict::unsupported), 2);
    EXPECT_EQ(exit_status(report), 1);
}

TEST(RunPlan, a_kernel_without_cases_is_in_the_report) {
    const Report report = run({{&honest_kernel, {}}, {&refusing_kernel, {}}});
    ASSERT_EQ(report.kernels.size(), 2U);
    EXPECT_EQ(report.kernels[0].kernel, "test/honest");
    EXPECT_EQ(report.kernels[0].contract, "rms in_place=yes");
}

TEST(RunPlan, an_index_counts_over_all_jobs) {
    const Report report = run(
        {{&honest_kernel, cases_of({"rms cols=5", "rms cols=6"})}, {&changes_gamma_kernel, cases_of({"rms cols=7"})}});
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_EQ(report.findings[0].case_index, 2);
}

TEST(RunPlan, the_first_case_that_throws_is_rethrown_with_its_line) {
    const char* bad = "kernel=test/honest apply=folded cols=3";
    const char* worse = "kernel=test/honest apply=folded cols=4";
    for (const int threads : {1, 3}) {
        try {
            run({{&honest_kernel, cases_of({"rms cols=5", bad, worse})}}, {.threads = threads});
            FAIL() << "nothing was thrown";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("cols=3"), std::string::npos) << error.what();
        }
    }
}

const char* run_slowly(const nc_call* call) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return honest_kernel.run(call);
}

TEST(RunPlan, cases_past_the_time_limit_are_skipped_and_counted) {
    const nc_kernel slow{"test/slow", "rms in_place=yes", "", 1U << NC_F32, run_slowly};
    const Report report = run({{&slow, std::vector<Case>(50, parse_case("rms cols=5"))}}, {.time_limit_seconds = 0.1});
    EXPECT_GE(report.kernels[0].cases, 1);
    EXPECT_GE(report.kernels[0].skipped_cases, 1);
    EXPECT_EQ(report.kernels[0].cases + report.kernels[0].skipped_cases, 50);
}

TEST(RunPlan, progress_is_told_after_every_case) {
    std::vector<int64_t> told;
    RunOptions options{.threads = 3};
    options.progress = [&](int64_t done, int64_t total) {
        EXPECT_EQ(total, 20);
        told.push_back(done);
    };
    run({{&honest_kernel, std::vector<Case>(20, parse_case("rms cols=5"))}}, options);
    ASSERT_EQ(told.size(), 20U);
    for (int64_t i = 0; i < 20; ++i) EXPECT_EQ(told[static_cast<size_t>(i)], i + 1);
}

std::atomic<int> most_threads{0};

const char* run_in_team(const nc_call* call) {
#pragma omp parallel num_threads(call->threads)
    {
#pragma omp master
        most_threads = std::max(most_threads.load(), omp_get_num_threads());
    }
    return honest_kernel.run(call);
}

TEST(RunPlan, a_kernel_has_its_own_threads_inside_those_of_the_run) {
    const nc_kernel team{"test/team", "rms in_place=yes", "", 1U << NC_F32, run_in_team};
    const Report report = run({{&team, std::vector<Case>(8, parse_case("rms cols=5 threads=3"))}}, {.threads = 2});
    EXPECT_EQ(most_threads.load(), 3);
    EXPECT_EQ(exit_status(report), 0);
}

}  // namespace
}  // namespace normcheck
