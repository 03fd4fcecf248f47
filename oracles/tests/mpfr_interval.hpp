// Intervals with MPFR ends and outward rounding, and a codec between number formats and MPFR numbers. They carry the
// second oracle (mpfr_twin.hpp), which must not share code with the first: nothing here comes from oracles/*.cpp. Error
// bound: every operation rounds its low end down and its high end up, so the true value always lies inside. An interval
// whose ends agree is the exact value.
#pragma once

#include <mpfr.h>

#include <cstdint>

#include "oracles/format.hpp"

namespace normcheck::twin {

/// An MPFR number that owns its memory.
struct Real {
    explicit Real(mpfr_prec_t precision) { mpfr_init2(value, precision); }
    Real(const Real& other) : Real(mpfr_get_prec(other.value)) { mpfr_set(value, other.value, MPFR_RNDN); }
    Real(Real&& other) noexcept : Real(MPFR_PREC_MIN) { mpfr_swap(value, other.value); }
    Real& operator=(Real other) noexcept {
        mpfr_swap(value, other.value);
        return *this;
    }
    ~Real() { mpfr_clear(value); }
    mpfr_t value;
};

/// All reals from low to high; operations take the precision of their first operand.
struct Interval {
    Real low, high;
};

mpfr_prec_t precision(const Interval& a);
/// Whether both ends are the same number, infinities included: then the value is known exactly.
bool is_point(const Interval& a);
bool is_nan(const Interval& a);
bool contains_zero(const Interval& a);

/// The exact value of a double; 53 bits suffice.
Interval interval(double value, mpfr_prec_t precision);

Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
/// NaN where the divisor may be 0.
Interval operator/(const Interval& a, const Interval& b);
Interval square(const Interval& a);
/// The part below 0 is cut off.
Interval square_root(const Interval& a);
Interval maximum(const Interval& a, const Interval& b);

/// The value of a code that is not NaN, as a point.
Interval decode(FormatId format, uint64_t code, mpfr_prec_t precision);
/// One rounding of an MPFR number to a format by the rules of IEEE 754.
uint64_t encode(FormatId format, mpfr_srcptr value, RoundingMode mode);
/// One rounding of a double, to nearest even.
uint64_t encode(FormatId format, double value);
/// The value of a finite code as a double, which is exact.
double decode(FormatId format, uint64_t code);

uint64_t sign_bit(FormatId format);
uint64_t inf_code(FormatId format);
uint64_t nan_code(FormatId format);

/// Exponent of the spacing of the format at a finite value.
int64_t spacing_exponent(FormatId format, mpfr_srcptr value);

}  // namespace normcheck::twin
