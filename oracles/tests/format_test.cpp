// The oracles' codec: exhaustive over the 16-bit formats, round every midpoint by two routes, and sampled on the wide
// ones.
#include "oracles/format.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr RoundingMode modes[] = {RoundingMode::nearest_even, RoundingMode::down, RoundingMode::up};

const Format& f64 = format(FormatId::f64);
const Format& f32 = format(FormatId::f32);
const Format& f16 = format(FormatId::f16);
const Format& bf16 = format(FormatId::bf16);

std::string name_of_row(const testing::TestParamInfo<FormatId>& row) {
    return format(row.param).name;
}

class SixteenBit : public testing::TestWithParam<FormatId> {
  protected:
    const Format& row = format(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Formats, SixteenBit, testing::Values(FormatId::f16, FormatId::bf16), name_of_row);

TEST_P(SixteenBit, EveryFiniteCodeSurvivesDecodingAndRounding) {
    for (uint64_t code = 0; code < 1 << 16; ++code) {
        if (!is_finite(row, code)) continue;
        const uint64_t expected = code == row.sign_bit() ? 0 : code;
        for (RoundingMode mode : modes) EXPECT_EQ(round_dyadic(row, decode(row, code), mode), expected);
        EXPECT_EQ(round_double(row, decode_double(row, code)), code);
        EXPECT_EQ(dyadic(decode_double(row, code)), decode(row, code));
        EXPECT_TRUE(is_value(row, decode_double(row, code)));
    }
}

TEST_P(SixteenBit, RankAndCodeOfRankAreInverse) {
    for (uint64_t code = 0; code < 1 << 16; ++code) {
        if (is_nan(row, code)) continue;
        EXPECT_EQ(code_of_rank(row, rank(row, code)), code == row.sign_bit() ? 0 : code);
    }
    const auto last = static_cast<int64_t>(row.inf_code());
    EXPECT_EQ(code_of_rank(row, last + 7), row.inf_code());
    EXPECT_EQ(code_of_rank(row, -last - 7), row.sign_bit() | row.inf_code());
    EXPECT_THROW(rank(row, row.nan_code()), InternalError);
}

TEST_P(SixteenBit, RankOrdersAsTheValuesAre) {
    const auto last = static_cast<int64_t>(row.inf_code());
    for (int64_t position = -last; position < last; ++position) {
        EXPECT_LT(decode_double(row, code_of_rank(row, position)), decode_double(row, code_of_rank(row, position + 1)));
        EXPECT_LT(value_of_rank(row, position), value_of_rank(row, position + 1));
    }
    EXPECT_EQ(value_of_rank(row, last), (Dyadic{1, row.max_exponent() + 1}));
    EXPECT_EQ(value_of_rank(row, -last), (Dyadic{-1, row.max_exponent() + 1}));
}

TEST_P(SixteenBit, SpacingIsTheGapToTheNextValueAwayFromZero) {
    for (int64_t position = 0; position < static_cast<int64_t>(row.inf_code()); ++position) {
        const Dyadic value = value_of_rank(row, position);
        const Dyadic gap = value_of_rank(row, position + 1) - value;
        EXPECT_EQ(gap, (Dyadic{1, spacing_exponent(row, value)}));
        EXPECT_EQ(spacing_exponent(row, to_double(-value)), spacing_exponent(row, value));
    }
    EXPECT_EQ(spacing_exponent(row, 1e300), row.max_exponent() - row.significand_bits + 1);
    EXPECT_EQ(spacing_exponent(row, infinity), row.max_exponent() - row.significand_bits + 1);
}

// The f32 values at and next to every midpoint, by the integer route on doubles, by the exact route, and by what is
// expected.
TEST_P(SixteenBit, RoundsToNearestEvenAroundEveryMidpoint) {
    const auto last = static_cast<int64_t>(row.inf_code());
    for (int64_t position = -last; position < last; ++position) {
        const auto middle = static_cast<float>(to_double(midpoint_above(row, position)));
        ASSERT_EQ(dyadic(middle), midpoint_above(row, position));
        const uint64_t below = position == -1 ? row.sign_bit() : code_of_rank(row, position);
        const uint64_t lower = position == -1 ? row.sign_bit() | 1 : below;
        const uint64_t upper = position == -1 ? row.sign_bit() : code_of_rank(row, position + 1);
        EXPECT_EQ(round_double(row, middle), position % 2 == 0 ? lower : upper);
        EXPECT_EQ(round_double(row, std::nextafterf(middle, -INFINITY)), lower);
        EXPECT_EQ(round_double(row, std::nextafterf(middle, INFINITY)), upper);
    }
}

TEST_P(SixteenBit, BothRoutesRoundAlikeAroundEveryMidpoint) {
    const auto last = static_cast<int64_t>(row.inf_code());
    for (int64_t position = -last; position < last; ++position) {
        const double middle = to_double(midpoint_above(row, position));
        for (double value : {std::nextafter(middle, -infinity), middle, std::nextafter(middle, infinity)}) {
            EXPECT_EQ(round_double(row, value), round_dyadic(row, dyadic(value)));
            EXPECT_FALSE(is_value(row, value));
        }
    }
}

TEST_P(SixteenBit, DirectedRoundingsEncloseWhatLiesBetweenTwoValues) {
    const auto last = static_cast<int64_t>(row.inf_code());
    for (int64_t position = -last + 1; position < last - 1; ++position) {
        const Dyadic middle = midpoint_above(row, position);
        const uint64_t upper = position == -1 ? row.sign_bit() : code_of_rank(row, position + 1);
        EXPECT_EQ(round_dyadic(row, middle, RoundingMode::down), code_of_rank(row, position));
        EXPECT_EQ(round_dyadic(row, middle, RoundingMode::up), upper);
    }
}

class AnyFormat : public testing::TestWithParam<FormatId> {
  protected:
    const Format& row = format(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Formats, AnyFormat,
                         testing::Values(FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16), name_of_row);

TEST_P(AnyFormat, OverflowFollowsTheRoundingMode) {
    const Dyadic beyond = {1, row.max_exponent() + 1};
    const uint64_t sign = row.sign_bit();
    EXPECT_EQ(round_dyadic(row, beyond), row.inf_code());
    EXPECT_EQ(round_dyadic(row, beyond, RoundingMode::up), row.inf_code());
    EXPECT_EQ(round_dyadic(row, beyond, RoundingMode::down), row.max_finite_code());
    EXPECT_EQ(round_dyadic(row, -beyond), sign | row.inf_code());
    EXPECT_EQ(round_dyadic(row, -beyond, RoundingMode::down), sign | row.inf_code());
    EXPECT_EQ(round_dyadic(row, -beyond, RoundingMode::up), sign | row.max_finite_code());
}

TEST_P(AnyFormat, TheLastMidpointRoundsToInfAndAnythingBelowItDoesNot) {
    const Dyadic last = midpoint_above(row, static_cast<int64_t>(row.max_finite_code()));
    const Dyadic below = last - Dyadic{1, -5000};
    EXPECT_EQ(round_dyadic(row, last), row.inf_code());
    EXPECT_EQ(round_dyadic(row, below), row.max_finite_code());
    EXPECT_EQ(round_dyadic(row, below, RoundingMode::up), row.inf_code());
    EXPECT_EQ(round_dyadic(row, last, RoundingMode::down), row.max_finite_code());
}

TEST_P(AnyFormat, ZeroKeepsItsSignOnlyWhereItCameFromANegativeValue) {
    const Dyadic tiny = {1, -100000};
    EXPECT_EQ(round_dyadic(row, {0, 0}, RoundingMode::down), 0u);
    EXPECT_EQ(round_dyadic(row, tiny), 0u);
    EXPECT_EQ(round_dyadic(row, tiny, RoundingMode::up), 1u);
    EXPECT_EQ(round_dyadic(row, -tiny), row.sign_bit());
    EXPECT_EQ(round_dyadic(row, -tiny, RoundingMode::up), row.sign_bit());
    EXPECT_EQ(round_dyadic(row, -tiny, RoundingMode::down), row.sign_bit() | 1);
    EXPECT_EQ(round_double(row, -0.0), row.sign_bit());
}

TEST_P(AnyFormat, TiesAreSeenHoweverFarBelowTheirSmallestBitLies) {
    const Dyadic tie = midpoint_above(row, 100);
    for (int depth : {200, 1030, 1088, 1200, 3000}) {
        const Dyadic crumb = {1, tie.exponent - depth};
        EXPECT_EQ(round_dyadic(row, tie + crumb), code_of_rank(row, 101));
        EXPECT_EQ(round_dyadic(row, tie - crumb), code_of_rank(row, 100));
    }
    EXPECT_EQ(round_dyadic(row, tie), code_of_rank(row, 100));
}

TEST_P(AnyFormat, DistanceBetweenRanksHoldsTheWholeNumberLine) {
    const int64_t last = rank(row, row.inf_code());
    EXPECT_EQ(rank_distance(last, -last), 2 * row.inf_code());
    EXPECT_EQ(rank_distance(-last, last), 2 * row.inf_code());
    EXPECT_EQ(rank_distance(last, last - 1), 1U);
    EXPECT_EQ(rank_distance(-1, 1), 2U);
}

TEST_P(AnyFormat, SpecialValuesCarryOver) {
    EXPECT_EQ(round_double(row, infinity), row.inf_code());
    EXPECT_EQ(round_double(row, -infinity), row.sign_bit() | row.inf_code());
    EXPECT_TRUE(is_nan(row, round_double(row, std::nan(""))));
    EXPECT_EQ(decode_double(row, row.sign_bit() | row.inf_code()), -infinity);
    EXPECT_TRUE(std::isnan(decode_double(row, row.nan_code())));
    EXPECT_TRUE(std::isnan(decode_double(row, row.inf_code() | 1)));
    EXPECT_THROW(decode(row, row.inf_code()), InternalError);
}

TEST_P(AnyFormat, RandomDoublesRoundAlikeByBothRoutes) {
    std::mt19937_64 bits(4);
    for (int i = 0; i < 200000; ++i) {
        const uint64_t code = bits();
        const double value = std::bit_cast<double>(i % 2 == 0 ? code : code >> 4 | uint64_t{0x38} << 56);
        if (!std::isfinite(value)) continue;
        EXPECT_EQ(round_double(row, value), round_dyadic(row, dyadic(value)));
    }
}

TEST_P(AnyFormat, FindsItselfByName) {
    EXPECT_EQ(find_format(row.name), GetParam());
    EXPECT_NE(format_names().find(row.name), std::string::npos);
}

TEST(Format, UnknownNamesAreNotFound) {
    EXPECT_EQ(find_format("f"), std::nullopt);
    EXPECT_EQ(find_format(""), std::nullopt);
}

TEST(Format, RowsDescribeTheIeeeFormats) {
    EXPECT_EQ(f64.bits(), 64);
    EXPECT_EQ(f32.bytes(), 4);
    EXPECT_EQ(f16.inf_code(), 0x7c00u);
    EXPECT_EQ(f16.min_spacing_exponent(), -24);
    EXPECT_EQ(bf16.nan_code(), 0x7fc0u);
    EXPECT_EQ(bf16.max_finite_code(), 0x7f7fu);
}

// The machine's own conversion is a third, independent route for f32.
TEST(Format, RoundsDoublesToF32AsTheMachineDoes) {
    std::mt19937_64 bits(5);
    for (int i = 0; i < 500000; ++i) {
        const double value = std::ldexp(static_cast<double>(bits()), static_cast<int>(bits() % 300) - 220);
        EXPECT_EQ(round_double(f32, value), std::bit_cast<uint32_t>(static_cast<float>(value)));
    }
}

TEST(Format, DecodesF32AsTheMachineDoes) {
    std::mt19937_64 bits(6);
    for (int i = 0; i < 500000; ++i) {
        const auto code = static_cast<uint32_t>(i < 1000 ? i : bits());
        if (is_nan(f32, code)) continue;
        EXPECT_EQ(decode_double(f32, code), double{std::bit_cast<float>(code)});
    }
}

TEST(Format, SubnormalsAreThoseBelowTheSmallestNormal) {
    EXPECT_FALSE(is_subnormal(f16, 0));
    EXPECT_FALSE(is_subnormal(f16, 0x8000));
    EXPECT_TRUE(is_subnormal(f16, 0x8001));
    EXPECT_TRUE(is_subnormal(f16, 0x03ff));
    EXPECT_FALSE(is_subnormal(f16, 0x0400));
}

}  // namespace
}  // namespace normcheck
