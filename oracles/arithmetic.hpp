// The two arithmetics that the judge's row-level mathematics is written for once: exact numbers with directed bounds,
// and enclosures of both.
#pragma once

#include "oracles/certified/near.hpp"
#include "oracles/directed.hpp"

namespace normcheck {

/// The exact real number hi + lo.
struct Pair {
    double hi = 0;
    double lo = 0;
};

/// a + b = hi + lo exactly (Knuth).
inline Pair two_sum(double a, double b) {
    const double hi = a + b;
    const double carried = hi - a;
    return {hi, (a - (hi - carried)) + (b - carried)};
}

struct Exact {
    using Real = Dyadic;
    using Upper = normcheck::Upper;
    using Lower = normcheck::Lower;
    using Value = Pair;  // an element of the row

    static Dyadic integer(int64_t value) { return dyadic_integer(value); }
    static Dyadic real(double value) { return dyadic(value); }
    static const Dyadic& of(const Dyadic& value) { return value; }
    static Upper bound(Upper value) { return value; }
    static Upper whole(int64_t value) { return Upper(static_cast<long double>(value)); }
    static Upper power(int exponent) { return Upper(std::ldexp(1.0L, exponent)); }
    static Upper size(const Pair& value) { return upper_magnitude(value.hi) + upper_magnitude(value.lo); }
    static Upper size(double value) { return upper_magnitude(value); }
};

/// Bounds of the exact oracle are enclosed whatever their direction: Upper and Lower are one type.
struct Certified {
    using Real = Near;
    using Upper = Bound;
    using Lower = Bound;
    using Value = double;

    static Near integer(int64_t value) { return Near(static_cast<double>(value)); }
    static Near real(double value) { return Near(value); }
    /// Of a value that a double holds.
    static Near of(const Dyadic& value) { return Near(to_double(value)); }
    static Bound bound(normcheck::Upper value) { return Bound(value.value); }
    /// Of a length, which a double holds.
    static Bound whole(int64_t value) { return {static_cast<double>(value), static_cast<double>(value)}; }
    static Bound power(int exponent) {
        return exponent > -1000 && exponent < 1000 ? Bound(power_of_two(exponent), power_of_two(exponent))
                                                   : Bound(std::ldexp(1.0L, exponent));
    }
    static Bound size(const Pair& value) { return size(value.hi) + size(value.lo); }
    static Bound size(double value) { return {std::fabs(value), std::fabs(value)}; }
};

}  // namespace normcheck
