// One stretch of a contract's program between two roundings: the real number A / (sqrt(R) + k) + b with dyadic A, R, k,
// b. Its side of any dyadic number is decided in integers, so every rounding of it is exact and no precision is
// guessed.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "oracles/dyadic.hpp"
#include "oracles/format.hpp"

namespace normcheck {

/// 256-bit binary floating point: first guesses and filters, never a verdict.
using Wide = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2, void, int32_t, -1000000, 1000000>,
    boost::multiprecision::et_off>;

/// The nearest Wide, with a relative error of at most 2^-255.
Wide wide(const Dyadic& a);

/// numerator / (sqrt(radicand) + offset) + addend. Requires radicand >= 0, offset >= 0 and not both 0.
template <class Real>
struct BasicStretch {
    Real numerator;
    Real radicand;
    Real offset;
    Real addend;
};
using Stretch = BasicStretch<Dyadic>;

/// The stretch that is just the dyadic number a.
Stretch constant_stretch(const Dyadic& a);

/// Sign of value(a) - m: -1, 0 or 1, exact.
int compare(const Stretch& a, const Dyadic& m);

/// Rounds once into the format; overflow by IEEE 754. `guess` is any approximation, used only to save steps.
uint64_t round_stretch(const Format& format, const Stretch& a, double guess,
                       RoundingMode mode = RoundingMode::nearest_even);

/// Approximation of the value, for guesses and display.
Wide approximate(const Stretch& a);

}  // namespace normcheck
