// The second oracle alone: its codec against the machine's conversions, and what it does at its last precision.
#include "oracles/tests/mpfr_twin.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "oracles/tests/mpfr_interval.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck::twin {
namespace {

TEST(MpfrTwin, encodes_doubles_to_f32_as_the_machine_does) {
    Draw draw(1, 1);
    for (int i = 0; i < 100000; ++i) {
        const double value = std::ldexp(draw.bell(), static_cast<int>(draw.below(300)) - 160);
        ASSERT_EQ(encode(FormatId::f32, value), std::bit_cast<uint32_t>(static_cast<float>(value))) << value;
    }
}

TEST(MpfrTwin, decodes_and_encodes_every_16_bit_number_to_itself) {
    for (FormatId format : {FormatId::f16, FormatId::bf16})
        for (uint64_t code = 0; code <= inf_code(format); ++code)
            for (uint64_t sign : {uint64_t{0}, sign_bit(format)})
                ASSERT_EQ(encode(format, decode(format, code | sign)), code | sign);
}

TEST(MpfrTwin, overflows_by_rounding_mode) {
    const Interval huge = interval(-1e6, 64);
    EXPECT_EQ(encode(FormatId::f16, huge.low.value, RoundingMode::nearest_even), 0xfc00u);
    EXPECT_EQ(encode(FormatId::f16, huge.low.value, RoundingMode::down), 0xfc00u);
    EXPECT_EQ(encode(FormatId::f16, huge.low.value, RoundingMode::up), 0xfbffu);
    EXPECT_EQ(encode(FormatId::f16, 65519.999), 0x7bffu);
    EXPECT_EQ(encode(FormatId::f16, 65520.0), 0x7c00u);
}

TEST(MpfrTwin, intervals_hold_the_quotient_of_intervals_of_any_sign) {
    const Interval a{interval(-3, 64).low, interval(2, 64).low};
    const Interval b{interval(-4, 64).low, interval(-0.5, 64).low};
    const Interval quotient = a / b;
    EXPECT_EQ(mpfr_get_d(quotient.low.value, MPFR_RNDN), -4);
    EXPECT_EQ(mpfr_get_d(quotient.high.value, MPFR_RNDN), 6);
    EXPECT_TRUE(is_nan(b / a));
}

/// Contract and inputs of a row of rms over 3, -3 with eps 16: quotients are 3/5 and -3/5.
TwinRow three_fifths(double gamma) {
    TwinRow row;
    row.contract.eps = {16, FormatId::f32};
    row.contract.y = FormatId::bf16;
    for (double value : {3.0, -3.0}) row.x.push_back(encode(FormatId::f32, value));
    row.gamma.assign(2, encode(FormatId::f32, gamma));
    return row;
}

TEST(MpfrTwin, takes_a_tie_that_no_precision_shows_for_a_tie) {
    const TwinRow row = three_fifths(1290);  // y = 774, midway between 772 and 776
    const MpfrTwin twin(row.contract, row.inputs());
    const Roundings y = twin.y(0);
    EXPECT_EQ(decode(FormatId::bf16, y[0]), 776);
    EXPECT_EQ(decode(FormatId::bf16, y[1]), 772);
    EXPECT_EQ(decode(FormatId::bf16, y[2]), 776);
    EXPECT_EQ(twin.precision_used(), 4096);
}

TEST(MpfrTwin, does_without_the_last_precision_where_the_first_decides) {
    const TwinRow row = three_fifths(1291);
    const MpfrTwin twin(row.contract, row.inputs());
    EXPECT_EQ(decode(FormatId::bf16, twin.y(0)[0]), 776);
    EXPECT_EQ(twin.precision_used(), 512);
}

TEST(MpfrTwin, says_that_a_denominator_is_zero) {
    TwinRow row = three_fifths(1);
    row.contract.eps.value = 0;
    row.x.assign(2, 0);
    EXPECT_FALSE(MpfrTwin(row.contract, row.inputs()).defined());
}

TEST(MpfrTwin, gives_the_gap_to_the_midpoint_around_an_output) {
    const TwinRow row = three_fifths(1);  // 0.6 between 153/256 and 154/256
    EXPECT_DOUBLE_EQ(MpfrTwin(row.contract, row.inputs()).gap_to_midpoint(0), -1.0 / 2560);
}

}  // namespace
}  // namespace normcheck::twin
