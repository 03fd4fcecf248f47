// Exact sums over one row. A value is given as a pair hi + lo of doubles (lo is 0 unless a wide residual sum needs it).
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "oracles/arithmetic.hpp"
#include "oracles/contract.hpp"

namespace normcheck {

/// What the bounds and the target need of a row of n values, in one of the arithmetics.
template <class A>
struct BasicRowSums {
    int64_t n = 0;
    typename A::Real sum;
    typename A::Real sum_of_squares;
    typename A::Upper sum_of_magnitudes;
    double largest = 0;      // largest |hi|, at least (1 - 2^-52) of the largest magnitude
    int64_t lowest_bit = 0;  // all values are multiples of 2^lowest_bit
    bool constant = true;    // all values equal
};
using RowSums = BasicRowSums<Exact>;

/// Enclosed sums. The mean is centre + off_centre, so that it is known to a fraction of the spread about it.
struct NearSums : BasicRowSums<Certified> {
    bool lowest_bit_known = false;  // else the true one lies at lowest_bit or below
    double centre = 0;
    Near off_centre;
    Near spread;  // n sum of squares - sum^2
};
template <class A>
using SumsOf = std::conditional_t<std::is_same_v<A, Exact>, RowSums, NearSums>;

/// n sum of squares - sum^2 about the mean (layer), or n sum of squares (rms).
Dyadic exact_spread(const Contract& contract, const RowSums& sums);
Near exact_spread(const Contract& contract, const NearSums& sums);

/// Sums of finite values; exact whatever their exponents.
RowSums row_sums(std::span<const Pair> values);

}  // namespace normcheck
