// Tests of the text report: its width, its words, its colour.
#include "reports/text_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "reports/collect.hpp"
#include "reports/tests/made_up.hpp"

namespace normcheck {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string in_one_line(const std::string& text) {
    return std::regex_replace(text, std::regex("\\s+"), " ");
}

// A line may be too long only where it is one indented word.
bool is_one_word(const std::string& line) {
    return line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
}

TEST(TextReport, keeps_within_the_width) {
    for (const int columns : {40, 60, 80, 100, 120, 160, 250})
        for (const std::string& line : lines_of(to_text(made_up_report(), columns, false)))
            EXPECT_TRUE(static_cast<int>(line.size()) <= columns || is_one_word(line)) << columns << ": " << line;
}

TEST(TextReport, ends_no_line_with_a_space) {
    for (const int columns : {80, 160})
        for (const std::string& line : lines_of(to_text(made_up_report(), columns, false)))
            EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
}

TEST(TextReport, without_its_escapes_equals_the_one_without_color) {
    for (const int columns : {80, 160}) {
        const std::string colored = to_text(made_up_report(), columns, true);
        EXPECT_TRUE(contains(colored, "\x1b[1;31mfail\x1b[0m"));
        EXPECT_EQ(std::regex_replace(colored, std::regex("\x1b\\[[0-9;]*m"), ""),
                  to_text(made_up_report(), columns, false));
    }
}

TEST(TextReport, names_every_regime_also_those_without_rows) {
    const std::string text = to_text(made_up_report(), 80, false);
    for (const RegimeInfo& info : regimes()) EXPECT_TRUE(contains(text, std::string("\n  ") + info.name));
    EXPECT_TRUE(contains(text, "\n  subnormal      no rows\n"));
}

TEST(TextReport, says_no_rows_once_also_where_a_table_comes_in_two_parts) {
    Report report = made_up_report();
    report.kernels.erase(report.kernels.begin());
    for (const int columns : {80, 250}) {
        const std::string text = to_text(report, columns, false);
        const size_t first = text.find("subnormal      no rows");
        ASSERT_NE(first, std::string::npos) << columns;
        EXPECT_LT(first, text.find("suspect     1 row")) << columns;
        EXPECT_EQ(text.find("subnormal      no rows", first + 1), std::string::npos) << columns;
    }
}

TEST(TextReport, stands_case_lines_beside_the_table_only_where_they_fit_whole) {
    const std::string beside = to_text(made_up_report(), 250, false);
    EXPECT_TRUE(contains(beside, "slack  largest row error in\n"));
    EXPECT_FALSE(contains(beside, "      worst "));
    const std::string below = to_text(made_up_report(), 80, false);
    EXPECT_FALSE(contains(below, "largest row error in"));
    EXPECT_TRUE(contains(below, "      worst 'kernel="));
}

TEST(TextReport, loses_no_word_of_a_case_line) {
    for (const int columns : {80, 160, 250})
        EXPECT_TRUE(contains(in_one_line(to_text(made_up_report(), columns, false)),
                             "'kernel=faulty/eps_twice x=f16 rows=64 cols=522 fill=eps_grid gamma=negative beta=zeros "
                             "seed=7 pitch=3 threads=2' row 3, y[17]"));
}

TEST(TextReport, shows_count_columns_only_where_some_regime_has_rows) {
    Report report = made_up_report();
    report.kernels.resize(1);
    report.findings.clear();
    const std::string text = to_text(report, 100, false);
    EXPECT_FALSE(contains(text, "suspect"));
    EXPECT_FALSE(contains(text, "doubtful"));
    EXPECT_TRUE(contains(to_text(made_up_report(), 100, false), "pass  fail  suspect  outside  doubtful"));
}

TEST(TextReport, tells_the_story_of_a_finding) {
    const std::string text = to_text(made_up_report(), 80, false);
    EXPECT_TRUE(contains(text,
                         "  got         0x1.9p+0 (3e40), error 64.25 ulp\n"
                         "  target      0x1.8p+0 (3e00)\n"
                         "  admissible  [0x1.7fcp+0, 0x1.804p+0] (3dff to 3e01)\n"));
}

TEST(TextReport, gives_the_true_number_of_findings) {
    Report report = made_up_report();
    for (int64_t row = 0; row < 50; ++row) add_finding(report, made_up_finding("faulty/eps_twice", 4, row, 0));
    EXPECT_TRUE(
        contains(to_text(report, 80, false), "52 findings, the 10 most telling of each kernel and format shown\n"));
}

TEST(TextReport, gives_reasons_with_their_counts_most_frequent_first) {
    Report report;
    KernelReport& kernel = kernel_report(report, "k", FormatId::f32, "rms");
    for (int reason = 0; reason < 8; ++reason)
        for (int i = 0; i <= reason; ++i) add_refusal(kernel, "reason " + std::to_string(reason));
    const std::string text = to_text(report, 80, false);
    EXPECT_TRUE(contains(text, "  unsupported 8 calls: reason 7\n  unsupported 7 calls: reason 6\n"));
    EXPECT_TRUE(contains(text, "  unsupported and 3 rarer reasons\n"));
}

TEST(TextReport, says_how_often_properties_were_asked) {
    EXPECT_TRUE(contains(in_one_line(to_text(made_up_report(), 120, false)),
                         " asked 2 properties: 81 checks held, 1 violated, 7 did not apply "));
    Report report;
    kernel_report(report, "k", FormatId::f32, "rms");
    EXPECT_FALSE(contains(to_text(report, 120, false), "asked"));
}

TEST(TextReport, says_how_many_cases_the_time_did_not_reach) {
    EXPECT_TRUE(contains(to_text(made_up_report(), 120, false), "(5 more skipped)"));
}

TEST(TextReport, tells_the_first_of_rules_that_differ_in_their_places) {
    Report report;
    KernelReport& kernel = kernel_report(report, "k", FormatId::f16, "rms");
    for (int i = 0; i < 3; ++i) add_broken_rule(kernel, "y[_,_] was not written, _ in all");
    add_broken_rule(kernel, "guard before row _ of y was overwritten");  // of which no finding is kept
    for (const int64_t index : {8, 2, 5}) {
        Finding finding = made_up_finding("k", index, -1, -1);
        finding.reason = fmt::format("y[0,{}] was not written, 2 in all", index);
        add_finding(report, finding);
    }
    const std::string text = to_text(report, 120, false);
    EXPECT_TRUE(contains(text, "  fail        3 calls, the first: y[0,2] was not written, 2 in all\n")) << text;
    EXPECT_TRUE(contains(text, "  fail        1 call: guard before row _ of y was overwritten\n")) << text;
}

TEST(TextReport, ends_with_totals_and_verdict) {
    EXPECT_TRUE(to_text(made_up_report(), 120, false)
                    .ends_with("no pass at all: cpu/absent\n"
                               "fail  32 cases (2 more unsupported); rows: 1985 pass, 1 fail, 1 suspect, 1 outside, 1 "
                               "doubtful; 2 findings; 1 worse than\n      before; exit status 1\n"));
}

}  // namespace
}  // namespace normcheck
