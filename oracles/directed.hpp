// Directed arithmetic for error bounds: an Upper is never below the real number it stands for, a Lower never above it.
// The types make the direction of every step visible, so that a bound cannot be rounded the wrong way by mistake.
// Carried in long double (64-bit significand, 15-bit exponent on x86-64): squares of every f64 fit. Each operation
// rounds to nearest with a relative error of at most 2^-64, which the factors below outweigh. All values are >= 0.
#pragma once

#include <cmath>

#include "oracles/dyadic.hpp"

namespace normcheck {

namespace directed_detail {
constexpr long double grow = 1.0L + 0x1p-61L;
constexpr long double shrink = 1.0L - 0x1p-61L;
}  // namespace directed_detail

struct Lower;

/// A nonnegative upper bound; may be infinite.
struct Upper {
    long double value = 0;
    constexpr Upper() = default;
    constexpr explicit Upper(long double v) : value(v) {}
};

/// A nonnegative lower bound.
struct Lower {
    long double value = 0;
    constexpr Lower() = default;
    constexpr explicit Lower(long double v) : value(v) {}
};

inline Upper operator+(Upper a, Upper b) {
    return Upper((a.value + b.value) * directed_detail::grow);
}
/// 0 * infinity counts as 0: an absent quantity adds no error.
inline Upper operator*(Upper a, Upper b) {
    if (a.value == 0 || b.value == 0) return Upper(0);
    return Upper(a.value * b.value * directed_detail::grow);
}
inline Upper operator/(Upper a, Lower b) {
    if (a.value == 0) return Upper(0);
    return Upper(a.value / b.value * directed_detail::grow);
}
inline Upper sqrt(Upper a) {
    return Upper(std::sqrt(a.value) * directed_detail::grow);
}
inline Upper max(Upper a, Upper b) {
    return Upper(std::fmax(a.value, b.value));
}
inline Upper min(Upper a, Upper b) {
    return Upper(std::fmin(a.value, b.value));
}

inline Lower operator+(Lower a, Lower b) {
    return Lower((a.value + b.value) * directed_detail::shrink);
}
inline Lower operator*(Lower a, Lower b) {
    return Lower(a.value * b.value * directed_detail::shrink);
}
inline Lower operator/(Lower a, Upper b) {
    return Lower(a.value / b.value * directed_detail::shrink);
}
/// max(0, a - b).
inline Lower operator-(Lower a, Upper b) {
    return Lower(std::fmax(0.0L, (a.value - b.value) * directed_detail::shrink));
}
inline Lower sqrt(Lower a) {
    return Lower(std::sqrt(a.value) * directed_detail::shrink);
}
inline Lower max(Lower a, Lower b) {
    return Lower(std::fmax(a.value, b.value));
}

/// |a| from above and from below.
Upper upper_magnitude(const Dyadic& a);
Lower lower_magnitude(const Dyadic& a);
inline Upper upper_magnitude(double a) {
    return Upper(std::fabs(static_cast<long double>(a)));
}
inline Lower lower_magnitude(double a) {
    return Lower(std::fabs(static_cast<long double>(a)));
}

/// (1 + a)(1 + b) - 1: two relative errors in a row.
inline Upper chain(Upper a, Upper b) {
    return a + b + a * b;
}

/// The comparisons that bounds are put to; near.hpp has the same of intervals.
inline bool below(Upper a, Upper b) {
    return a.value < b.value;
}
inline bool below(Lower a, Upper b) {
    return a.value < b.value;
}
inline bool below(Upper a, Lower b) {
    return a.value < b.value;
}
inline bool is_finite(Upper a) {
    return std::isfinite(a.value);
}
inline bool is_zero(Upper a) {
    return a.value == 0;
}
inline bool is_zero(Lower a) {
    return a.value == 0;
}

/// The same number as a bound from the other side.
inline Lower as_lower(Upper a) {
    return Lower(a.value);
}

/// The nearest double above, for use in exact comparisons; infinite where it does not fit.
double to_double_up(Upper a);

}  // namespace normcheck
