// Tests of the rule from records to a verdict and an exit status.
#include "reports/verdict.hpp"

#include <gtest/gtest.h>

#include "reports/collect.hpp"
#include "reports/tests/made_up.hpp"

namespace normcheck {
namespace {

Report report_with(std::initializer_list<Verdict> rows) {
    Report report;
    KernelReport& kernel = kernel_report(report, "k", FormatId::f32, "rms");
    for (const Verdict verdict : rows) add_row(kernel, made_up_row(1, Regime::ordinary, verdict), "c", 0, 0);
    return report;
}

TEST(Verdict, of_a_kernel_is_the_strongest_evidence) {
    EXPECT_EQ(verdict(report_with({Verdict::pass, Verdict::fail}).kernels[0]), Verdict::fail);
    EXPECT_EQ(verdict(report_with({Verdict::pass, Verdict::suspect}).kernels[0]), Verdict::suspect);
    EXPECT_EQ(verdict(report_with({Verdict::outside, Verdict::pass, Verdict::doubtful}).kernels[0]), Verdict::pass);
    EXPECT_EQ(verdict(report_with({Verdict::outside, Verdict::doubtful}).kernels[0]), Verdict::doubtful);
    EXPECT_EQ(verdict(report_with({}).kernels[0]), Verdict::doubtful);
}

TEST(Verdict, is_fail_for_a_broken_rule_without_a_failing_row) {
    Report report = report_with({Verdict::pass});
    add_broken_rule(report.kernels[0], "guard");
    EXPECT_EQ(verdict(report), Verdict::fail);
    EXPECT_EQ(exit_status(report), 1);
}

TEST(Verdict, is_fail_for_a_finding_without_a_failing_row) {
    Report report = report_with({Verdict::pass});
    Finding finding;
    finding.kernel = "k";
    add_finding(report, finding);
    EXPECT_EQ(verdict(report), Verdict::fail);
    EXPECT_EQ(exit_status(report), 1);
}

TEST(Verdict, takes_the_formats_of_a_kernel_together) {
    Report report = report_with({Verdict::pass});
    add_refusal(kernel_report(report, "k", FormatId::f64, "rms"), "no f64");
    EXPECT_EQ(verdict(report), Verdict::pass);
    EXPECT_EQ(exit_status(report), 0);
}

TEST(ExitStatus, is_one_where_a_kernel_has_no_pass) {
    Report report = report_with({Verdict::pass});
    EXPECT_EQ(exit_status(report), 0);
    add_refusal(kernel_report(report, "other", FormatId::f32, "rms"), "never");
    EXPECT_EQ(exit_status(report), 1);
    EXPECT_EQ(verdict(report), Verdict::unsupported);
    EXPECT_EQ(kernels_without_pass(report), std::vector<std::string>{"other"});
}

TEST(ExitStatus, is_one_where_nothing_was_selected) {
    EXPECT_EQ(exit_status(Report{}), 1);
    EXPECT_EQ(verdict(Report{}), Verdict::doubtful);
}

TEST(ExitStatus, of_suspect_rows_is_one_only_when_strict) {
    Report report = report_with({Verdict::pass, Verdict::suspect});
    EXPECT_EQ(exit_status(report), 0);
    report.strict = true;
    EXPECT_EQ(exit_status(report), 1);
}

TEST(ExitStatus, is_zero_for_outside_and_doubtful_rows_beside_a_pass) {
    EXPECT_EQ(exit_status(report_with({Verdict::pass, Verdict::outside, Verdict::doubtful})), 0);
    EXPECT_EQ(exit_status(report_with({Verdict::outside, Verdict::doubtful})), 1);
    EXPECT_EQ(exit_status(report_with({Verdict::pass, Verdict::fail})), 1);
}

TEST(Totals, count_rows_by_verdict_and_refused_calls) {
    Report report = report_with({Verdict::pass, Verdict::pass, Verdict::outside});
    add_refusal(report.kernels[0], "a");
    EXPECT_EQ(totals(report), (VerdictCounts{2, 0, 0, 1, 0, 1}));
}

}  // namespace
}  // namespace normcheck
