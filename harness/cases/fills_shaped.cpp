// The fill that fuzzers vary: a row of a plain shape, scaled, offset, spiked and moved by single steps, each by a whole
// number, so that a search can turn one of them at a time.
#include <algorithm>
#include <array>
#include <cmath>

#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

constexpr double no_offset = -64;

using Shape = std::vector<double> (*)(FillRow& row);

std::vector<double> signs(FillRow& row) {
    std::vector<double> values(row.codes.size());
    for (double& value : values) value = random_sign(row.stream);
    return values;
}

std::vector<double> ones(FillRow& row) {
    return std::vector<double>(row.codes.size(), 1);
}

std::vector<double> turns(FillRow& row) {
    std::vector<double> values(row.codes.size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 1 : -1;
    return values;
}

std::vector<double> steps_up(FillRow& row) {
    std::vector<double> values(row.codes.size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i + 1);
    return values;
}

std::vector<double> one_binade(FillRow& row) {
    std::vector<double> values(row.codes.size());
    for (double& value : values) value = 1 + uniform(row.stream);
    return values;
}

constexpr Shape shapes[] = {gaussians, signs, ones, turns, steps_up, one_binade};

/// Kept so far below the largest double that no row overflows before it is rounded.
double power(double exponent) {
    return std::ldexp(1.0, static_cast<int>(std::clamp(exponent, -1074.0, 1000.0)));
}

Shape shape_of(const FillRow& row) {
    const auto count = static_cast<double>(std::size(shapes));
    const double number = row.parameter(0, static_cast<double>(row.index % std::ssize(shapes)));
    return shapes[static_cast<size_t>(std::clamp(std::floor(number), 0.0, count - 1))];
}

void add_spikes(FillRow& row, std::vector<double>& values, double scale_exponent) {
    const double spike = power(scale_exponent + row.parameter(4, 0));
    const double spikes = std::clamp(row.parameter(3, 0), 0.0, static_cast<double>(values.size()));
    for (int64_t i = 0; i < static_cast<int64_t>(spikes); ++i)
        values[static_cast<size_t>(next_below(row.stream, row.cols()))] = random_sign(row.stream) * spike;
}

void move_by_steps(FillRow& row) {
    const auto most = static_cast<int64_t>(std::clamp(row.parameter(5, 0), 0.0, 65536.0));
    if (most == 0) return;
    const int64_t last = rank(row.format, row.format.max_finite_code());
    for (uint64_t& code : row.codes) {
        const int64_t step = next_below(row.stream, 2 * most + 1) - most;
        code = code_of_rank(row.format, std::clamp(rank(row.format, code) + step, -last, last));
    }
}

}  // namespace

void fill_shaped(FillRow& row) {
    const double scale_exponent = row.parameter(1, 0), offset_exponent = row.parameter(2, no_offset);
    const double scale = power(scale_exponent);
    const double offset = offset_exponent > no_offset ? power(scale_exponent + offset_exponent) : 0;
    std::vector<double> values = shape_of(row)(row);
    for (double& value : values) value = value * scale + offset;
    add_spikes(row, values, scale_exponent);
    put_all(row, values);
    move_by_steps(row);
}

}  // namespace normcheck
