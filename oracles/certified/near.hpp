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
/// Both ends share a vector and go through every step together.
class Bound {
  public:
    constexpr Bound() = default;
    constexpr explicit Bound(long double v) : Bound(static_cast<double>(v), static_cast<double>(v)) {
        const auto nearest = static_cast<double>(v);
        if (nearest > DBL_MAX) ends_ = Ends{DBL_MAX, nearest};
        if (nearest < DBL_MIN && static_cast<long double>(nearest) != v) ends_ = Ends{0, DBL_MIN};
    }
    constexpr Bound(double low, double high) : ends_{low, high} {}

    double low() const { return ends_[0] * (1 - slop); }
    double high() const { return ends_[1] * (1 + slop); }
    bool is_zero() const { return ends_[1] == 0; }

    friend Bound operator+(Bound a, Bound b) { return finite(a.ends_ + b.ends_); }
    friend Bound operator*(Bound a, Bound b) {
        return zero_where(least(a.ends_, b.ends_), in_range(a.ends_ * b.ends_));
    }
    friend Bound operator/(Bound a, Bound b) { return zero_where(a.ends_, in_range(a.ends_ / swapped(b.ends_))); }
    /// max(0, a - b).
    friend Bound operator-(Bound a, Bound b) {
        const Ends outwards{1 - slop, 1 + slop};
        return largest(a.ends_ * outwards - swapped(b.ends_ * swapped(outwards)), Ends{0, 0});
    }
    friend Bound sqrt(Bound a) { return {std::sqrt(a.ends_[0]), std::sqrt(a.ends_[1])}; }
    friend Bound max(Bound a, Bound b) { return largest(a.ends_, b.ends_); }
    friend Bound min(Bound a, Bound b) { return least(a.ends_, b.ends_); }

  private:
    typedef double Ends __attribute__((vector_size(16)));
    static constexpr double slop = 0x1p-40;

    Bound(Ends ends) : ends_(ends) {}
    static Ends least(Ends a, Ends b) { return a < b ? a : b; }
    static Ends largest(Ends a, Ends b) { return a > b ? a : b; }
    static Ends swapped(Ends a) { return Ends{a[1], a[0]}; }
    static Ends finite(Ends a) { return least(a, Ends{DBL_MAX, HUGE_VAL}); }
    // An end that sank below the normal numbers may have been rounded either way: the lower one becomes 0, the upper
    // one the smallest normal number. Taking that from any other lower end is a rounding, or makes it less.
    static Ends in_range(Ends a) { return finite(largest(a - Ends{DBL_MIN, 0}, Ends{0, DBL_MIN})); }
    // A zero times anything, or divided by it: 0, whatever came out.
    static Ends zero_where(Ends factor, Ends a) { return factor == Ends{0, 0} ? Ends{0, 0} : a; }

    Ends ends_{0, 0};
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
    if (a.lo >= 0 && b.lo >= 0)
        return {near_detail::down(a.lo * b.lo) - near_detail::tiny, near_detail::up(a.hi * b.hi) + near_detail::tiny};
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
