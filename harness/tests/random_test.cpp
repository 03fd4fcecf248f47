// The generator: known answers of Philox4x32-10, and values pinned so that no compiler may change them.
#include "harness/cases/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace normcheck {
namespace {

using Block = std::array<uint32_t, 4>;

// The three known answers that the authors publish with Random123 (kat_vectors, philox4x32 10).
TEST(Random, PhiloxGivesThePublishedKnownAnswers) {
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}), (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, FirstValuesArePinned) {
    EXPECT_EQ(random_value(0, 0, 0), 0xe169c58d6627e8d5u);
    EXPECT_EQ(random_value(1, 0, 0), 0xe50a0ebce3e80670u);
    EXPECT_EQ(random_value(1, 2, 3), 0x663eff4fde08bf52u);
}

TEST(Random, FirstGaussiansArePinned) {
    Stream stream{7, 0, 0};
    EXPECT_EQ(gaussian(stream), 0x1.942b8010d6decp-1);
    EXPECT_EQ(gaussian(stream), 0x1.c073e3a1b20d1p-2);
}

TEST(Random, ADrawDependsOnSeedStreamAndCounter) {
    EXPECT_NE(random_value(1, 2, 3), random_value(2, 2, 3));
    EXPECT_NE(random_value(1, 2, 3), random_value(1, 3, 3));
    EXPECT_NE(random_value(1, 2, 3), random_value(1, 2, 4));
    EXPECT_NE(random_value(1, 2, 3), random_value(1, 2 + (uint64_t{1} << 32), 3));
}

struct Moments {
    double mean = 0, variance = 0, kurtosis = 0;
};

Moments moments_of_gaussians(int count) {
    Stream stream{11, 5, 0};
    Moments moments;
    for (int i = 0; i < count; ++i) {
        const double value = gaussian(stream);
        moments.mean += value / count;
        moments.variance += value * value / count;
        moments.kurtosis += value * value * value * value / count;
    }
    return moments;
}

// Twelve uniforms have fourth moment 3 - 6 / (5 * 12) = 2.9. Bounds are four standard errors of 200000 draws.
TEST(Random, GaussiansHaveMeanZeroVarianceOneAndTheFourthMomentOfTwelveUniforms) {
    const Moments moments = moments_of_gaussians(200000);
    EXPECT_NEAR(moments.mean, 0, 0.009);
    EXPECT_NEAR(moments.variance, 1, 0.013);
    EXPECT_NEAR(moments.kurtosis, 2.9, 0.09);
}

TEST(Random, GaussiansUseBitsFarBelowTheSpacingOfF32) {
    Stream stream{3, 0, 0};
    int full = 0;
    for (int i = 0; i < 100; ++i) full += std::fmod(gaussian(stream) * 0x1p40, 1) != 0;
    EXPECT_GT(full, 90);
}

TEST(Random, UniformStaysInItsIntervalAndNextBelowReachesEveryValue) {
    Stream stream{5, 0, 0};
    int seen[7] = {};
    for (int i = 0; i < 1000; ++i) {
        const double value = uniform(stream);
        EXPECT_TRUE(value >= 0 && value < 1);
        ++seen[next_below(stream, 7)];
    }
    for (int count : seen) EXPECT_GT(count, 90);
}

}  // namespace
}  // namespace normcheck
