// Fills of ordinary values: normal, constant, stepped and scaled rows.
#include <algorithm>

#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

// Small and large, exact in binary and not, and one just past what f32 holds exactly.
constexpr double constants[] = {1234, 0.1, 7.3e9, 300, 1e-3, 1, -2.7, 1.0 / 3, 16777217, 65000};
constexpr double offsets[] = {1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
constexpr double alternations[] = {1, 300, 0.1, 1e4, 1e-3};
constexpr double scales[] = {1, 1e4};

}  // namespace

void fill_gaussian(FillRow& row) {
    put_all(row, gaussians(row));
}

void fill_near_constant(FillRow& row) {
    const int64_t middle = rank(row.format, round_finite(row.format, cycled(row, constants)));
    const int64_t last = rank(row.format, row.format.max_finite_code());
    for (uint64_t& code : row.codes) {
        const int64_t step = next_below(row.stream, 7) - 3;
        code = code_of_rank(row.format, std::clamp(middle + step, -last, last));
    }
}

// Half the largest value leaves room for the spread.
void fill_offset(FillRow& row) {
    const double middle = std::min(cycled(row, offsets), largest(row.format) / 2);
    std::vector<double> values = gaussians(row);
    for (double& value : values) value += middle;
    put_all(row, values);
}

void fill_spike(FillRow& row) {
    for (int64_t i = 0; i < row.cols(); ++i) put(row, i, row.parameter(1, 0));
    if (row.cols() > 0) put(row, next_below(row.stream, row.cols()), row.parameter(0, 1000));
}

void fill_ramp(FillRow& row) {
    for (int64_t i = 0; i < row.cols(); ++i) {
        put(row, i, row.parameter(0, 1) + static_cast<double>(i) * row.parameter(1, 1));
    }
}

void fill_constant(FillRow& row) {
    const uint64_t code = round_finite(row.format, row.parameter(0, cycled(row, constants)));
    std::fill(row.codes.begin(), row.codes.end(), code);
}

void fill_alternating(FillRow& row) {
    const double value = row.parameter(0, cycled(row, alternations));
    for (int64_t i = 0; i < row.cols(); ++i) put(row, i, i % 2 == 0 ? value : -value);
}

void fill_zeros(FillRow& row) {
    std::fill(row.codes.begin(), row.codes.end(), 0);
}

void fill_alternating_scales(FillRow& row) {
    const double scale = cycled(row, scales);
    std::vector<double> values = gaussians(row);
    for (double& value : values) value *= scale;
    put_all(row, values);
}

}  // namespace normcheck
