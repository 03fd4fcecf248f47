// Which findings come first and are kept: those that name a cause, kinds before repetitions, cases before rows.
#include "reports/finding_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reports/collect.hpp"

namespace normcheck {
namespace {

Finding finding_of(int64_t case_index, int64_t row, const std::string& reason) {
    Finding finding;
    finding.kernel = "k";
    finding.case_line = "kernel=k seed=" + std::to_string(case_index);
    finding.case_index = case_index;
    finding.row = row;
    finding.reason = reason;
    return finding;
}

std::vector<std::string> kept_reasons(const std::vector<Finding>& findings, int64_t cap) {
    Report report;
    report.finding_cap = cap;
    for (const Finding& one : findings) add_finding(report, one);
    std::vector<std::string> reasons;
    for (const Finding& one : report.findings) reasons.push_back(one.reason);
    return reasons;
}

constexpr const char* wrong = "y is outside its admissible set";
constexpr const char* placed = "property eps_response: row 0: y[3] is 1: wrong; it obeys eps_at=outside";
constexpr const char* scaled = "property power_of_two_scaling: y[3] is 1 for x 2^0, but 2 for x 2^1";

TEST(FindingOrder, a_property_that_names_the_cause_stands_before_all_else) {
    const std::vector<Finding> all{finding_of(0, 0, wrong), finding_of(0, -1, "guard after row 0 was overwritten"),
                                   finding_of(1, -1, "property admissible: row 0: wrong"), finding_of(7, -1, scaled),
                                   finding_of(9, -1, placed)};
    EXPECT_EQ(kept_reasons(all, 10), (std::vector<std::string>{placed, scaled, "guard after row 0 was overwritten",
                                                               wrong, "property admissible: row 0: wrong"}));
    EXPECT_EQ(kept_reasons(all, 2), (std::vector<std::string>{placed, scaled}));
}

TEST(FindingOrder, a_property_that_repeats_the_judgement_stands_behind_the_row) {
    const char* repeats = "property batch_independence: row 0: y[3] is 1: y is outside its admissible set";
    EXPECT_EQ(kept_reasons({finding_of(0, -1, repeats), finding_of(1, 0, wrong)}, 10),
              (std::vector<std::string>{wrong, repeats}));
}

TEST(FindingOrder, a_diagnosis_stands_before_the_same_property_without_one) {
    const char* plain = "property eps_response: row 0: y[3] is 1: wrong";
    EXPECT_EQ(kept_reasons({finding_of(0, -1, plain), finding_of(1, -1, placed)}, 10),
              (std::vector<std::string>{placed, plain}));
}

TEST(FindingOrder, every_kind_is_there_once_before_one_is_there_twice) {
    std::vector<Finding> all;
    for (int64_t i = 0; i < 8; ++i) all.push_back(finding_of(i, 0, wrong));
    all.push_back(finding_of(9, 0, "NaN where a number is due"));
    EXPECT_EQ(kept_reasons(all, 3), (std::vector<std::string>{"NaN where a number is due", wrong, wrong}));
}

TEST(FindingOrder, one_case_does_not_take_the_places_of_others) {
    Report report;
    report.finding_cap = 3;
    for (int64_t row = 0; row < 9; ++row) add_finding(report, finding_of(0, row, wrong));
    for (const int64_t index : {4, 2}) add_finding(report, finding_of(index, 0, wrong));
    ASSERT_EQ(report.findings.size(), 3U);
    EXPECT_EQ(report.findings[0].case_index, 0);
    EXPECT_EQ(report.findings[0].row, 0);
    EXPECT_EQ(report.findings[1].case_index, 2);
    EXPECT_EQ(report.findings[2].case_index, 4);
}

TEST(FindingOrder, a_suspect_row_stands_behind_a_failing_one) {
    Finding suspect = finding_of(0, 0, "beyond the probabilistic bound");
    suspect.verdict = Verdict::suspect;
    EXPECT_EQ(kept_reasons({suspect, finding_of(3, 0, wrong)}, 1), (std::vector<std::string>{wrong}));
}

std::vector<Finding> many_findings() {
    std::vector<Finding> all;
    std::mt19937 random(5);
    const char* reasons[] = {wrong, placed, scaled, "y[1,2] was not written", "y[3,4] was not written", "a", "b"};
    for (int i = 0; i < 200; ++i)
        all.push_back(finding_of(random() % 12, static_cast<int64_t>(random() % 9), reasons[random() % 7]));
    std::ranges::sort(all, {}, [](const Finding& f) { return std::tie(f.case_index, f.row, f.reason); });
    const auto same = std::ranges::unique(all);
    all.erase(same.begin(), same.end());
    return all;
}

Report gathered(const std::vector<Finding>& all, size_t parts, int64_t cap) {
    Report whole;
    whole.finding_cap = cap;
    for (size_t part = 0; part < parts; ++part) {
        Report own;
        own.finding_cap = cap;
        for (size_t i = part; i < all.size(); i += parts) add_finding(own, all[i]);
        merge(whole, own);
    }
    return whole;
}

TEST(FindingOrder, what_is_kept_does_not_depend_on_order_and_parts) {
    std::vector<Finding> all = many_findings();
    std::mt19937 random(6);
    for (const int64_t cap : {1, 4, 10, 23}) {
        const Report whole = gathered(all, 1, cap);
        EXPECT_EQ(whole.findings.size(), static_cast<size_t>(cap));
        for (size_t parts = 1; parts < 9; ++parts) {
            std::ranges::shuffle(all, random);
            EXPECT_EQ(gathered(all, parts, cap).findings, whole.findings) << parts << " parts, " << cap << " kept";
        }
    }
}

TEST(FindingOrder, a_rule_without_its_place_keeps_its_words) {
    EXPECT_EQ(rule_without_place("y[13,5] was not written, 2 in all"), "y[_,_] was not written, _ in all");
    EXPECT_EQ(rule_without_place("x is f16, x87 precision, 12"), "x is f16, x87 precision, _");
    EXPECT_EQ(rule_without_place(""), "");
}

TEST(FindingOrder, a_kind_is_a_property_or_a_reason_without_its_place) {
    EXPECT_EQ(kind_of_reason(placed), "property eps_response");
    EXPECT_EQ(kind_of_reason("y[13,5] was not written"), "y[_,_] was not written");
}

}  // namespace
}  // namespace normcheck
