// Tests of the bins of distributions: their ends, and which end counts.
#include "reports/bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(RatioBin, is_two_wide_and_begins_at_its_even_lower_end) {
    EXPECT_EQ(ratio_bin(0), 0);
    EXPECT_EQ(ratio_bin(1.99), 0);
    EXPECT_EQ(ratio_bin(2), 2);
    EXPECT_EQ(ratio_bin(-0.001), -2);
    EXPECT_EQ(ratio_bin(-2), -2);
}

TEST(RatioBin, holds_all_beyond_the_ends) {
    EXPECT_EQ(ratio_bin(-48), -48);
    EXPECT_EQ(ratio_bin(std::nextafter(-48.0, -100)), lowest_ratio_bin);
    EXPECT_EQ(ratio_bin(-infinity), lowest_ratio_bin);
    EXPECT_EQ(ratio_bin(47.9), 46);
    EXPECT_EQ(ratio_bin(infinity), highest_ratio_bin);
    EXPECT_THROW(ratio_bin(std::nan("")), InternalError);
}

TEST(LengthBin, is_the_power_of_two_at_or_below) {
    EXPECT_EQ(length_bin(1), 1);
    EXPECT_EQ(length_bin(3), 2);
    EXPECT_EQ(length_bin(4), 4);
    EXPECT_EQ(length_bin(65537), 65536);
    EXPECT_THROW(length_bin(0), InternalError);
}

TEST(ErrorBin, holds_its_upper_end) {
    EXPECT_EQ(error_bin(0), 0);
    EXPECT_EQ(error_bin(std::numeric_limits<double>::denorm_min()), 0.125);
    EXPECT_EQ(error_bin(0.5), 0.5);
    EXPECT_EQ(error_bin(std::nextafter(0.5, 1)), 0.625);
    EXPECT_EQ(error_bin(0x1p20), 0x1p20);
    EXPECT_EQ(error_bin(std::nextafter(0x1p20, infinity)), infinity);
    EXPECT_EQ(error_bin(infinity), infinity);
}

TEST(ErrorBin, ends_ascend) {
    EXPECT_TRUE(std::ranges::is_sorted(error_bins(), std::less_equal<>()));
}

}  // namespace
}  // namespace normcheck
