// Interval arithmetic in double for the certified oracle. Every operation encloses what the exact oracle makes of any
// operands inside: the exact Dyadic result for Near, the directed long double result for Bound.
//
// Proof. A double operation is off by at most 2^-53 of its result; a directed one of directed.hpp leaves the real
// result by at most 2^-60 of it. The factors of Near move each end outwards by at least 2^-52 of it after their own
// rounding, which covers both; `tiny` covers a product or quotient below the normal numbers. An end that leaves the
// range becomes infinite upwards and stays finite downwards, so it encloses as well. Bound: see there. A comparison
// whose answer depends on where inside the intervals the values lie throws Undecided: nothing is ever guessed.
#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>

namespace normcheck {

/// Thrown where an enclosure is too wide to decide: the exact oracle has to.
struct Undecided {};

/// 2^exponent, for the exponents of normal doubles.
inline double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

namespace near_detail {
constexpr double grow = 1 + 0x1p-51;
constexpr double shrink = 1 - 0x1p-51;
constexpr double tiny = DBL_MIN;
inline double finite_below(double a) {
    return a > DBL_MAX ? DBL_MAX : a;
}
inline double down(double a) {
    return finite_below(a * (a >= 0 ? shrink : grow));
}
inline double up(double a) {
    return a * (a >= 0 ? grow : shrink);
}
}  // namespace near_detail

/// A nonnegative bound of the exact oracle, which lies in [low(), high()]; the upper end may be infinite. The ends are
/// carried as plain doubles, each off by at most 2^-52 of itself per operation that went into it (2^-53 of the
/// operation, and less of the exact oracle's), and are moved outwards by 2^-40 where they are used: that covers 4096
/// operations one upon the other. A difference moves its operands first, since it forgets what share of them it is.
class Bound {
  public:
    constexpr Bound() = default;
    constexpr explicit Bound(long double v)
        : lo_(static_cast<double>(v) > DBL_MAX ? DBL_MAX : static_cast<double>(v)), hi_(static_cast<double>(v)) {
        if (hi_ >= DBL_MIN || static_cast<long double>(hi_) == v) return;
        lo_ = 0;
        hi_ = DBL_MIN;
    }
    constexpr Bound(double low, double high) : lo_(low), hi_(high) {}

    double low() const { return lo_ * (1 - slop); }
    double high() const { return hi_ * (1 + slop); }
    bool is_zero() const { return hi_ == 0; }

    friend Bound operator+(Bound a, Bound b) { return {finite(a.lo_ + b.lo_), a.hi_ + b.hi_}; }
    friend Bound operator*(Bound a, Bound b) {
        if (a.hi_ == 0 || b.hi_ == 0) return {};
        return {no_less(a.lo_ * b.lo_), std::max(a.hi_ * b.hi_, DBL_MIN)};
    }
    friend Bound operator/(Bound a, Bound b) {
        if (a.hi_ == 0) return {};
        return {no_less(a.lo_ / b.hi_), std::max(a.hi_ / b.lo_, DBL_MIN)};
    }
    /// max(0, a - b).
    friend Bound operator-(Bound a, Bound b) {
        return {std::max(0.0, a.low() - b.high()), std::max(0.0, a.high() - b.low())};
    }
    friend Bound sqrt(Bound a) { return {std::sqrt(a.lo_), std::sqrt(a.hi_)}; }
    friend Bound max(Bound a, Bound b) { return {std::max(a.lo_, b.lo_), std::max(a.hi_, b.hi_)}; }
    friend Bound min(Bound a, Bound b) { return {std::min(a.lo_, b.lo_), std::min(a.hi_, b.hi_)}; }

  private:
    static constexpr double slop = 0x1p-40;
    static double finite(double a) { return a > DBL_MAX ? DBL_MAX : a; }
    // A lower end that sank below the normal numbers may have been rounded up.
    static double no_less(double a) { return a < DBL_MIN ? 0 : finite(a); }

    double lo_ = 0;
    double hi_ = 0;
};

inline Bound chain(Bound a, Bound b) {
    return a + b + a * b;
}
inline Bound as_lower(Bound a) {
    return a;
}

/// a < b.
inline bool below(Bound a, Bound b) {
    if (a.high() < b.low()) return true;
    if (a.low() >= b.high()) return false;
    throw Undecided{};
}
inline bool is_finite(Bound a) {
    if (a.high() <= DBL_MAX) return true;
    throw Undecided{};
}
/// At least the double above the value.
inline double to_double_up(Bound a) {
    return a.high();
}
/// Whether the value is 0 exactly.
inline bool is_zero(Bound a) {
    if (a.is_zero()) return true;
    if (a.low() > 0) return false;
    throw Undecided{};
}

/// A real number of the exact oracle, which lies in [lo, hi].
struct Near {
    double lo = 0;
    double hi = 0;
    constexpr Near() = default;
    constexpr explicit Near(double point) : lo(point), hi(point) {}
    constexpr Near(double low, double high) : lo(low), hi(high) {}
    bool is_point() const { return lo == hi; }
    bool is_zero() const { return lo == 0 && hi == 0; }
};

inline Near operator-(Near a) {
    return {-a.hi, -a.lo};
}
inline Near operator+(Near a, Near b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    return {near_detail::down(a.lo + b.lo), near_detail::up(a.hi + b.hi)};
}
inline Near operator-(Near a, Near b) {
    return a + -b;
}
inline Near operator*(Near a, Near b) {
    if (a.is_zero() || b.is_zero()) return {};
    const double p = a.lo * b.lo;
    const double q = a.lo * b.hi;
    const double r = a.hi * b.lo;
    const double s = a.hi * b.hi;
    return {near_detail::down(std::min(std::min(p, q), std::min(r, s))) - near_detail::tiny,
            near_detail::up(std::max(std::max(p, q), std::max(r, s))) + near_detail::tiny};
}
/// Requires b > 0.
inline Near operator/(Near a, Near b) {
    if (a.is_zero()) return {};
    if (!(b.lo > 0)) throw Undecided{};
    return {near_detail::down(std::min(a.lo / b.lo, a.lo / b.hi)) - near_detail::tiny,
            near_detail::up(std::max(a.hi / b.lo, a.hi / b.hi)) + near_detail::tiny};
}
/// Requires a >= 0; a lower end that sank below 0 counts as 0.
inline Near sqrt(Near a) {
    if (a.is_zero()) return {};
    return {std::sqrt(std::max(0.0, a.lo)) * near_detail::shrink, std::sqrt(a.hi) * near_detail::grow};
}

inline int sign(Near a) {
    if (a.lo > 0) return 1;
    if (a.hi < 0) return -1;
    if (a.is_zero()) return 0;
    throw Undecided{};
}
inline bool operator==(Near a, Near b) {
    if (a.is_point() && b.is_point()) return a.lo == b.lo;
    if (a.hi < b.lo || b.hi < a.lo) return false;
    throw Undecided{};
}
inline bool operator<(Near a, Near b) {
    if (a.hi < b.lo) return true;
    if (a.lo >= b.hi) return false;
    throw Undecided{};
}
inline Near max(Near a, Near b) {
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// |a| as the exact oracle bounds it from either side: within 2^-58 of it.
inline Bound upper_magnitude(Near a) {
    if (a.is_zero()) return {};
    const double low = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0.0;
    return {low, std::max(-a.lo, a.hi)};
}
inline Bound lower_magnitude(Near a) {
    return upper_magnitude(a);
}

}  // namespace normcheck
