// The values of one row as doubles, in which every format is exact, and rows derived from them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracles/contract.hpp"

namespace normcheck {

using Values = std::vector<double>;

Values values_of(FormatId format, const std::vector<uint64_t>& codes);
/// Every value rounded once to the format.
std::vector<uint64_t> codes_of(FormatId format, const Values& values);
Values scaled(Values values, int power);
bool all_finite(const Values& values);

/// Where the bits of the nonzero values lie; all values must be finite.
struct Extent {
    bool any = false;    // a value that is not zero
    int top = 0;         // every |value| < 2^top
    int least = 0;       // every nonzero |value| >= 2^least
    int lowest_bit = 0;  // every value is a multiple of 2^lowest_bit
};
Extent extent_of(FormatId format, const Values& values);

/// Smallest power with 2^power >= n, n >= 1.
int ceil_log2(int64_t n);
/// Largest power of two up to n, n >= 1.
int64_t power_of_two_below(int64_t n);

/// Whether every value of `narrow` is one of `wide`.
bool holds_all_of(FormatId wide, FormatId narrow);

/// A row x = centred + shift of n = 2^j values, all three sums exact. See exact_pair.
struct ExactPair {
    Values centred;
    Values shifted;
};
/// From the first values of a row, as many as a power of two has: centred is the row coarsened to a grid, and shift a
/// power of two at least 2^lift times as large as the row. The grid is so coarse that x is exact in `format` and that
/// all sums, means and x - mean are exact in the format `sums`, in any order of summation. `odd` makes centred[n - 1 -
/// i] = -centred[i], so that its mean is 0. Nothing where fewer than 2 values, or fewer than 2 bits of each, are left.
std::optional<ExactPair> exact_pair(FormatId format, const Values& row, FormatId sums, int lift, bool odd);

}  // namespace normcheck
