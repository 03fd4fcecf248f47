// Tests of collecting: what is counted where, and that no result depends on the order.
#include "reports/collect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "oracles/error.hpp"
#include "reports/tests/made_up.hpp"

namespace normcheck {
namespace {

const Cell& ordinary(const KernelReport& report) {
    return report.cells[static_cast<size_t>(Regime::ordinary)];
}

TEST(AddRow, counts_under_regime_and_verdict) {
    KernelReport report;
    add_row(report, made_up_row(1), "a", 0, 0);
    add_row(report, made_up_row(1, Regime::ordinary, Verdict::fail), "a", 0, 1);
    EXPECT_EQ(ordinary(report).rows, (VerdictCounts{1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(ordinary(report).outputs, 16);
    EXPECT_EQ(report.cells[static_cast<size_t>(Regime::special)], Cell{});
}

TEST(AddRow, keeps_the_largest_error_and_its_place) {
    KernelReport report;
    add_row(report, made_up_row(1), "a", 0, 0);
    add_row(report, made_up_row(3), "b", 1, 7);
    add_row(report, made_up_row(2), "c", 2, 0);
    EXPECT_EQ(ordinary(report).row_error, (Peak{3, "b", 1, 7, 5}));
    EXPECT_EQ(ordinary(report).element_error, (Peak{3, "b", 1, 7, -1}));
}

TEST(AddRow, gives_ties_to_the_first_case_and_row) {
    KernelReport report;
    add_row(report, made_up_row(1), "b", 1, 2);
    add_row(report, made_up_row(1), "a", 0, 3);
    add_row(report, made_up_row(1), "a", 0, 1);
    EXPECT_EQ(ordinary(report).row_error, (Peak{1, "a", 0, 1, 5}));
}

TEST(AddRow, takes_a_nan_for_the_largest_error) {
    KernelReport report;
    add_row(report, made_up_row(std::nan("")), "a", 0, 0);
    add_row(report, made_up_row(1e300), "b", 1, 0);
    EXPECT_EQ(ordinary(report).row_error->value, std::numeric_limits<double>::infinity());
    EXPECT_EQ(ordinary(report).row_error->case_line, "a");
}

TEST(AddRow, counts_rows_outside_and_doubtful_but_measures_nothing_on_them) {
    for (const Verdict verdict : {Verdict::outside, Verdict::doubtful}) {
        KernelReport report;
        RowResult row = made_up_row(1e9, Regime::ordinary, verdict);
        row.reason = "why";
        add_row(report, row, "a", 0, 0);
        EXPECT_EQ(count(ordinary(report).rows, verdict), 1);
        EXPECT_FALSE(ordinary(report).row_error);
        EXPECT_EQ(ordinary(report).outputs, 0);
        EXPECT_TRUE(report.worst.empty());
        EXPECT_EQ(report.reasons[static_cast<size_t>(verdict)], (ReasonCounts{{"why", 1}}));
    }
}

TEST(AddRow, reports_the_absolute_error_of_rows_of_zeros_alone) {
    KernelReport report;
    RowResult row = made_up_row(0);
    row.row_error.reset();
    row.absolute_error = 1e-30;
    row.element_error = 0;
    add_row(report, row, "a", 0, 0);
    EXPECT_EQ(ordinary(report).absolute_error->value, 1e-30);
    EXPECT_FALSE(ordinary(report).row_error);
    EXPECT_FALSE(ordinary(report).element_error);
    EXPECT_FALSE(ordinary(report).slack);
}

TEST(AddRow, refuses_the_verdict_unsupported) {
    KernelReport report;
    EXPECT_THROW(add_row(report, made_up_row(1, Regime::ordinary, Verdict::unsupported), "a", 0, 0), InternalError);
}

TEST(Distributions, count_rows_by_ratio_length_and_error) {
    KernelReport report;
    RowResult row = made_up_row(0.5);
    row.log2_ratio = -3.25;
    row.outputs = 100;
    add_row(report, row, "a", 0, 0);
    row.row_error = 3;
    row.verdict = Verdict::fail;
    add_row(report, row, "a", 0, 1);
    EXPECT_EQ(report.by_ratio, (std::map<int64_t, Bin>{{-4, {2, 1, 3}}}));
    EXPECT_EQ(report.by_length, (std::map<int64_t, Bin>{{64, {2, 1, 3}}}));
    EXPECT_EQ(report.by_error, (std::map<double, Bin>{{0.5, {1, 0, 0.5}}, {4, {1, 1, 3}}}));
}

TEST(Distributions, leave_out_rows_without_a_row_error_and_offset_rows_where_they_would_hide_others) {
    KernelReport report;
    RowResult row = made_up_row(1e6, Regime::offset);
    add_row(report, row, "a", 0, 0);
    EXPECT_TRUE(report.by_ratio.empty());
    EXPECT_TRUE(report.by_length.empty());
    EXPECT_EQ(report.by_error.size(), 1U);
    row.row_error.reset();
    add_row(report, row, "a", 0, 1);
    EXPECT_EQ(report.by_error.begin()->second.rows, 1);
}

TEST(Distributions, take_a_nan_for_an_infinite_error) {
    KernelReport report;
    add_row(report, made_up_row(std::nan("")), "a", 0, 0);
    ASSERT_EQ(report.by_error.size(), 1U);
    EXPECT_TRUE(std::isinf(report.by_error.begin()->first));
    EXPECT_TRUE(std::isinf(report.by_ratio.begin()->second.row_error));
}

TEST(WorstCases, of_two_runs_are_not_taken_for_one_because_their_cases_have_the_same_index) {
    KernelReport report;
    add_row(report, made_up_row(2), "of one run", 0, 0);
    add_row(report, made_up_row(1), "of another", 0, 0);
    EXPECT_EQ(report.worst.size(), 2U);
}

TEST(WorstCases, hold_one_row_per_case_largest_first) {
    KernelReport report;
    for (int64_t index = 0; index < 20; ++index)
        for (int64_t row = 0; row < 3; ++row)
            add_row(report, made_up_row(static_cast<double>(index * 10 + row)), "c", index, row);
    ASSERT_EQ(report.worst.size(), worst_case_count);
    EXPECT_EQ(report.worst[0].row_error, (Peak{192, "c", 19, 2, 5}));
    EXPECT_EQ(report.worst[7].row_error, (Peak{122, "c", 12, 2, 5}));
}

TEST(Merge, refuses_another_kernel_or_format) {
    KernelReport a, b, c;
    b.kernel = "b";
    c.format = FormatId::f16;
    EXPECT_THROW(merge(a, b), InternalError);
    EXPECT_THROW(merge(a, c), InternalError);
}

struct Piece {
    RowResult row;
    int64_t case_index;
    int64_t index;
};

// Few distinct errors, so that ties are frequent.
std::vector<Piece> many_pieces() {
    std::vector<Piece> pieces;
    std::mt19937 random(1);
    for (int64_t i = 0; i < 300; ++i) {
        const Verdict verdict = static_cast<Verdict>(random() % 5);
        RowResult row = made_up_row(random() % 4, static_cast<Regime>(random() % regime_count), verdict);
        row.reason = verdict == Verdict::pass ? "" : "reason " + std::to_string(random() % 3);
        row.slack = random() % 3;
        row.element_error = random() % 9;
        row.worst = i % 8;
        row.short_row = random() % 4 == 0;
        row.cancelled = random() % 4;
        row.outputs = 1 + random() % 70;
        row.log2_ratio = static_cast<double>(random() % 120) - 60;
        if (random() % 8 == 0) row.row_error.reset();
        pieces.push_back({row, i / 10, i % 10});
    }
    return pieces;
}

void add_piece(Report& report, const Piece& piece) {
    KernelReport& kernel = kernel_report(report, "k", FormatId::f16, "rms");
    add_case(kernel);
    add_row(kernel, piece.row, "case " + std::to_string(piece.case_index), piece.case_index, piece.index);
    if (piece.row.verdict == Verdict::fail) add_finding(report, made_up_finding("k", piece.case_index, piece.index, 2));
    if (piece.index == 3) add_refusal(kernel, "odd");
    if (piece.index == 4) add_broken_rule(kernel, "guard");
}

Report in_parts(const std::vector<Piece>& pieces, size_t parts) {
    std::vector<Report> reports(parts);
    for (size_t i = 0; i < pieces.size(); ++i) add_piece(reports[i * i % parts], pieces[i]);
    Report result;
    for (Report& part : reports) merge(result, std::move(part));
    return result;
}

TEST(Merge, gives_the_same_report_in_any_order_and_any_parts) {
    std::vector<Piece> pieces = many_pieces();
    Report whole;
    for (const Piece& piece : pieces) add_piece(whole, piece);
    EXPECT_EQ(whole.findings.size(), 10u);
    EXPECT_GT(count(whole.kernels[0].findings, Verdict::fail), 10);
    std::mt19937 random(2);
    for (size_t parts = 1; parts < 12; ++parts) {
        std::shuffle(pieces.begin(), pieces.end(), random);
        EXPECT_EQ(in_parts(pieces, parts), whole) << parts << " parts";
    }
}

TEST(Merge, adds_counts_of_properties) {
    KernelReport into, from;
    into.properties["a"] = {.held = 2, .violated = 1};
    from.properties["a"] = {.held = 3, .not_applicable = 4};
    from.properties["b"] = {.violated = 5};
    merge(into, from);
    EXPECT_EQ(into.properties["a"], (PropertyCounts{.held = 5, .violated = 1, .not_applicable = 4}));
    EXPECT_EQ(into.properties["b"], (PropertyCounts{.violated = 5}));
}

TEST(Merge, adds_skipped_cases) {
    KernelReport into, from;
    into.skipped_cases = 2;
    from.skipped_cases = 3;
    merge(into, from);
    EXPECT_EQ(into.skipped_cases, 5);
}

TEST(AddFinding, keeps_the_first_ones_and_counts_all) {
    Report report;
    report.finding_cap = 2;
    for (const int64_t index : {5, 3, 9, 1}) add_finding(report, made_up_finding("k", index, 0, 0));
    add_finding(report, made_up_finding("other", 7, 0, 0));
    ASSERT_EQ(report.findings.size(), 3u);
    EXPECT_EQ(report.findings[0].case_index, 1);
    EXPECT_EQ(report.findings[1].case_index, 3);
    EXPECT_EQ(report.findings[2].kernel, "other");
    EXPECT_EQ(count(report.kernels[0].findings, Verdict::fail), 4);
}

TEST(KernelReports, stand_in_the_order_in_which_they_were_named) {
    Report report;
    kernel_report(report, "z", FormatId::f32, "rms");
    kernel_report(report, "a", FormatId::f32, "rms");
    kernel_report(report, "z", FormatId::f32, "rms").cases = 4;
    ASSERT_EQ(report.kernels.size(), 2u);
    EXPECT_EQ(report.kernels[0].kernel, "z");
    EXPECT_EQ(report.kernels[0].cases, 4);
}

TEST(Describe, gives_values_as_hex_floats_beside_their_codes) {
    const Finding finding = made_up_finding("k", 0, 0, 17);
    EXPECT_EQ(finding.output, "y");
    EXPECT_EQ(finding.element, 17);
    EXPECT_EQ(finding.numbers->target, (CodedValue{"0x1.8p+0", 0x3e00}));
    EXPECT_EQ(finding.numbers->lowest, (CodedValue{"0x1.7fcp+0", 0x3dff}));
    EXPECT_EQ(finding.numbers->highest, (CodedValue{"0x1.804p+0", 0x3e01}));
    EXPECT_EQ(finding.numbers->got, (CodedValue{"0x1.9p+0", 0x3e40}));
}

}  // namespace
}  // namespace normcheck
