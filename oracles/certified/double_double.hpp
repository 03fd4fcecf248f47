// Arithmetic on unevaluated sums of two doubles, for what is rounded to f64. Without fused products, so that the bits
// are the same everywhere.
//
// Each operation is off by at most 2^-100 of its result (Joldes, Muller and Popescu, Tight and rigorous error bounds
// for basic building blocks of double-word arithmetic, 2017: less than 2^-102 for sums of the accurate kind, products
// and quotients), as long as nothing leaves the range [2^-400, 2^400] but zeros.
#pragma once

#include <cmath>

#include "oracles/arithmetic.hpp"

namespace normcheck::certified {

struct DoubleDouble {
    double hi = 0;
    double lo = 0;
};
constexpr double double_double_error = 0x1p-100;

inline DoubleDouble exact_sum(double a, double b) {
    const Pair sum = two_sum(a, b);
    return {sum.hi, sum.lo};
}
/// The same where |a| >= |b| or a = 0 (Dekker).
inline DoubleDouble ordered_sum(double a, double b) {
    const double hi = a + b;
    return {hi, b - (hi - a)};
}
/// a b exactly, by Veltkamp's halves.
inline DoubleDouble exact_product(double a, double b) {
    constexpr double splitter = 0x1p27 + 1;
    const double a_big = a * splitter, b_big = b * splitter;
    const double a_hi = a_big - (a_big - a), b_hi = b_big - (b_big - b);
    const double a_lo = a - a_hi, b_lo = b - b_hi;
    const double hi = a * b;
    return {hi, ((a_hi * b_hi - hi) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

inline DoubleDouble operator-(DoubleDouble a) {
    return {-a.hi, -a.lo};
}
inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = exact_sum(a.hi, b.hi), low = exact_sum(a.lo, b.lo);
    const DoubleDouble carried = ordered_sum(high.hi, high.lo + low.hi);
    return ordered_sum(carried.hi, carried.lo + low.lo);
}
inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = exact_product(a.hi, b.hi);
    return ordered_sum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}
inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    if (a.hi == 0) return {};
    const double first = a.hi / b.hi;
    const DoubleDouble rest = a + -(b * DoubleDouble{first, 0});
    const double second = rest.hi / b.hi;
    const DoubleDouble last = rest + -(b * DoubleDouble{second, 0});
    return DoubleDouble{first, 0} + ordered_sum(second, last.hi / b.hi);
}
/// One step of Newton on the double root, whose error is squared by it.
inline DoubleDouble sqrt(DoubleDouble a) {
    if (a.hi == 0) return {};
    const double root = std::sqrt(a.hi);
    const DoubleDouble rest = a + -exact_product(root, root);
    return DoubleDouble{root, 0} + rest / DoubleDouble{2 * root, 0};
}

}  // namespace normcheck::certified
