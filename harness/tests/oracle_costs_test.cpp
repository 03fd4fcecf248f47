// The figures of `bench oracle`: what they are taken from, and how they are held to the targets.
#include "harness/bench/oracle_costs.hpp"

#include <gtest/gtest.h>

#include "harness/bench/oracle_text.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

/// Seconds per row of every competitor in the order of Competitor.
OracleCosts costs_of(Norm norm, FormatId format, int64_t cols, std::array<double, competitor_count> seconds) {
    OracleCosts costs{{norm, format, cols}, "cpu/rms", "rms", {}, 1000000, 10};
    for (size_t i = 0; i < seconds.size(); ++i) costs.per_row[i] = Timing{seconds[i], 0.01, 21};
    return costs;
}

TEST(OracleCosts, TargetsTakeTheWorstOfTheWideRowsInShortFormats) {
    const std::vector<OracleCosts> costs{costs_of(Norm::rms, FormatId::f32, 64, {1, 1, 9, 9, 9, 9}),
                                         costs_of(Norm::rms, FormatId::f32, 768, {1, 1, 2, 9, 9, 500}),
                                         costs_of(Norm::layer, FormatId::bf16, 4096, {1, 2, 5, 9, 9, 1005}),
                                         costs_of(Norm::rms, FormatId::f64, 4096, {1, 1, 9, 9, 9, 9})};
    const std::vector<OracleTarget> targets = oracle_targets(costs);
    ASSERT_EQ(targets.size(), 3U);
    EXPECT_EQ(targets[0].got, 2.5);
    EXPECT_EQ(text_of(targets[0].worst), "layer bf16 4096");
    EXPECT_TRUE(targets[0].met);
    EXPECT_EQ(targets[1].got, 201);
    EXPECT_TRUE(targets[1].met);
    EXPECT_EQ(targets[2].got, 1e-5);
    EXPECT_TRUE(targets[2].met);
}

TEST(OracleCosts, TargetsCanBeMissed) {
    OracleCosts costs = costs_of(Norm::layer, FormatId::f32, 768, {1, 1, 3.01, 9, 9, 3.01 * 199});
    costs.undecided = 100;
    for (const OracleTarget& target : oracle_targets(std::vector{costs})) EXPECT_FALSE(target.met) << target.key;
}

TEST(OracleCosts, ARatioNeedsBothCompetitors) {
    OracleCosts costs = costs_of(Norm::rms, FormatId::f64, 64, {1, 2, 3, 4, 5, 6});
    costs.per_row[0].reset();
    EXPECT_EQ(costs.ratio(Competitor::certified, Competitor::plain), 1.5);
    EXPECT_THROW(costs.ratio(Competitor::kernel, Competitor::plain), InternalError);
}

/// The judge's errors are good to the digits that reports print.
void expect_equal_findings(OracleSubject& subject) {
    const double found = subject.run(Competitor::mpfr);
    EXPECT_GT(found, 0);
    EXPECT_EQ(subject.run(Competitor::bin_float), found);
    EXPECT_NEAR(subject.run(Competitor::plain), found, 1e-12);
    EXPECT_NEAR(subject.run(Competitor::exact), found, 1e-3 * found);
    EXPECT_EQ(subject.run(Competitor::certified), subject.run(Competitor::exact));
}

TEST(OracleSubject, AllFindTheSameAndBothOraclesPassTheRows) {
    for (const FormatId id : {FormatId::f32, FormatId::bf16, FormatId::f64}) {
        for (const Norm norm : {Norm::rms, Norm::layer}) {
            OracleSubject subject({norm, id, 64}, 1);
            EXPECT_NO_THROW(subject.require_pass());
            EXPECT_EQ(subject.has(Competitor::kernel), id != FormatId::f64);
            expect_equal_findings(subject);
        }
    }
}

}  // namespace
}  // namespace normcheck
