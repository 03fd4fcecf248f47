// Exact sums against the same sums term by term in exact numbers.
#include "oracles/sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "oracles/tests/twin_rows.hpp"

namespace normcheck {
namespace {

using twin::Draw;

struct Plain {
    Dyadic sum, squares, magnitudes;
};

Plain plain_sums(const std::vector<Pair>& values) {
    Plain result;
    for (const Pair& value : values) {
        const Dyadic exact = dyadic(value.hi) + dyadic(value.lo);
        result.sum = result.sum + exact;
        result.squares = result.squares + exact * exact;
        result.magnitudes = result.magnitudes + abs(exact);
    }
    return result;
}

// Whether the long double, which may be past every double, is at least the exact number.
bool is_at_least(Upper bound, const Dyadic& exact) {
    int exponent = 0;
    const long double fraction = std::frexp(bound.value, &exponent);
    const auto hi = static_cast<double>(fraction);
    const auto lo = static_cast<double>(fraction - hi);
    return !(dyadic(hi) + dyadic(lo) < Dyadic{exact.mantissa, exact.exponent - exponent});
}

double wide_double(Draw& draw) {
    const double value = std::ldexp(draw.bell(), static_cast<int>(draw.below(2090)) - 1070);
    return std::isfinite(value) ? value : 1e300;
}

std::vector<Pair> wide_values(Draw& draw, bool with_low) {
    std::vector<Pair> values(1 + static_cast<size_t>(draw.below(40)));
    for (Pair& value : values) {
        value.hi = wide_double(draw);
        if (with_low && draw.chance(50)) value.lo = value.hi * 0x1p-54 * draw.bell();
    }
    return values;
}

void expect_exact(const std::vector<Pair>& values) {
    const RowSums sums = row_sums(values);
    const Plain plain = plain_sums(values);
    EXPECT_EQ(compare(sums.sum, plain.sum), 0);
    EXPECT_EQ(compare(sums.sum_of_squares, plain.squares), 0);
    EXPECT_TRUE(is_at_least(sums.sum_of_magnitudes, plain.magnitudes));
    EXPECT_EQ(sums.n, static_cast<int64_t>(values.size()));
}

TEST(RowSums, are_exact_over_the_whole_range_of_f64) {
    for (uint64_t k = 0; k < 300; ++k) {
        Draw draw(11, k);
        expect_exact(wide_values(draw, false));
    }
}

TEST(RowSums, are_exact_where_values_are_pairs) {
    for (uint64_t k = 0; k < 300; ++k) {
        Draw draw(12, k);
        expect_exact(wide_values(draw, true));
    }
}

TEST(RowSums, hold_a_subnormal_beside_the_largest_values) {
    expect_exact({{1e300, 0}, {0x1p-1074, 0}, {-1e300, 0}, {3 * 0x1p-1074, 0}});
    expect_exact({{0x1.fffffffffffffp1023, 0}, {0x1.fffffffffffffp1023, 0}, {-0x1p-1074, 0}});
}

TEST(RowSums, are_exact_past_a_million_terms_of_the_largest_significand) {
    const double full = 0x1.fffffffffffffp0;
    const int64_t n = (int64_t{1} << 21) + 5;
    const RowSums sums = row_sums(std::vector<Pair>(static_cast<size_t>(n), Pair{-full, 0}));
    EXPECT_EQ(compare(sums.sum, -(dyadic_integer(n) * dyadic(full))), 0);
    EXPECT_EQ(compare(sums.sum_of_squares, dyadic_integer(n) * dyadic(full) * dyadic(full)), 0);
    EXPECT_TRUE(is_at_least(sums.sum_of_magnitudes, dyadic_integer(n) * dyadic(full)));
    EXPECT_TRUE(sums.constant);
}

TEST(RowSums, leave_nothing_behind_for_the_next_row) {
    row_sums(std::vector<Pair>{{1e300, 0}, {1, 0}});
    EXPECT_EQ(compare(row_sums(std::vector<Pair>{{2, 0}}).sum, dyadic(2)), 0);
}

TEST(RowSums, find_the_lowest_bit_and_the_largest_magnitude) {
    const RowSums sums = row_sums(std::vector<Pair>{{3, 0}, {-20, 0}, {0, 0}, {0.75, 0}});
    EXPECT_EQ(sums.lowest_bit, -2);
    EXPECT_EQ(sums.largest, 20);
    EXPECT_EQ(row_sums(std::vector<Pair>{{1, 0x1p-60}}).lowest_bit, -60);
    EXPECT_EQ(row_sums(std::vector<Pair>{{0x1p-1074, 0}}).lowest_bit, -1074);
}

TEST(RowSums, know_constant_rows) {
    EXPECT_TRUE(row_sums(std::vector<Pair>{{0.1, 0}, {0.1, 0}}).constant);
    EXPECT_FALSE(row_sums(std::vector<Pair>{{0.1, 0}, {-0.1, 0}}).constant);
    EXPECT_FALSE(row_sums(std::vector<Pair>{{1, 0}, {1, 0x1p-60}}).constant);
}

}  // namespace
}  // namespace normcheck
