// The bins of the distributions in a report: fixed, so that reports of any two runs can be added and compared bin by
// bin.
#pragma once

#include <cstdint>
#include <span>

namespace normcheck {

/// Bins of log2(mean square or variance / eps) are 2 wide; the first holds all below -48 (also -Inf, a row without
/// spread), the last all from 48 on (also Inf, eps = 0).
constexpr int64_t ratio_bin_width = 2;
constexpr int64_t lowest_ratio_bin = -50;
constexpr int64_t highest_ratio_bin = 48;
/// The lower end of the bin that this ratio falls into.
int64_t ratio_bin(double log2_ratio);

/// The lower end of the bin of rows of this length, the power of two at or below it; the bin ends before the next.
/// Expects cols >= 1.
int64_t length_bin(int64_t cols);

/// The upper ends of the bins of row errors in ulp, each counted to its bin: 0 alone, eighths to 3/4, then coarser; the
/// last is Inf.
std::span<const double> error_bins();
/// The upper end of the bin of this error, which is no NaN.
double error_bin(double row_error);

}  // namespace normcheck
