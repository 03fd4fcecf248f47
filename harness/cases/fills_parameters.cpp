// Fills of gamma and beta. Not uniform by default: a uniform gamma hides a norm that is applied twice.
#include <algorithm>
#include <cmath>

#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

bool is_neutral_at_zero(const FillRow& row) {
    return row.is_beta || row.contract.gamma == Gamma::one_plus;
}

double random_parameter(const FillRow& row, double gaussian) {
    const double middle = is_neutral_at_zero(row) ? 0 : 1;
    return middle + (row.is_beta ? 1 : 0.2) * gaussian;
}

}  // namespace

void parameter_random(FillRow& row) {
    std::vector<double> values = gaussians(row);
    for (double& value : values) value = random_parameter(row, value);
    put_all(row, values);
}

void parameter_ones(FillRow& row) {
    for (int64_t i = 0; i < row.cols(); ++i) put(row, i, 1);
}

void parameter_zeros(FillRow& row) {
    std::fill(row.codes.begin(), row.codes.end(), 0);
}

void parameter_negative(FillRow& row) {
    for (int64_t i = 0; i < row.cols(); ++i) put(row, i, -0.5 - uniform(row.stream));
}

void parameter_with_zeros(FillRow& row) {
    for (int64_t i = 0; i < row.cols(); ++i) {
        const double value = random_parameter(row, gaussian(row.stream));
        put(row, i, next_below(row.stream, 4) == 0 ? 0 : value);
    }
}

void parameter_large(FillRow& row) {
    std::vector<double> values = gaussians(row);
    for (double& value : values) value *= 100;
    put_all(row, values);
}

void parameter_near_overflow(FillRow& row) {
    for (int64_t i = 0; i < row.cols(); ++i) {
        const int halvings = static_cast<int>(next_below(row.stream, 4));
        const double magnitude = std::ldexp(largest(row.format) * (0.5 + 0.5 * uniform(row.stream)), -halvings);
        put(row, i, random_sign(row.stream) * magnitude);
    }
}

// A random power first: uniform values alone would hardly ever be subnormal.
void parameter_near_underflow(FillRow& row) {
    const int lowest = row.format.min_spacing_exponent();
    for (int64_t i = 0; i < row.cols(); ++i) {
        const int power = lowest + static_cast<int>(next_below(row.stream, row.format.significand_bits + 3));
        const double magnitude = std::ldexp(1 + uniform(row.stream), power);
        put(row, i, random_sign(row.stream) * magnitude);
    }
}

void parameter_specials(FillRow& row) {
    parameter_random(row);
    if (row.codes.empty()) return;
    const int64_t place = next_below(row.stream, row.cols());
    row.codes[static_cast<size_t>(place)] = row.format.inf_code();
    if (row.cols() == 1) return;
    const int64_t other = (place + 1 + next_below(row.stream, row.cols() - 1)) % row.cols();
    row.codes[static_cast<size_t>(other)] = row.format.nan_code();
}

}  // namespace normcheck
