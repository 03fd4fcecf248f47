// The bins of the distributions; see bins.hpp.
#include "reports/bins.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double upper_ends[] = {0,      0.125,  0.25,   0.375,  0.5,    0.625,  0.75,   1,      1.5,    2,
                                 4,      8,      16,     32,     64,     128,    0x1p8,  0x1p9,  0x1p10, 0x1p11,
                                 0x1p12, 0x1p13, 0x1p14, 0x1p15, 0x1p16, 0x1p17, 0x1p18, 0x1p19, 0x1p20, infinity};

}  // namespace

int64_t ratio_bin(double log2_ratio) {
    require(!std::isnan(log2_ratio), "a ratio is a number");
    if (log2_ratio >= highest_ratio_bin) return highest_ratio_bin;
    if (log2_ratio < lowest_ratio_bin + ratio_bin_width) return lowest_ratio_bin;
    return ratio_bin_width * static_cast<int64_t>(std::floor(log2_ratio / ratio_bin_width));
}

int64_t length_bin(int64_t cols) {
    require(cols >= 1, "a row with a row error has outputs");
    return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(cols)));
}

std::span<const double> error_bins() {
    return upper_ends;
}

double error_bin(double row_error) {
    return *std::ranges::lower_bound(upper_ends, std::min(row_error, infinity));
}

}  // namespace normcheck
