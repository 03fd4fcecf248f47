// Exact dyadic numbers: arithmetic, order and the way back to doubles.
#include "oracles/dyadic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

// Integers below 2^20 over a small power of two: sums and products of these are exact in double.
double small_value(std::mt19937_64& bits) {
    const auto integer = static_cast<double>(static_cast<int64_t>(bits() % (1 << 21)) - (1 << 20));
    return std::ldexp(integer, -static_cast<int>(bits() % 8));
}

TEST(Dyadic, ArithmeticAgreesWithDoublesWhereTheyAreExact) {
    std::mt19937_64 bits(1);
    for (int i = 0; i < 20000; ++i) {
        const double a = small_value(bits);
        const double b = small_value(bits);
        EXPECT_EQ(to_double(dyadic(a) + dyadic(b)), a + b);
        EXPECT_EQ(to_double(dyadic(a) - dyadic(b)), a - b);
        EXPECT_EQ(to_double(dyadic(a) * dyadic(b)), a * b);
        EXPECT_EQ(to_double(abs(dyadic(a))), std::fabs(a));
    }
}

TEST(Dyadic, CompareOrdersAsDoublesDo) {
    std::mt19937_64 bits(2);
    for (int i = 0; i < 20000; ++i) {
        const double a = std::ldexp(small_value(bits), static_cast<int>(bits() % 64));
        const double b = bits() % 4 == 0 ? a : std::ldexp(small_value(bits), static_cast<int>(bits() % 64));
        EXPECT_EQ(compare(dyadic(a), dyadic(b)), (a > b) - (a < b));
        EXPECT_EQ(to_double(max(dyadic(a), dyadic(b))), std::fmax(a, b));
    }
}

TEST(Dyadic, CompareTellsFarExponentsApartWithoutAligningThem) {
    const Dyadic huge{1, int64_t{1} << 40};
    const Dyadic tiny{-1, -(int64_t{1} << 40)};
    EXPECT_EQ(compare(huge, tiny), 1);
    EXPECT_EQ(compare(tiny, Dyadic{-1, 0}), 1);
    EXPECT_EQ(compare(huge, Dyadic{3, 0}), 1);
}

TEST(Dyadic, EqualValuesOfDifferentSpellingsAreEqual) {
    EXPECT_EQ((Dyadic{12, -2}), (Dyadic{3, 0}));
    EXPECT_EQ((Dyadic{0, 17}), (Dyadic{0, -3}));
    EXPECT_FALSE((Dyadic{12, -2}) == (Dyadic{-3, 0}));
}

TEST(Dyadic, NormalizedHasAnOddMantissaAndTheSameValue) {
    for (int integer : {1, -1, 6, -40, 1024}) {
        const Dyadic value{integer, 5};
        const Dyadic odd = normalized(value);
        EXPECT_TRUE(odd.mantissa % 2 != 0);
        EXPECT_EQ(odd, value);
    }
    EXPECT_EQ(normalized({0, 9}).exponent, 0);
}

TEST(Dyadic, FloorLog2CountsTheLeadingBitOfLongIntegersToo) {
    EXPECT_EQ(floor_log2({1, 0}), 0);
    EXPECT_EQ(floor_log2({-7, 3}), 5);
    for (int power : {63, 64, 65, 511, 512, 2000}) {
        EXPECT_EQ(floor_log2({Int(1) << power, -10}), power - 10);
        EXPECT_EQ(floor_log2({(Int(1) << power) - 1, -10}), power - 11);
    }
    EXPECT_THROW(floor_log2({0, 0}), InternalError);
}

TEST(Dyadic, ToDoubleOverflowsToInfAndUnderflowsToZeroOrASubnormal) {
    EXPECT_EQ(to_double({1, 1024}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(to_double({-1, 1 << 30}), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(to_double({3, -1075}), 0x1p-1073);
    EXPECT_EQ(to_double({1, -1075}), 0);
    EXPECT_EQ(to_double({1, -(1 << 30)}), 0);
}

TEST(Dyadic, DoublesGoThereAndBack) {
    std::mt19937_64 bits(3);
    for (int i = 0; i < 20000; ++i) {
        const double value = std::ldexp(static_cast<double>(bits()), static_cast<int>(bits() % 2100) - 1137);
        if (std::isinf(value)) continue;
        EXPECT_EQ(to_double(dyadic(value)), value);
    }
    EXPECT_THROW(dyadic(std::numeric_limits<double>::infinity()), InternalError);
}

}  // namespace
}  // namespace normcheck
