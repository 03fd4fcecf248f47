// Tests of the numbers in reports: hex floats, errors rounded up, percents that are 100 only when exact.
#include "reports/numbers.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "reports/hex_float.hpp"

namespace normcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(HexFloat, shows_values_short_and_normalised) {
    EXPECT_EQ(hex_float(3), "0x1.8p+1");
    EXPECT_EQ(hex_float(1), "0x1p+0");
    EXPECT_EQ(hex_float(-0.15625), "-0x1.4p-3");
    EXPECT_EQ(hex_float(std::numeric_limits<double>::denorm_min()), "0x1p-1074");
    EXPECT_EQ(hex_float(std::numeric_limits<double>::max()), "0x1.fffffffffffffp+1023");
}

TEST(HexFloat, spells_zeros_and_special_values) {
    EXPECT_EQ(hex_float(0.0), "0x0p+0");
    EXPECT_EQ(hex_float(-0.0), "-0x0p+0");
    EXPECT_EQ(hex_float(infinity), "inf");
    EXPECT_EQ(hex_float(-infinity), "-inf");
    EXPECT_EQ(hex_float(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(HexFloat, reads_back_to_the_same_value) {
    for (const double value : {0.1, 1e-310, 1e300, -2.0 / 3, 5e-324, 2.2250738585072014e-308})
        EXPECT_EQ(std::strtod(hex_float(value).c_str(), nullptr), value);
}

TEST(ShowError, gives_four_digits) {
    EXPECT_EQ(show_error(0.5), "0.5000");
    EXPECT_EQ(show_error(12.25), "12.25");
    EXPECT_EQ(show_error(1235), "1235");
    EXPECT_EQ(show_error(0.001234), "0.001234");
    EXPECT_EQ(show_error(123400), "123400");
}

TEST(ShowError, rounds_up_never_down) {
    EXPECT_EQ(show_error(0.50000001), "0.5001");
    EXPECT_EQ(show_error(9.9991), "10.00");
    EXPECT_EQ(show_error(999999), "1.000e+06");
    EXPECT_EQ(show_error(12345), "12350");
}

TEST(ShowError, turns_to_powers_of_ten_at_the_ends) {
    EXPECT_EQ(show_error(1.25e-30), "1.250e-30");
    EXPECT_EQ(show_error(1.5e100), "1.500e+100");
    EXPECT_EQ(show_error(5e-324), "4.941e-324");
    EXPECT_EQ(show_error(0), "0");
    EXPECT_EQ(show_error(infinity), "inf");
}

TEST(ShowPercent, reaches_the_ends_only_exactly) {
    EXPECT_EQ(show_percent(1000000, 1000000), "100");
    EXPECT_EQ(show_percent(999999, 1000000), "99.9999");
    EXPECT_EQ(show_percent(9999999999, 10000000000), "99.99999999");
    EXPECT_EQ(show_percent(0, 7), "0");
    EXPECT_EQ(show_percent(1, 1000000), "0.0001");
}

TEST(ShowPercent, has_two_decimals_in_between_and_a_dash_for_nothing) {
    EXPECT_EQ(show_percent(2, 3), "66.67");
    EXPECT_EQ(show_percent(0, 0), "-");
}

TEST(ShowCount, knows_one_from_many) {
    EXPECT_EQ(show_count(1, "row", "rows"), "1 row");
    EXPECT_EQ(show_count(0, "row", "rows"), "0 rows");
}

}  // namespace
}  // namespace normcheck
