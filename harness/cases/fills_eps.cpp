// Fills placed relative to eps: where eps is added, and in which format, shows only on rows as small as its root.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

constexpr double small_scales[] = {1, 0.25, 4};

/// A root mean square that the format can place: a few spacings at the bottom, room for six deviations at the top.
double placeable(const Format& format, double root) {
    return std::clamp(root, std::ldexp(1.0, format.min_spacing_exponent() + 2),
                      std::ldexp(1.0, format.max_exponent() - 2));
}

// The powers -40..40 in steps of 37, which is coprime to their number 81: a few rows already reach far apart.
int power_of_row(int64_t row) {
    return static_cast<int>((row % 81 * 37 + 40) % 81) - 40;
}

void subtract_mean(std::vector<double>& values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    for (double& value : values) value -= mean;
}

double root_mean_square(const std::vector<double>& values) {
    const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
    return std::sqrt(squares / static_cast<double>(values.size()));
}

/// Scales values to a root mean square; all zeros stay.
void scale_to(std::vector<double>& values, double root) {
    const double now = root_mean_square(values);
    if (now == 0) return;
    for (double& value : values) value = value / now * root;
}

}  // namespace

// Under layer the row also gets a mean of half its deviation, so that a kernel that forgets the mean does not get by.
void fill_eps_grid(FillRow& row) {
    if (row.codes.empty()) return;
    const double eps = row.contract.eps.value > 0 ? row.contract.eps.value : 1;
    const double root = placeable(row.format, std::sqrt(std::ldexp(eps, power_of_row(row.index))));
    const bool layer = row.contract.norm == Norm::layer;
    std::vector<double> values = gaussians(row);
    if (layer) subtract_mean(values);
    scale_to(values, root);
    for (double& value : values) value += layer ? root / 2 : 0;
    put_all(row, values);
}

void fill_small(FillRow& row) {
    const double root = row.contract.eps.value > 0 ? std::sqrt(row.contract.eps.value) : 1e-3;
    const double scale = placeable(row.format, root * cycled(row, small_scales));
    std::vector<double> values = gaussians(row);
    for (double& value : values) value *= scale;
    put_all(row, values);
}

}  // namespace normcheck
