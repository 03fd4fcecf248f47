// Numbers as text: one rounding from the decimal, shortest decimals, and text made to hurt.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "oracles/contract.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double parse(const std::string& text, FormatId id = FormatId::f64) {
    return parse_number(text, id, "number");
}

std::string random_decimal(std::mt19937_64& bits, int exponents) {
    std::string text = std::to_string(bits() >> bits() % 64);
    text.insert(bits() % text.size() + 1, ".");
    if (bits() % 2 == 0) text += std::to_string(bits());
    return text + "e" + std::to_string(static_cast<int>(bits() % exponents) - exponents / 2);
}

TEST(ParseNumber, ReadsDecimalsAsTheMachineDoes) {
    std::mt19937_64 bits(1);
    for (int i = 0; i < 20000; ++i) {
        const std::string wide = random_decimal(bits, 580);
        EXPECT_EQ(parse(wide), std::strtod(wide.c_str(), nullptr)) << wide;
        const std::string narrow = random_decimal(bits, 60);
        EXPECT_EQ(parse(narrow, FormatId::f32), double{std::strtof(narrow.c_str(), nullptr)}) << narrow;
    }
}

TEST(ParseNumber, ReadsHexFloatsExactly) {
    EXPECT_EQ(parse("0x1p-23"), 0x1p-23);
    EXPECT_EQ(parse("-0X1.8P+3"), -12);
    EXPECT_EQ(parse("0x.8"), 0.5);
    EXPECT_EQ(parse("0x1.ffffffp0", FormatId::f32), 2);
    EXPECT_EQ(parse("0x1p-1074"), 0x1p-1074);
}

TEST(ParseNumber, KnowsInfAndNan) {
    EXPECT_EQ(parse("-inf", FormatId::bf16), -infinity);
    EXPECT_TRUE(std::isnan(parse("nan", FormatId::f16)));
}

// The exact midpoint 1 + 2^-11 of f16 and a hair above it: in f64 both are the midpoint.
TEST(ParseNumber, RoundsOnceFromTheText) {
    const std::string midpoint = "1.00048828125";
    EXPECT_EQ(parse(midpoint, FormatId::f16), 1);
    EXPECT_EQ(parse(midpoint + "0000000000000000000000000000001", FormatId::f16), 1 + 0x1p-10);
    EXPECT_EQ(parse("0x1.002000000000000000000001", FormatId::f16), 1 + 0x1p-10);
    EXPECT_EQ(parse("1e-6", FormatId::f32), Eps{}.value);
}

TEST(ParseNumber, RoundsOnceFromTheTextAmongSubnormals) {
    const std::string half_of_smallest = "298023223876953125e-25";  // 2^-25
    EXPECT_EQ(parse(half_of_smallest, FormatId::f16), 0);
    EXPECT_EQ(parse("298023223876953125000000000000000000001e-46", FormatId::f16), 0x1p-24);
}

TEST(ParseNumber, HostileExponentsOverflowOrUnderflowAtOnce) {
    for (const std::string huge : {"1e999999999", "0x1p999999999999999999999", "1e401", "1e309"}) {
        EXPECT_EQ(parse(huge), infinity) << huge;
    }
    for (const std::string tiny : {"1e-999999999", "0x1p-99999999999999999999", "1e-401", "2e-324"}) {
        EXPECT_EQ(parse(tiny), 0) << tiny;
    }
    EXPECT_EQ(parse("0e999999999"), 0);
    EXPECT_TRUE(std::signbit(parse("-1e-999999999")));
}

TEST(ParseNumber, LongDigitsAndExponentsThatCancelAreExact) {
    EXPECT_EQ(parse("1" + std::string(600, '0') + "e-600"), 1);
    EXPECT_EQ(parse("0." + std::string(600, '0') + "1e601"), 1);
    EXPECT_EQ(parse("0x" + std::string(600, '0') + "1"), 1);
}

TEST(ParseNumber, NamesWhatIsNotANumber) {
    for (const char* text :
         {"", "-", ".", "e5", "1e", "1e+", "1x", "0x", "0xp3", "1.2.3", "1,5", "--1", "infinity", " 1", "1 ", "1p3"}) {
        EXPECT_THROW(parse(text), InputError) << text;
    }
    EXPECT_THROW(parse(std::string(100000, '1')), InputError);
    try {
        parse_number("1e-6x", FormatId::f32, "eps");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "eps: '1e-6x' is not a number; expected a decimal or hex float, as 1e-6 or 0x1p-20");
    }
}

// The decimals of `digits` digits next to the value on either side.
bool some_decimal_of(int digits, double value, FormatId id) {
    const std::string nearest = fmt::format("{:.{}e}", value, digits - 1);
    const size_t mark = nearest.find('e');
    std::string integer = nearest.substr(0, mark);
    if (digits > 1) integer.erase(1, 1);
    const int exponent = std::stoi(nearest.substr(mark + 1)) - digits + 1;
    for (int step : {-1, 0, 1}) {
        if (parse(fmt::format("{}e{}", std::stoi(integer) + step, exponent), id) == value) return true;
    }
    return false;
}

int digits_in(const std::string& text) {
    std::string digits;
    for (char c : text.substr(0, text.find('e'))) {
        if (c != '.' && (c != '0' || !digits.empty())) digits += c;
    }
    return static_cast<int>(digits.find_last_not_of('0')) + 1;
}

TEST(PrintNumber, IsTheShortestDecimalThatReadsBackInEverySixteenBitValue) {
    for (FormatId id : {FormatId::f16, FormatId::bf16}) {
        for (uint64_t code = 1; code < format(id).inf_code(); ++code) {
            const double value = decode_double(format(id), code);
            const std::string text = print_number(value, id);
            EXPECT_EQ(parse(text, id), value) << text;
            const int digits = digits_in(text);
            EXPECT_FALSE(digits > 1 && some_decimal_of(digits - 1, value, id)) << text;
        }
    }
}

TEST(PrintNumber, ReadsBackInTheWideFormats) {
    std::mt19937_64 bits(2);
    for (FormatId id : {FormatId::f32, FormatId::f64}) {
        for (int i = 0; i < 5000; ++i) {
            const uint64_t code = bits() >> (64 - format(id).bits());
            if (!is_finite(format(id), code)) continue;
            const double value = decode_double(format(id), code);
            EXPECT_EQ(parse(print_number(value, id), id), value);
        }
    }
}

TEST(PrintNumber, IsTidy) {
    EXPECT_EQ(print_number(Eps{}.value, FormatId::f32), "1e-06");
    EXPECT_EQ(print_number(0.1, FormatId::f64), "0.1");
    EXPECT_EQ(print_number(parse("0.1", FormatId::bf16), FormatId::bf16), "0.1");
    EXPECT_EQ(print_number(1, FormatId::f16), "1");
    EXPECT_EQ(print_number(0, FormatId::f32), "0");
    EXPECT_EQ(print_number(-infinity, FormatId::f32), "-inf");
}

}  // namespace
}  // namespace normcheck
