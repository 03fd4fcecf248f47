// Exact comparison and rounding of A / (sqrt(R) + k) + b against squares of small integers, and in every format.
#include "oracles/stretch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracles/tests/twin_rows.hpp"

namespace normcheck {
namespace {

using twin::Draw;

Dyadic quarter(int64_t quarters) {
    return {Int(quarters), -2};
}

// Sign of A / (sqrt(R) + k) - c for integers by (sqrt(R) + k) > 0: the sign of (A - c k) - c sqrt(R) through x^2
// sign(x).
int expected_sign(int64_t a, int64_t r, int64_t k, int64_t c) {
    const auto signed_square = [](int64_t v) { return v * std::abs(v); };
    const int64_t left = signed_square(a - c * k);
    const int64_t right = signed_square(c) * r;
    return left < right ? -1 : left > right ? 1 : 0;
}

TEST(Stretch, compares_as_squares_of_integers_do) {
    int64_t ties = 0;
    for (int64_t a = -9; a <= 9; ++a)
        for (int64_t r = 0; r <= 16; ++r)
            for (int64_t k = r == 0; k <= 4; ++k)
                for (int64_t b = -2; b <= 2; ++b)
                    for (int64_t m = -12; m <= 12; ++m) {
                        const Stretch stretch{quarter(4 * a), quarter(4 * r), quarter(4 * k), quarter(4 * b)};
                        const int expected = expected_sign(a, r, k, m - b);
                        ties += expected == 0;
                        ASSERT_EQ(compare(stretch, quarter(4 * m)), expected)
                            << a << " / (sqrt " << r << " + " << k << ") + " << b << " against " << m;
                    }
    EXPECT_GT(ties, 1000);
}

long double plain(const Stretch& s) {
    const auto value = [](const Dyadic& d) { return static_cast<long double>(to_double(d)); };
    return value(s.numerator) / (std::sqrt(value(s.radicand)) + value(s.offset)) + value(s.addend);
}

Stretch small_stretch(Draw& draw) {
    Stretch s{quarter(draw.below(2001) - 1000), quarter(draw.below(400)), quarter(draw.below(12)),
              draw.chance(50) ? Dyadic{} : quarter(draw.below(41) - 20)};
    if (sign(s.radicand) == 0 && sign(s.offset) == 0) s.offset = quarter(3);
    return s;
}

// The two codes around the value are found by comparing, whatever the rounding did.
void expect_rounded(const Format& f, const Stretch& s) {
    const auto near_it = static_cast<double>(plain(s));
    const double guess = std::isfinite(near_it) ? near_it : 0;
    const int64_t down = rank(f, round_stretch(f, s, guess, RoundingMode::down));
    const int64_t up = rank(f, round_stretch(f, s, guess, RoundingMode::up));
    const int64_t near = rank(f, round_stretch(f, s, guess));
    const int64_t top = rank(f, f.inf_code());
    ASSERT_TRUE(down == up || down + 1 == up);
    if (down > -top) {
        ASSERT_GE(compare(s, value_of_rank(f, down)), 0);
    }
    if (up < top) {
        ASSERT_LE(compare(s, value_of_rank(f, up)), 0);
    }
    if (down == up) {
        ASSERT_EQ(compare(s, value_of_rank(f, down)), 0);
        ASSERT_EQ(near, down);
        return;
    }
    const int side = compare(s, midpoint_above(f, down));
    ASSERT_EQ(near, side < 0 ? down : side > 0 ? up : (down % 2 == 0 ? down : up));
}

TEST(Stretch, rounds_to_the_neighbours_in_every_format_and_mode) {
    for (const FormatId id : {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16})
        for (uint64_t k = 0; k < 4000; ++k) {
            Draw draw(31, k);
            expect_rounded(format(id), small_stretch(draw));
        }
}

TEST(Stretch, rounds_the_smallest_and_the_largest_values_of_every_format) {
    for (const FormatId id : {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16})
        for (uint64_t k = 0; k < 4000; ++k) {
            Draw draw(32, k);
            const Format& f = format(id);
            Stretch s = small_stretch(draw);
            const int64_t end = draw.chance(50) ? f.min_spacing_exponent() : f.max_exponent();
            s.numerator.exponent += end + draw.below(14) - 12;
            s.addend.exponent += end + draw.below(6) - 6;
            expect_rounded(f, s);
        }
}

TEST(Stretch, agrees_with_long_double_where_that_decides) {
    const Format& f = format(FormatId::f32);
    int64_t decided = 0;
    for (uint64_t k = 0; k < 20000; ++k) {
        Draw draw(33, k);
        const Stretch s = small_stretch(draw);
        const long double value = plain(s);
        const auto low = static_cast<float>(value * (1 - 0x1p-55L));
        if (low != static_cast<float>(value * (1 + 0x1p-55L))) continue;
        ++decided;
        ASSERT_EQ(decode_double(f, round_stretch(f, s, 0)), static_cast<double>(low));
    }
    EXPECT_GT(decided, 19000);
}

TEST(Stretch, does_not_depend_on_the_guess) {
    const Format& f = format(FormatId::f16);
    for (uint64_t k = 0; k < 300; ++k) {
        Draw draw(34, k);
        const Stretch s = small_stretch(draw);
        const uint64_t right = round_stretch(f, s, static_cast<double>(plain(s)));
        for (const double guess : {0.0, -1e300, 1e300, 1.0, 0x1p-24}) ASSERT_EQ(round_stretch(f, s, guess), right);
    }
}

TEST(Stretch, breaks_ties_to_even_on_perfect_squares) {
    const Format& f = format(FormatId::f16);
    // (2^11 + odd) / (sqrt(9) + 1) is half way where the quotient needs one bit more than f16 has.
    for (int64_t odd = 1; odd < 400; odd += 2) {
        const Stretch s{dyadic_integer(4 * 2048 + 4 * odd), dyadic_integer(9), dyadic_integer(1), {}};
        const uint64_t exact = round_dyadic(f, dyadic_integer(2048 + odd));
        EXPECT_EQ(round_stretch(f, s, 0), exact);
        EXPECT_EQ(exact % 2, 0u);
        const Stretch negative{-s.numerator, s.radicand, s.offset, {}};
        EXPECT_EQ(round_stretch(f, negative, 0), exact | f.sign_bit());
    }
}

TEST(Stretch, overflows_by_the_rules_of_each_mode) {
    const Format& f = format(FormatId::f16);
    const Stretch large{dyadic_integer(1000000), dyadic_integer(4), {}, {}};
    const Stretch low{dyadic_integer(-1000000), dyadic_integer(4), {}, {}};
    EXPECT_EQ(round_stretch(f, large, 0), f.inf_code());
    EXPECT_EQ(round_stretch(f, large, 0, RoundingMode::down), f.max_finite_code());
    EXPECT_EQ(round_stretch(f, low, 0, RoundingMode::up), f.max_finite_code() | f.sign_bit());
    EXPECT_EQ(round_stretch(f, low, 0, RoundingMode::down), f.inf_code() | f.sign_bit());
    const Stretch half_way{dyadic_integer(65520 * 2), dyadic_integer(4), {}, {}};
    EXPECT_EQ(round_stretch(f, half_way, 0), f.inf_code());
}

TEST(Stretch, approximates_itself) {
    for (uint64_t k = 0; k < 2000; ++k) {
        Draw draw(35, k);
        const Stretch s = small_stretch(draw);
        const auto value = approximate(s).convert_to<long double>();
        EXPECT_LE(std::fabs(value - plain(s)), std::fabs(plain(s)) * 0x1p-50L + 0x1p-50L);
    }
}

}  // namespace
}  // namespace normcheck
