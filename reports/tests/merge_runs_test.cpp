// Tests of several reports in one.
#include "reports/merge_runs.hpp"

#include <gtest/gtest.h>

#include "oracles/error.hpp"
#include "reports/tests/made_up.hpp"

namespace normcheck {
namespace {

Report other_run() {
    Report report = made_up_report();
    report.context.command = "normcheck fuzz";
    report.context.started = "2025-01-30T12:00:00Z";
    report.context.seed = 8;
    report.finding_cap = 20;
    report.strict = true;
    return report;
}

std::string refusal(std::vector<NamedReport> reports) {
    try {
        merge_runs(std::move(reports));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(MergeRuns, leaves_one_as_it_is) {
    EXPECT_EQ(merge_runs({{"a", made_up_report()}}), made_up_report());
}

TEST(MergeRuns, adds_records_and_tells_both_contexts) {
    const Report whole = merge_runs({{"a", made_up_report()}, {"b", other_run()}});
    const Report one = made_up_report();
    EXPECT_EQ(whole.kernels.size(), one.kernels.size());
    EXPECT_EQ(whole.kernels[0].cases, 2 * one.kernels[0].cases);
    EXPECT_EQ(whole.kernels[0].by_error.begin()->second.rows, 2 * one.kernels[0].by_error.begin()->second.rows);
    EXPECT_EQ(whole.findings.size(), 2 * one.findings.size());
    EXPECT_EQ(whole.context.command, one.context.command + "; normcheck fuzz");
    EXPECT_EQ(whole.context.started, "2025-01-30T12:00:00Z");
    EXPECT_EQ(whole.context.seconds, 2 * one.context.seconds);
    EXPECT_FALSE(whole.context.seed.has_value());
    EXPECT_EQ(whole.context.version, one.context.version);
    EXPECT_EQ(whole.finding_cap, 20);
    EXPECT_TRUE(whole.strict);
}

TEST(MergeRuns, refuses_the_same_run_twice) {
    EXPECT_EQ(refusal({{"a.json", made_up_report()}, {"b.json", made_up_report()}}),
              "a.json and b.json are the same run; expected each run once");
}

TEST(MergeRuns, refuses_two_contracts_of_one_kernel) {
    Report other = other_run();
    other.kernels[0].contract = "rms";
    EXPECT_TRUE(refusal({{"a.json", made_up_report()}, {"b.json", other}})
                    .starts_with("cpu/layer_two_pass has another contract in b.json than in a.json: expected 'layer "));
}

}  // namespace
}  // namespace normcheck
