// The other thing people use: the row in 256-bit floating point, evaluated as it is written down.
#pragma once

#include <span>

#include "oracles/contract.hpp"

namespace normcheck {

/// One row of doubles, each of as many as x has; beta is empty under rms.
struct DoubleRow {
    Norm norm;
    double eps;  // inside the root
    std::span<const double> x, gamma, beta, y;
};

/// The largest |y - reference|, with Boost's cpp_bin_float of 256 bits.
double largest_error_bin_float(const DoubleRow& row);
/// The same with MPFR by way of Boost, 77 decimal digits, on the stack.
double largest_error_mpfr(const DoubleRow& row);

}  // namespace normcheck
