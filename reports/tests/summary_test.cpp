// Tests of the sentences about a whole report.
#include "reports/summary.hpp"

#include <gtest/gtest.h>

#include "reports/collect.hpp"
#include "reports/tests/made_up.hpp"

namespace normcheck {
namespace {

Report report_of(std::initializer_list<std::pair<const char*, Verdict>> rows) {
    Report report;
    for (const auto& [kernel, verdict] : rows)
        add_row(kernel_report(report, kernel, FormatId::f32, "rms"), made_up_row(1, Regime::ordinary, verdict), "c", 0,
                0);
    return report;
}

TEST(VerdictSentence, says_whom_it_is_about) {
    EXPECT_EQ(verdict_sentence(report_of({{"a", Verdict::pass}})),
              "Pass: the kernel did nothing in 0 cases that the contract does not admit.");
    EXPECT_EQ(verdict_sentence(report_of({{"a", Verdict::pass}, {"b", Verdict::fail}})),
              "Fail: 1 of 2 kernels does what the contract does not admit: b.");
    EXPECT_EQ(verdict_sentence(report_of({{"a", Verdict::pass}, {"b", Verdict::outside}})),
              "Not proven: 1 of 2 kernels has no row that passes: b.");
    EXPECT_TRUE(verdict_sentence(report_of({{"a", Verdict::pass}, {"b", Verdict::suspect}, {"b", Verdict::pass}}))
                    .starts_with("Suspect: all that was judged is admissible, but 1 of 2 kernels goes beyond"));
    EXPECT_EQ(verdict_sentence(Report{}), "Not proven: no kernel was run.");
}

TEST(VerdictSentence, names_formats_where_not_all_are_meant) {
    Report report = report_of({{"a", Verdict::fail}});
    add_row(kernel_report(report, "a", FormatId::f16, "rms"), made_up_row(1), "c", 0, 0);
    EXPECT_EQ(verdict_sentence(report), "Fail: the kernel does what the contract does not admit: a (f32).");
}

TEST(VerdictSentence, names_four_and_counts_the_others) {
    EXPECT_EQ(verdict_sentence(report_of({{"a", Verdict::fail},
                                          {"b", Verdict::fail},
                                          {"c", Verdict::fail},
                                          {"d", Verdict::fail},
                                          {"e", Verdict::fail},
                                          {"f", Verdict::fail}})),
              "Fail: all 6 kernels do what the contract does not admit: a, b, c, d and 2 more.");
}

TEST(VerdictSentence, tells_that_something_is_worse_than_before) {
    Report report = report_of({{"a", Verdict::pass}});
    report.changes.push_back({"a", FormatId::f32, std::nullopt, Trend::worse, "slack 0.1 -> 0.9", ""});
    EXPECT_TRUE(verdict_sentence(report).ends_with("; 1 thing is worse than before."));
}

TEST(KernelsOf, stand_gravest_first) {
    const Report report =
        report_of({{"a", Verdict::pass}, {"b", Verdict::doubtful}, {"c", Verdict::fail}, {"d", Verdict::pass}});
    std::string order;
    for (const KernelFormats& one : kernels_of(report)) order += one.kernel;
    EXPECT_EQ(order, "cbad");
}

TEST(Numbers, have_commas_from_five_digits_on) {
    EXPECT_EQ(show_thousands(1234), "1234");
    EXPECT_EQ(show_thousands(12345), "12,345");
    EXPECT_EQ(show_thousands(1234567), "1,234,567");
}

TEST(RerunCommand, asks_the_property_that_was_violated) {
    Report report;
    report.kernels.emplace_back().kernel = "a/b";
    report.kernels[0].options = "--plugin ./a.so";
    Finding finding;
    finding.kernel = "a/b";
    finding.reason = "property sign_symmetry: row 0: y[1] differs";
    EXPECT_EQ(options_of(report, finding), "--properties sign_symmetry --plugin ./a.so");
    finding.reason = "y is outside its admissible set";
    EXPECT_EQ(options_of(report, finding), "--plugin ./a.so");
}

TEST(RerunCommand, quotes_a_case_and_leaves_the_name_of_a_recording) {
    EXPECT_EQ(rerun_command("kernel=a x=f16", ""), "normcheck case 'kernel=a x=f16' --explain");
    EXPECT_EQ(rerun_command("recorded.safetensors", "--plugin ./a.so"), "recorded.safetensors");
}

}  // namespace
}  // namespace normcheck
