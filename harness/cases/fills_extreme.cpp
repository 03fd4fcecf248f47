// Fills at the ends of the formats: any bit pattern, wide exponents, subnormals, near overflow, NaN and Inf.
#include <algorithm>
#include <cmath>

#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

/// Values between half of these and these: squares cross the overflow of f16, f32 and f64 (256, 1.8e19, 1.3e154), or
/// sums do.
constexpr double overflow_scales[] = {300, 6e4, 2.5e19, 3.4e38, 1.8e154, 1.7e308};

uint64_t random_finite(FillRow& row) {
    for (;;) {
        const uint64_t code = next(row.stream) >> (64 - row.format.bits());
        if (is_finite(row.format, code)) return code;
    }
}

uint64_t with_random_sign(FillRow& row, uint64_t code) {
    return random_sign(row.stream) < 0 ? code | row.format.sign_bit() : code;
}

/// A quiet NaN of random sign and payload.
uint64_t random_nan(FillRow& row) {
    const uint64_t payload = next(row.stream) & ((uint64_t{1} << (row.format.significand_bits - 2)) - 1);
    return with_random_sign(row, row.format.nan_code() | payload);
}

/// Overwrites one random element in every third row; in every other of these about a quarter of the rest are zeros.
void plant(FillRow& row, uint64_t code) {
    if (row.index % 3 != 0 || row.codes.empty()) return;
    if (row.index % 6 == 3)
        for (uint64_t& other : row.codes)
            if (next_below(row.stream, 4) == 0) other = 0;
    row.codes[static_cast<size_t>(next_below(row.stream, row.cols()))] = code;
}

/// The scales within the format's reach, cycling.
double overflow_scale(const FillRow& row) {
    const auto end = std::find_if(std::begin(overflow_scales), std::end(overflow_scales),
                                  [&](double scale) { return scale > largest(row.format); });
    return cycled(row, {std::begin(overflow_scales), end});
}

}  // namespace

void fill_uniform_bits(FillRow& row) {
    for (uint64_t& code : row.codes) code = random_finite(row);
}

void fill_wide_exponents(FillRow& row) {
    const int lowest = std::max(-20, row.format.min_exponent());
    const int highest = std::min(20, row.format.max_exponent());
    for (int64_t i = 0; i < row.cols(); ++i) {
        const int exponent = lowest + static_cast<int>(next_below(row.stream, highest - lowest + 1));
        const double value = std::ldexp(1 + uniform(row.stream), exponent);
        put(row, i, random_sign(row.stream) * value);
    }
}

// A random width first: uniform fractions alone would hardly ever meet the smallest subnormals of f32 and f64.
void fill_subnormals(FillRow& row) {
    for (uint64_t& code : row.codes) {
        const int width = 1 + static_cast<int>(next_below(row.stream, row.format.significand_bits - 1));
        const uint64_t fraction = next(row.stream) >> (64 - width);
        code = with_random_sign(row, std::max<uint64_t>(fraction, 1));
    }
}

void fill_near_overflow(FillRow& row) {
    const double scale = overflow_scale(row);
    for (int64_t i = 0; i < row.cols(); ++i) {
        const double value = scale * (0.5 + 0.5 * uniform(row.stream));
        put(row, i, random_sign(row.stream) * value);
    }
}

void fill_nan_in_row(FillRow& row) {
    put_all(row, gaussians(row));
    plant(row, random_nan(row));
}

void fill_inf_in_row(FillRow& row) {
    put_all(row, gaussians(row));
    plant(row, with_random_sign(row, row.format.inf_code()));
}

}  // namespace normcheck
