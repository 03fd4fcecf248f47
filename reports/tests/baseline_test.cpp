// Baselines: what is kept comes back, as a text that is stable and small; what is none is refused with its place.
#include "reports/baseline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/error.hpp"
#include "reports/collect.hpp"
#include "reports/json.hpp"
#include "reports/tests/made_up.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

std::vector<Baseline> made_up_baselines() {
    return baselines_of(made_up_report().kernels);
}

std::string refusal(const std::string& text) {
    try {
        parse_baseline(text, "b.json");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Baseline, keeps_what_is_compared) {
    for (const Baseline& baseline : made_up_baselines()) {
        const std::string text = to_baseline_text(baseline);
        const Baseline again = parse_baseline(text, "b.json");
        EXPECT_EQ(to_baseline_text(again), text);
        ASSERT_EQ(again.formats.size(), baseline.formats.size());
        for (size_t i = 0; i < again.formats.size(); ++i) {
            const KernelReport &before = baseline.formats[i], &after = again.formats[i];
            EXPECT_EQ(after.kernel, before.kernel);
            EXPECT_EQ(after.contract, before.contract);
            EXPECT_EQ(after.inputs, before.inputs);
            EXPECT_EQ(verdict(after), verdict(before));
            for (size_t cell = 0; cell < regime_count; ++cell) {
                EXPECT_EQ(after.cells[cell].rows, before.cells[cell].rows);
                const auto &error = before.cells[cell].row_error, &kept = after.cells[cell].row_error;
                ASSERT_EQ(kept.has_value(), error.has_value());
                if (!error) continue;
                EXPECT_EQ(kept->value, error->value);
                EXPECT_EQ(kept->case_line, error->case_line);
            }
        }
    }
}

TEST(Baseline, keeps_an_infinite_error) {
    Baseline baseline = made_up_baselines()[0];
    baseline.formats[0].cells[static_cast<size_t>(Regime::ordinary)].row_error->value =
        std::numeric_limits<double>::infinity();
    const Baseline again = parse_baseline(to_baseline_text(baseline), "b.json");
    EXPECT_TRUE(std::isinf(again.formats[0].cells[static_cast<size_t>(Regime::ordinary)].row_error->value));
}

TEST(Baseline, says_nothing_of_when_and_where) {
    Report report = made_up_report();
    report.kernels[0].cells[static_cast<size_t>(Regime::ordinary)].row_error->value = 0.59814453125;
    const std::string text = to_baseline_text(baselines_of(report.kernels)[0]);
    EXPECT_EQ(text.find(report.context.started), std::string::npos);
    EXPECT_EQ(text.find(report.context.cpu), std::string::npos);
    EXPECT_NE(text.find("\"value\": 0.59814453125"), std::string::npos) << "decimal numbers\n" << text;
}

TEST(Baseline, witnesses_are_named_once) {
    const Baseline baseline = made_up_baselines()[0];
    const std::vector<std::string> lines = witnesses_of(baseline.formats[0]);
    ASSERT_FALSE(lines.empty());
    for (size_t i = 0; i < lines.size(); ++i)
        for (size_t j = 0; j < i; ++j) EXPECT_NE(lines[i], lines[j]);
    const auto& error = baseline.formats[0].cells[static_cast<size_t>(Regime::ordinary)].row_error;
    EXPECT_NE(std::ranges::find(lines, error->case_line), lines.end());
}

TEST(Baseline, refuses_what_is_none) {
    const std::string text = to_baseline_text(made_up_baselines()[1]);
    EXPECT_EQ(refusal(text), "accepted");
    EXPECT_EQ(refusal("[1]"), "b.json: expected a baseline, as `normcheck baseline` writes it, found something else");
    EXPECT_EQ(refusal(to_json_text(made_up_report())),
              "b.json: expected a baseline, as `normcheck baseline` writes it, found a report");
    EXPECT_NE(refusal(text.substr(0, text.size() / 2)).find("b.json: line "), std::string::npos);
    EXPECT_EQ(refusal(replaced(text, "\"baseline\": 1", "\"baseline\": 7")),
              "b.json: /baseline: expected version 1 (`normcheck baseline` makes it anew), found 7");
    EXPECT_EQ(refusal(replaced(text, "\"verdict\": \"fail\"", "\"verdict\": \"pass\"")),
              "b.json: /formats/0/verdict: expected \"fail\", as follows from the rows, found \"pass\"");
    EXPECT_NE(refusal(replaced(text, "\"regime\": \"transition\"", "\"regime\": \"transitory\""))
                  .find("/regime: expected a regime"),
              std::string::npos);
    EXPECT_NE(refusal(replaced(text, "\"value\": ", "\"value\": -")).find("/value: expected a number from 0 on"),
              std::string::npos);
    EXPECT_NE(refusal(replaced(text, "\"pass\": ", "\"passes\": ")).find("/rows: expected counts by verdict"),
              std::string::npos);
}

TEST(Records, come_from_reports_and_baselines) {
    const Report report = made_up_report();
    EXPECT_EQ(parse_records(to_json_text(report), "r.json"), report.kernels);
    const Baseline baseline = made_up_baselines()[0];
    EXPECT_EQ(parse_records(to_baseline_text(baseline), "b.json").size(), baseline.formats.size());
}

}  // namespace
}  // namespace normcheck
