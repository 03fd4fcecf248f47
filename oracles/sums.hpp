// Exact sums over one row. A value is given as a pair hi + lo of doubles (lo is 0 unless a wide residual sum needs it).
#pragma once

#include <cstdint>
#include <span>

#include "oracles/directed.hpp"
#include "oracles/dyadic.hpp"

namespace normcheck {

/// The exact real number hi + lo.
struct Pair {
    double hi = 0;
    double lo = 0;
};

/// What the bounds and the target need of a row of n values, all exact but the two bounds.
struct RowSums {
    int64_t n = 0;
    Dyadic sum;
    Dyadic sum_of_squares;
    Upper sum_of_magnitudes;
    double largest = 0;      // largest |hi|, at least (1 - 2^-52) of the largest magnitude
    int64_t lowest_bit = 0;  // all values are multiples of 2^lowest_bit
    bool constant = true;    // all values equal
};

/// Sums of finite values; exact whatever their exponents.
RowSums row_sums(std::span<const Pair> values);

}  // namespace normcheck
