// Comparison: every way in which something gets worse is seen, and what is only another draw of inputs accuses nobody.
#include "reports/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "reports/collect.hpp"
#include "reports/tests/made_up.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

constexpr size_t ordinary = static_cast<size_t>(Regime::ordinary);

/// One kernel that passes, with an error of 0.5 ulp in ordinary rows.
std::vector<KernelReport> one_kernel() {
    KernelReport record = made_up_report().kernels[0];
    record.cells[ordinary].row_error->value = 0.5;
    record.cells[ordinary].slack->value = 0.5;
    record.properties["sign_symmetry"] = {.held = 12};
    return {record};
}

using Edit = std::function<void(KernelReport&)>;

std::vector<Change> changes_after(const Edit& edit, const Edit& rerun = {}, double margin = default_margin) {
    const std::vector<KernelReport> base = one_kernel();
    std::vector<KernelReport> now = base, reruns;
    edit(now[0]);
    if (rerun) {
        reruns = base;
        rerun(reruns[0]);
    }
    return compare({base, now, reruns}, margin);
}

/// That there is one change, of this trend, in these words.
void expect_one(const std::vector<Change>& changes, Trend trend, std::optional<Regime> regime,
                const std::string& what) {
    ASSERT_EQ(changes.size(), 1u) << (changes.empty() ? "" : changes[1].what);
    EXPECT_EQ(changes[0].trend, trend) << changes[0].what;
    EXPECT_EQ(changes[0].regime, regime);
    EXPECT_EQ(changes[0].what, what);
}

Edit error_of(double value) {
    return [value](KernelReport& record) {
        record.cells[ordinary].row_error->value = value;
        record.cells[ordinary].row_error->case_line = "kernel=cpu/layer_two_pass cols=3";
        record.cells[ordinary].row_error->row = 2;
        record.cells[ordinary].row_error->element = 1;
    };
}

Edit both(const Edit& a, const Edit& b) {
    return [a, b](KernelReport& record) {
        a(record);
        b(record);
    };
}

void other_inputs(KernelReport& record) {
    record.inputs = "fedcba9876543210";
}

TEST(Compare, is_silent_where_nothing_changed) {
    EXPECT_TRUE(changes_after([](KernelReport&) {}).empty());
    EXPECT_TRUE(changes_after([](KernelReport&) {}, [](KernelReport&) {}).empty());
}

TEST(Compare, sees_an_error_that_grows_beyond_the_margin) {
    EXPECT_TRUE(changes_after(error_of(0.52)).empty());
    const std::vector<Change> changes = changes_after(error_of(0.53));
    expect_one(changes, Trend::worse, Regime::ordinary,
               "largest row error 0.5000 -> 0.5300 ulp, more than the margin of 5 % (row 2, element 1)");
    EXPECT_EQ(changes[0].case_line, "kernel=cpu/layer_two_pass cols=3");
    EXPECT_TRUE(changes_after(error_of(0.53), {}, 0.1).empty());
    EXPECT_EQ(changes_after(error_of(0.51), {}, 0.01).size(), 1u);
    EXPECT_EQ(changes_after(error_of(std::numeric_limits<double>::infinity())).size(), 1u);
    EXPECT_EQ(changes_after(error_of(std::numeric_limits<double>::quiet_NaN())).size(), 1u);
}

TEST(Compare, sees_an_error_that_only_a_witness_shows) {
    const std::vector<Change> changes = changes_after([](KernelReport&) {}, error_of(3));
    expect_one(changes, Trend::worse, Regime::ordinary,
               "largest row error 0.5000 -> 3.000 ulp, more than the margin of 5 % (row 2, element 1)");
}

TEST(Compare, accuses_nobody_of_another_draw) {
    const std::vector<Change> larger = changes_after(both(error_of(0.9), other_inputs), [](KernelReport&) {});
    expect_one(larger, Trend::other, std::nullopt,
               "ran other inputs than the baseline: only its witnesses are held to its errors; larger ones (ulp): "
               "ordinary 0.5000 -> 0.9000");
    // A smaller one is no improvement either, where the witness still gives the old one, or was not asked.
    EXPECT_EQ(changes_after(both(error_of(0.4), other_inputs), [](KernelReport&) {}).size(), 1u);
    EXPECT_EQ(changes_after(both(error_of(0.4), other_inputs)).size(), 1u);
}

TEST(Compare, holds_witnesses_to_their_errors_on_other_inputs_too) {
    const std::vector<Change> changes = changes_after(other_inputs, error_of(3));
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(changes[1].trend, Trend::worse);
}

TEST(Compare, shows_what_is_better) {
    expect_one(changes_after(error_of(0.25)), Trend::better, Regime::ordinary,
               "largest row error 0.5000 -> 0.2500 ulp (row 1279, element 5)");
}

