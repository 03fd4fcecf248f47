// Rows of values; see row_values.hpp.
#include "harness/properties/row_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace normcheck {
namespace {

double coarsened(double value, int grid) {
    return std::ldexp(std::round(std::ldexp(value, -grid)), grid);
}

/// The first values with the second half taken away from 0 as the first one is.
void make_odd(Values& values) {
    for (size_t i = 0; i < values.size() / 2; ++i) values[values.size() - 1 - i] = -values[i];
}

bool is_zero(double value) {
    return value == 0;
}

}  // namespace

Values values_of(FormatId id, const std::vector<uint64_t>& codes) {
    Values values;
    for (const uint64_t code : codes) values.push_back(decode_double(format(id), code));
    return values;
}

std::vector<uint64_t> codes_of(FormatId id, const Values& values) {
    std::vector<uint64_t> codes;
    for (const double value : values)
        codes.push_back(std::isnan(value) ? format(id).nan_code() : round_double(format(id), value));
    return codes;
}

Values scaled(Values values, int power) {
    for (double& value : values) value = std::ldexp(value, power);
    return values;
}

bool all_finite(const Values& values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

Extent extent_of(FormatId id, const Values& values) {
    Extent extent;
    for (const double value : values) {
        if (value == 0) continue;
        const int exponent = std::ilogb(value);
        const int lowest = spacing_exponent(format(id), value);
        extent.top = extent.any ? std::max(extent.top, exponent + 1) : exponent + 1;
        extent.least = extent.any ? std::min(extent.least, exponent) : exponent;
        extent.lowest_bit = extent.any ? std::min(extent.lowest_bit, lowest) : lowest;
        extent.any = true;
    }
    return extent;
}

int ceil_log2(int64_t n) {
    return std::bit_width(static_cast<uint64_t>(n - 1));
}

int64_t power_of_two_below(int64_t n) {
    return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(n)));
}

bool holds_all_of(FormatId wide, FormatId narrow) {
    const Format &w = format(wide), &n = format(narrow);
    return w.significand_bits >= n.significand_bits && w.max_exponent() >= n.max_exponent() &&
           w.min_spacing_exponent() <= n.min_spacing_exponent();
}

// With |row| < 2^top the shifted values are below 2^(top + lift + 1) = 2^end. So sums are multiples of 2^grid below n
// 2^end, and means and x - mean are multiples of 2^grid / n below 2^end: both fit end - grid + log2 n bits. Rounding to
// the grid may reach 2^top itself, which the shift of at least 2^(top + 1) has room for.
std::optional<ExactPair> exact_pair(FormatId id, const Values& row, FormatId sums, int lift, bool odd) {
    const Extent extent = extent_of(id, row);
    if (row.size() < 2 || !extent.any) return std::nullopt;
    const int64_t cols = power_of_two_below(std::ssize(row));
    const int end = extent.top + std::max(lift, 1) + 1;
    const int grid = std::max({end - format(id).significand_bits, end + ceil_log2(cols) - format(sums).significand_bits,
                               format(id).min_spacing_exponent()});
    if (extent.top - grid < 2 || end > format(id).max_exponent()) return std::nullopt;
    if (end + ceil_log2(cols) > format(sums).max_exponent()) return std::nullopt;
    ExactPair pair;
    for (int64_t i = 0; i < cols; ++i)
        pair.centred.push_back(coarsened(row[static_cast<size_t>(i)], grid) +
                               0.0);  // no -0: x + c - c has lost its sign
    if (odd) make_odd(pair.centred);
    if (std::ranges::all_of(pair.centred, is_zero)) return std::nullopt;
    for (const double value : pair.centred)
        pair.shifted.push_back(value + std::ldexp(1.0, extent.top + std::max(lift, 1)));
    return pair;
}

}  // namespace normcheck
