// Bounds are never on the wrong side: every operation against the exact one.
#include "oracles/directed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/tests/twin_rows.hpp"

namespace normcheck {
namespace {

using twin::Draw;

// A finite long double as an exact number.
Dyadic exact(long double value) {
    int exponent = 0;
    const long double fraction = std::frexp(value, &exponent);
    return {Int(static_cast<int64_t>(std::ldexp(fraction, 63))) * 2 +
                Int(static_cast<int64_t>(std::fmod(std::ldexp(fraction, 64), 2.0L))),
            exponent - 64};
}

Dyadic exact(Upper a) {
    return exact(a.value);
}
Dyadic exact(Lower a) {
    return exact(a.value);
}

long double positive(Draw& draw) {
    const auto leading = static_cast<long double>(draw.bits() | 1);
    return std::ldexp(leading, static_cast<int>(draw.below(draw.chance(50) ? 4 : 2000)) - 64);
}

template <class Check>
void for_pairs(uint64_t seed, Check check) {
    for (uint64_t k = 0; k < 20000; ++k) {
        Draw draw(seed, k);
        const long double a = positive(draw);
        check(a, draw.chance(10) ? a : positive(draw));
    }
}

TEST(Directed, the_exact_form_of_a_long_double_is_exact) {
    EXPECT_EQ(compare(exact(1.0L + 0x1p-63L), dyadic(1) + dyadic(0x1p-63)), 0);
    EXPECT_EQ(compare(exact(6.5L), dyadic(6.5)), 0);
    EXPECT_EQ(compare(exact(0.0L), Dyadic{}), 0);
}

TEST(Directed, sums_and_products_from_above_are_not_below) {
    for_pairs(21, [](long double a, long double b) {
        EXPECT_FALSE(exact(Upper(a) + Upper(b)) < exact(a) + exact(b));
        EXPECT_FALSE(exact(Upper(a) * Upper(b)) < exact(a) * exact(b));
    });
}

TEST(Directed, sums_and_products_from_below_are_not_above) {
    for_pairs(22, [](long double a, long double b) {
        EXPECT_FALSE(exact(a) + exact(b) < exact(Lower(a) + Lower(b)));
        EXPECT_FALSE(exact(a) * exact(b) < exact(Lower(a) * Lower(b)));
    });
}

TEST(Directed, quotients_lie_on_their_side) {
    for_pairs(23, [](long double a, long double b) {
        EXPECT_FALSE(exact(Upper(a) / Lower(b)) * exact(b) < exact(a));
        EXPECT_FALSE(exact(a) < exact(Lower(a) / Upper(b)) * exact(b));
    });
}

TEST(Directed, roots_lie_on_their_side) {
    for_pairs(24, [](long double a, long double) {
        const Dyadic above = exact(sqrt(Upper(a)));
        const Dyadic below = exact(sqrt(Lower(a)));
        EXPECT_FALSE(above * above < exact(a));
        EXPECT_FALSE(exact(a) < below * below);
    });
}

TEST(Directed, differences_from_below_are_not_above_and_not_negative) {
    for_pairs(25, [](long double a, long double b) {
        const Lower difference = Lower(a) - Upper(b);
        EXPECT_GE(difference.value, 0);
        if (a > b) {
            EXPECT_FALSE(exact(a) - exact(b) < exact(difference));
        }
        if (a <= b) {
            EXPECT_EQ(difference.value, 0);
        }
    });
}

TEST(Directed, two_relative_errors_in_a_row_are_not_below) {
    for_pairs(26, [](long double a, long double b) {
        const Dyadic both = exact(a) + exact(b) + exact(a) * exact(b);
        EXPECT_FALSE(exact(chain(Upper(a), Upper(b))) < both);
    });
}

TEST(Directed, magnitudes_of_long_numbers_lie_on_their_side) {
    for (uint64_t k = 0; k < 20000; ++k) {
        Draw draw(27, k);
        Int mantissa = draw.bits();
        for (int64_t words = draw.below(6); words > 0; --words) mantissa = (mantissa << 64) + draw.bits();
        const Dyadic value{draw.chance(50) ? Int(-mantissa) : mantissa, draw.below(2000) - 1000};
        EXPECT_FALSE(exact(upper_magnitude(value)) < abs(value));
        EXPECT_FALSE(abs(value) < exact(lower_magnitude(value)));
    }
}

TEST(Directed, doubles_from_above_are_the_nearest_ones) {
    EXPECT_EQ(to_double_up(Upper(1.0L)), 1.0);
    EXPECT_EQ(to_double_up(Upper(1.0L + 0x1p-63L)), 1.0 + 0x1p-52);
    EXPECT_EQ(to_double_up(Upper(0x1p-2000L)), 0x1p-1074);
    EXPECT_TRUE(std::isinf(to_double_up(Upper(0x1p2000L))));
}

TEST(Directed, nothing_times_infinity_is_nothing) {
    const Upper infinite(std::numeric_limits<long double>::infinity());
    EXPECT_EQ((Upper(0) * infinite).value, 0);
    EXPECT_EQ((Upper(0) / Lower(0)).value, 0);
    EXPECT_TRUE(std::isinf((Upper(1) / Lower(0)).value));
}

}  // namespace
}  // namespace normcheck