TEST(Compare, sees_a_verdict_that_gets_worse) {
    const std::vector<Change> changes = changes_after([](KernelReport& record) {
        Cell& cell = record.cells[ordinary];
        --count(cell.rows, Verdict::pass);
        ++count(cell.rows, Verdict::fail);
    });
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(changes[0].what, "verdict pass -> fail");
    EXPECT_FALSE(changes[0].regime);
    EXPECT_EQ(changes[1].what, "verdict pass -> fail");
    EXPECT_EQ(changes[1].regime, Regime::ordinary);
    for (const Change& one : changes) EXPECT_EQ(one.trend, Trend::worse);
}

TEST(Compare, takes_the_case_of_a_worse_verdict_from_the_findings) {
    std::vector<Change> changes = changes_after([](KernelReport& record) {
        --count(record.cells[ordinary].rows, Verdict::pass);
        ++count(record.cells[ordinary].rows, Verdict::fail);
    });
    Finding other, shown;
    other.kernel = shown.kernel = changes[0].kernel;
    other.format = shown.format = changes[0].format;
    other.regime = Regime::extreme;
    other.case_line = "kernel=other";
    shown.regime = Regime::ordinary;
    shown.case_line = "kernel=shown";
    add_cases(changes, std::vector{other, shown});
    EXPECT_EQ(changes[0].case_line, "kernel=other");  // of the kernel as a whole any will do
    EXPECT_EQ(changes[1].case_line, "kernel=shown");
    shown.kernel = "cpu/rms_of_another";
    changes[1].case_line.clear();
    add_cases(changes, std::vector{shown});
    EXPECT_EQ(changes[1].case_line, "");
}

TEST(Compare, sees_a_broken_rule) {
    const std::vector<Change> changes =
        changes_after([](KernelReport& record) { add_broken_rule(record, "the guard after y was overwritten"); });
    ASSERT_EQ(changes.size(), 2u);
    EXPECT_EQ(changes[1].what, "broken rules that were not: the guard after y was overwritten");
    EXPECT_EQ(changes[1].trend, Trend::worse);
}

TEST(Compare, sees_another_contract) {
    const std::vector<Change> changes = changes_after([](KernelReport& record) { record.contract = "rms"; });
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].trend, Trend::worse);
    EXPECT_TRUE(changes[0].what.ends_with("-> 'rms'")) << changes[0].what;
}

TEST(Compare, sees_coverage_shrink) {
    const Edit no_rows = [](KernelReport& record) { record.cells[ordinary] = {}; };
    const std::vector<Change> gone = changes_after(no_rows);
    ASSERT_FALSE(gone.empty());
    EXPECT_EQ(gone.back().trend, Trend::worse);
    EXPECT_EQ(gone.back().what, "coverage: 1280 -> 0 rows that pass");
    // On other inputs a few rows fewer are the draw's.
    const auto fewer = [](int64_t rows) {
        return both(other_inputs,
                    [rows](KernelReport& record) { count(record.cells[ordinary].rows, Verdict::pass) = rows; });
    };
    EXPECT_EQ(changes_after(fewer(1000)).size(), 1u);
    EXPECT_EQ(changes_after(fewer(900)).size(), 2u);
    expect_one(changes_after([](KernelReport& record) { record.properties.clear(); }), Trend::worse, std::nullopt,
               "coverage: the property sign_symmetry held and is no longer asked");
}

TEST(Compare, tells_of_what_is_gone_and_what_is_new) {
    const std::vector<KernelReport> one = one_kernel();
    expect_one(compare({one, {}, {}}), Trend::worse, std::nullopt, "coverage: it is gone");
    expect_one(compare({{}, one, {}}), Trend::other, std::nullopt, "it is new: there is no baseline");
}

TEST(Compare, what_is_gone_fails_in_junit_too) {
    Report report;
    report.kernels = one_kernel();
    report.changes = {{"cpu/gone", FormatId::bf16, std::nullopt, Trend::worse, "coverage: it is gone", ""}};
    const std::string xml = to_junit(report);
    EXPECT_NE(xml.find("<testsuite name=\"cpu/gone bf16\" tests=\"1\" failures=\"1\""), std::string::npos) << xml;
}

TEST(Improved, records_what_is_smaller_and_no_small_steps_up) {
    const std::vector<KernelReport> base = one_kernel();
    std::vector<KernelReport> now = base;
    error_of(0.51)(now[0]);
    EXPECT_EQ(improved(base, now)[0].cells[ordinary].row_error, base[0].cells[ordinary].row_error);
    error_of(0.4)(now[0]);
    EXPECT_EQ(improved(base, now)[0].cells[ordinary].row_error->value, 0.4);
    EXPECT_EQ(improved({}, now), now);
}

}  // namespace
}  // namespace normcheck
