// Timings: the order of pieces, medians and spreads.
#include "harness/bench/measure.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/bench/pinning.hpp"
#include "harness/bench/table.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

Work sum_of(int64_t count) {
    return [count] {
        volatile double sum = 0;
        for (int64_t i = 0; i < count; ++i) sum = sum + 1;
        return sum;
    };
}

TEST(Measure, GivesEachPieceItsOwnTime) {
    std::vector<Work> pieces;
    for (const int64_t count : {100, 10000, 1000, 100000}) pieces.push_back(sum_of(count));
    for (int run = 0; run < 2; ++run) {
        const std::vector<Timing> timings = measure(pieces, {.repetitions = 3, .seconds = 1e-4});
        ASSERT_EQ(timings.size(), 4U);
        for (const Timing& timing : timings) EXPECT_EQ(timing.repetitions, 3);
        EXPECT_LT(timings[0].seconds, timings[2].seconds);
        EXPECT_LT(timings[2].seconds, timings[1].seconds);
        EXPECT_LT(timings[1].seconds, timings[3].seconds);
        EXPECT_GT(timings[0].seconds, 0);
    }
}

TEST(Measure, TellsTheClocksTimeWhereItIsAsked) {
    const std::vector<Work> sleeping{[] { return usleep(2000); }};
    const MeasureOptions options{.repetitions = 3, .seconds = 1e-4};
    EXPECT_LT(measure(sleeping, options)[0].seconds, 1e-3) << "processor time";
    EXPECT_GE(measure(sleeping, {options.repetitions, options.seconds, true})[0].seconds, 2e-3);
}

TEST(Measure, TakesTheMedianAndHalfTheDistanceOfTheQuartiles) {
    const Timing timing = timing_of({5, 1, 4, 2, 3});
    EXPECT_EQ(timing.seconds, 3);
    EXPECT_DOUBLE_EQ(timing.spread, 1.0 / 3);
    EXPECT_EQ(timing.repetitions, 5);
    EXPECT_EQ(timing.fastest, 1);
    EXPECT_EQ(timing.slowest, 5);
    EXPECT_EQ(divided(timing, 5).slowest, 1);
    EXPECT_EQ(timing_of({1, 2}).seconds, 1.5);
    EXPECT_EQ(timing_of({7}).spread, 0);
    EXPECT_EQ(divided(timing, 3).seconds, 1);
    EXPECT_THROW(timing_of({}), InternalError);
}

TEST(Measure, PinsToOneCore) {
    const std::optional<int> core = pin_to_current_core();
    ASSERT_TRUE(core);
    EXPECT_EQ(pin_to_current_core(), core);
}

TEST(Table, ShowsThreeDigits) {
    EXPECT_EQ(show_three_digits(1234.5), "1234");
    EXPECT_EQ(show_three_digits(12.345), "12.3");
    EXPECT_EQ(show_three_digits(1.2345), "1.23");
    EXPECT_EQ(show_three_digits(0.12345), "0.123");
    EXPECT_EQ(show_three_digits(1.2345e-5), "1.23e-05");
}

}  // namespace
}  // namespace normcheck
