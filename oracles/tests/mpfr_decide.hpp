// How the MPFR twin takes a rounding decision on an interval, and when it does not.
#pragma once

#include "oracles/tests/mpfr_interval.hpp"
#include "oracles/tests/mpfr_twin.hpp"

namespace normcheck::twin {

/// Thrown where the precision does not decide a rounding; never at the last precision.
struct Undecided {};

/// At which precision the program works, and whether there is none above it.
struct Effort {
    mpfr_prec_t bits;
    bool last;
};

/// The rounding of the value inside the interval. Throws Undecided where its ends round apart; at the last precision a
/// narrow interval counts as the boundary between the two codes, and a wide one is an InternalError.
uint64_t decide(const Interval& a, FormatId format, RoundingMode mode, const Effort& effort);

Roundings decide_all(const Interval& a, FormatId format, const Effort& effort);

/// The midpoint of the two finite values of the format around a point (above it where it is one of them), less the
/// point.
double gap(FormatId format, const Interval& a);

}  // namespace normcheck::twin
