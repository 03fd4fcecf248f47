// Outward-rounded MPFR intervals and the twin's own number codec.
#include "oracles/tests/mpfr_interval.hpp"

#include <algorithm>
#include <array>

#include "oracles/error.hpp"

namespace normcheck::twin {
namespace {

using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// A format in two numbers; the table formats.def is the first oracle's.
struct Layout {
    int exponent_bits;
    int significand_bits;
};

Layout layout(FormatId format) {
    switch (format) {
        case FormatId::f64:
            return {11, 53};
        case FormatId::f32:
            return {8, 24};
        case FormatId::f16:
            return {5, 11};
        case FormatId::bf16:
            return {8, 8};
    }
    throw InternalError("internal error: format without a layout");
}

int64_t largest_exponent(FormatId format) {
    return (int64_t{1} << (layout(format).exponent_bits - 1)) - 1;
}

int64_t smallest_spacing_exponent(FormatId format) {
    return 2 - largest_exponent(format) - layout(format).significand_bits;
}

mpfr_rnd_t rounding(RoundingMode mode) {
    switch (mode) {
        case RoundingMode::nearest_even:
            return MPFR_RNDN;
        case RoundingMode::down:
            return MPFR_RNDD;
        case RoundingMode::up:
            return MPFR_RNDU;
    }
    throw InternalError("internal error: rounding mode without a meaning");
}

Interval empty(mpfr_prec_t bits) {
    return {Real(bits), Real(bits)};
}

/// Both directed results of one operation on one pair of ends.
Interval corner(Operation operation, const Real& a, const Real& b, mpfr_prec_t bits) {
    Interval result = empty(bits);
    operation(result.low.value, a.value, b.value, MPFR_RNDD);
    operation(result.high.value, a.value, b.value, MPFR_RNDU);
    return result;
}

void widen(Interval& a, const Interval& b) {
    if (mpfr_less_p(b.low.value, a.low.value)) mpfr_set(a.low.value, b.low.value, MPFR_RNDD);
    if (mpfr_greater_p(b.high.value, a.high.value)) mpfr_set(a.high.value, b.high.value, MPFR_RNDU);
}

/// The range of an operation that is monotone in each operand: the hull of its values at the corners.
Interval hull_of_corners(Operation operation, const Interval& a, const Interval& b) {
    const mpfr_prec_t bits = precision(a);
    Interval result = corner(operation, a.low, b.low, bits);
    if (!is_point(b)) widen(result, corner(operation, a.low, b.high, bits));
    if (is_point(a)) return result;
    widen(result, corner(operation, a.high, b.low, bits));
    if (!is_point(b)) widen(result, corner(operation, a.high, b.high, bits));
    return result;
}

uint64_t overflowed(FormatId format, bool negative, RoundingMode mode) {
    const bool towards_zero = mode == (negative ? RoundingMode::up : RoundingMode::down);
    return (negative ? sign_bit(format) : 0) | (inf_code(format) - (towards_zero ? 1 : 0));
}

/// Codes of consecutive magnitudes are consecutive, so the integer significand and its spacing give the code even where
/// rounding carries into the next binade.
uint64_t magnitude_code(FormatId format, uint64_t significand, int64_t spacing) {
    const int64_t binades = spacing - smallest_spacing_exponent(format);
    return (static_cast<uint64_t>(binades) << (layout(format).significand_bits - 1)) + significand;
}

uint64_t encode_finite(FormatId format, mpfr_srcptr value, RoundingMode mode) {
    const bool negative = mpfr_signbit(value) != 0;
    if (mpfr_get_exp(value) - 1 > largest_exponent(format)) return overflowed(format, negative, mode);
    const int64_t spacing = spacing_exponent(format, value);
    Real scaled(mpfr_get_prec(value));
    mpfr_mul_2si(scaled.value, value, -spacing, MPFR_RNDN);
    const long rounded = mpfr_get_si(scaled.value, rounding(mode));
    const uint64_t code = magnitude_code(format, static_cast<uint64_t>(rounded < 0 ? -rounded : rounded), spacing);
    if (code >= inf_code(format)) return overflowed(format, negative, mode);
    return (negative ? sign_bit(format) : 0) | code;
}

/// Value of a code that is not NaN; 53 bits of precision suffice.
void set_to_code(mpfr_ptr value, FormatId format, uint64_t code) {
    const int fraction_bits = layout(format).significand_bits - 1;
    const uint64_t magnitude = code & ~sign_bit(format);
    if (magnitude >= inf_code(format)) {
        mpfr_set_inf(value, 1);
    } else {
        const uint64_t binade = std::max<uint64_t>(magnitude >> fraction_bits, 1) - 1;
        const uint64_t significand = magnitude - (binade << fraction_bits);
        mpfr_set_ui_2exp(value, significand, smallest_spacing_exponent(format) + static_cast<int64_t>(binade),
                         MPFR_RNDN);
    }
    if (code & sign_bit(format)) mpfr_neg(value, value, MPFR_RNDN);
}

}  // namespace

mpfr_prec_t precision(const Interval& a) {
    return mpfr_get_prec(a.low.value);
}

bool is_point(const Interval& a) {
    return mpfr_equal_p(a.low.value, a.high.value) != 0;
}

bool is_nan(const Interval& a) {
    return mpfr_nan_p(a.low.value) || mpfr_nan_p(a.high.value);
}

bool contains_zero(const Interval& a) {
    return mpfr_sgn(a.low.value) <= 0 && mpfr_sgn(a.high.value) >= 0;
}

Interval interval(double value, mpfr_prec_t bits) {
    Interval result = empty(bits);
    mpfr_set_d(result.low.value, value, MPFR_RNDD);
    mpfr_set_d(result.high.value, value, MPFR_RNDU);
    return result;
}

Interval operator+(const Interval& a, const Interval& b) {
    Interval result = empty(precision(a));
    mpfr_add(result.low.value, a.low.value, b.low.value, MPFR_RNDD);
    mpfr_add(result.high.value, a.high.value, b.high.value, MPFR_RNDU);
    return result;
}

Interval operator-(const Interval& a, const Interval& b) {
    Interval result = empty(precision(a));
    mpfr_sub(result.low.value, a.low.value, b.high.value, MPFR_RNDD);
    mpfr_sub(result.high.value, a.high.value, b.low.value, MPFR_RNDU);
    return result;
}

Interval operator*(const Interval& a, const Interval& b) {
    return hull_of_corners(mpfr_mul, a, b);
}

Interval operator/(const Interval& a, const Interval& b) {
    if (contains_zero(b)) return empty(precision(a));
    return hull_of_corners(mpfr_div, a, b);
}

Interval square(const Interval& a) {
    Interval result = a * a;
    if (contains_zero(a)) mpfr_set_zero(result.low.value, 1);
    return result;
}

Interval square_root(const Interval& a) {
    Interval result = empty(precision(a));
    mpfr_set_zero(result.low.value, 1);
    if (mpfr_sgn(a.low.value) > 0) mpfr_sqrt(result.low.value, a.low.value, MPFR_RNDD);
    mpfr_sqrt(result.high.value, a.high.value, MPFR_RNDU);
    return result;
}

Interval maximum(const Interval& a, const Interval& b) {
    Interval result = a;
    if (mpfr_less_p(a.low.value, b.low.value)) mpfr_set(result.low.value, b.low.value, MPFR_RNDD);
    if (mpfr_less_p(a.high.value, b.high.value)) mpfr_set(result.high.value, b.high.value, MPFR_RNDU);
    return result;
}

Interval decode(FormatId format, uint64_t code, mpfr_prec_t bits) {
    Interval result = empty(bits);
    set_to_code(result.low.value, format, code);
    set_to_code(result.high.value, format, code);
    return result;
}

uint64_t encode(FormatId format, mpfr_srcptr value, RoundingMode mode) {
    if (mpfr_nan_p(value)) return nan_code(format);
    const uint64_t sign = mpfr_signbit(value) ? sign_bit(format) : 0;
    if (mpfr_inf_p(value)) return sign | inf_code(format);
    if (mpfr_zero_p(value)) return sign;
    return encode_finite(format, value, mode);
}

uint64_t encode(FormatId format, double value) {
    Real exact(53);
    mpfr_set_d(exact.value, value, MPFR_RNDN);
    return encode(format, exact.value, RoundingMode::nearest_even);
}

double decode(FormatId format, uint64_t code) {
    Real exact(53);
    set_to_code(exact.value, format, code);
    return mpfr_get_d(exact.value, MPFR_RNDN);
}

uint64_t sign_bit(FormatId format) {
    return uint64_t{1} << (layout(format).exponent_bits + layout(format).significand_bits - 1);
}

uint64_t inf_code(FormatId format) {
    return ((uint64_t{1} << layout(format).exponent_bits) - 1) << (layout(format).significand_bits - 1);
}

uint64_t nan_code(FormatId format) {
    return inf_code(format) | uint64_t{1} << (layout(format).significand_bits - 2);
}

int64_t spacing_exponent(FormatId format, mpfr_srcptr value) {
    const int64_t smallest = smallest_spacing_exponent(format);
    if (mpfr_zero_p(value)) return smallest;
    return std::max<int64_t>(mpfr_get_exp(value) - layout(format).significand_bits, smallest);
}

}  // namespace normcheck::twin
