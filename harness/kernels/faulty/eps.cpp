// Faults of kind C: epsilon in the wrong place, of the wrong value, lost or inflated.
#include <algorithm>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

float outside(const Row& row) {
    return 1 / (std::sqrt(row.spread) + row.eps);
}
float ignored(const Row& row) {
    return inverse_root(row.spread);
}
template <float eps>
float fixed(const Row& row) {
    return inverse_root(row.spread + eps);
}
float squared(const Row& row) {
    return inverse_root(row.spread + row.eps * row.eps);
}
float doubled(const Row& row) {
    return inverse_root(row.spread + 2 * row.eps);
}
float on_sum(const Row& row) {
    return inverse_root(row.spread + row.eps / static_cast<float>(row.cols));
}
float on_count(const Row& row) {
    const float count = static_cast<float>(row.cols);
    return inverse_root(row.spread * (count / (count + row.eps)));
}
float in_input_format(const Row& row) {
    return inverse_root(row.spread + rounded(row.call.x.format, row.eps));
}
float floor_of_spread(const Row& row) {
    return inverse_root(row.spread < row.eps ? row.eps : row.spread);
}
float floor_of_root(const Row& row) {
    const float root = std::sqrt(row.spread);
    return 1 / (root < row.eps ? row.eps : root);
}
float inside_and_outside(const Row& row) {
    return 1 / (std::sqrt(row.spread + row.eps) + row.eps);
}
float from_gamma(const Row& row) {
    return inverse_root(row.spread + std::abs(read_gamma(row, 0)));
}
float from_threads(const Row& row) {
    return inverse_root(row.spread + static_cast<float>(row.call.threads));
}
/// The spacing of the format at 1.
float machine_epsilon(nc_format format) {
    return format == NC_F32 ? 0x1p-23f : format == NC_F16 ? 0x1p-10f : 0x1p-7f;
}
float of_machine(const Row& row) {
    return inverse_root(row.spread + machine_epsilon(row.call.x.format));
}
float of_first_call(const Row& row) {
    static const float first = row.eps;
    return inverse_root(row.spread + first);
}
float where_small(const Row& row) {
    return inverse_root(row.spread < row.eps ? row.spread + row.eps : row.spread);
}
/// The row is divided by a power of two first, eps is not.
float unscaled(const Row& row) {
    return inverse_root(row.spread * 0x1p-8f + row.eps) * 0x1p-4f;
}
float largest_magnitude(const Row& row) {
    float largest = 0;
    for (const float value : row.values) largest = std::max(largest, std::abs(value));
    return largest;
}
/// The row is divided by its largest magnitude first, eps is not.
float scaled_with_row(const Row& row) {
    const float largest = largest_magnitude(row);
    return inverse_root(row.spread + row.eps * (largest * largest));
}
float shortcut_of_one_column(const Row& row) {
    return row.cols == 1 ? 1 / std::abs(row.values[0]) : rstd_of_row(row);
}
float subtracted(const Row& row) {
    return inverse_root(row.spread - row.eps);
}
float only_of_even_rows(const Row& row) {
    return row.index % 2 == 0 ? rstd_of_row(row) : ignored(row);
}

}  // namespace

extern const nc_kernel rms_eps_outside =
    rms<[] { return Steps{.rstd = outside}; }>("faulty/rms_eps_outside", "eps is added to the root, not under it");
extern const nc_kernel layer_eps_outside =
    layer<[] { return Steps{.rstd = outside}; }>("faulty/layer_eps_outside", "eps is added to the root, not under it");
extern const nc_kernel rms_eps_inside = promising<[] { return Steps{}; }>(
    "faulty/rms_eps_inside", "rms eps_at=outside reduce=lanes:16 batch_invariant=yes in_place=yes",
    "eps is added under the root, though it belongs outside");
extern const nc_kernel layer_eps_not_a_floor = promising<[] { return Steps{.layer = true}; }>(
    "faulty/layer_eps_not_a_floor",
    "layer beta=add eps_at=max_variance reduce=lanes:16 batch_invariant=yes in_place=yes",
    "eps is added to the variance, though it is to be its least value");
extern const nc_kernel rms_eps_unasked = {"faulty/rms_eps_unasked",
                                          "rms eps_at=none reduce=lanes:16 batch_invariant=yes in_place=yes",
                                          "1e-6 is added under the root, though no eps is promised", cpu_formats,
                                          run<[] { return Steps{.rstd = fixed<1e-6f>}; }>};
extern const nc_kernel rms_eps_ignored =
    rms<[] { return Steps{.rstd = ignored}; }>("faulty/rms_eps_ignored", "eps is not added at all");
extern const nc_kernel layer_eps_ignored =
    layer<[] { return Steps{.rstd = ignored}; }>("faulty/layer_eps_ignored", "eps is not added at all");
extern const nc_kernel rms_eps_1e5 =
    rms<[] { return Steps{.rstd = fixed<1e-5f>}; }>("faulty/rms_eps_1e5", "eps is 1e-5, whatever is asked for");
extern const nc_kernel rms_eps_1e6 =
    rms<[] { return Steps{.rstd = fixed<1e-6f>}; }>("faulty/rms_eps_1e6", "eps is 1e-6, whatever is asked for");
extern const nc_kernel layer_eps_1e12 =
    layer<[] { return Steps{.rstd = fixed<1e-12f>}; }>("faulty/layer_eps_1e12", "eps is 1e-12, whatever is asked for");
extern const nc_kernel rms_eps_squared =
    rms<[] { return Steps{.rstd = squared}; }>("faulty/rms_eps_squared", "the square of eps is added");
extern const nc_kernel layer_eps_doubled =
    layer<[] { return Steps{.rstd = doubled}; }>("faulty/layer_eps_doubled", "eps is added twice");
extern const nc_kernel rms_eps_on_sum = rms<[] { return Steps{.rstd = on_sum}; }>(
    "faulty/rms_eps_on_sum", "eps is added to the sum of squares, before the division by the count");
extern const nc_kernel layer_eps_on_count = layer<[] { return Steps{.rstd = on_count}; }>(
    "faulty/layer_eps_on_count", "eps is added to the count, not to the variance");
extern const nc_kernel rms_eps_in_input_format = rms<[] { return Steps{.rstd = in_input_format}; }>(
    "faulty/rms_eps_in_input_format", "eps is rounded to the format of x", only_16_bits);
extern const nc_kernel rms_eps_floor = rms<[] { return Steps{.rstd = floor_of_spread}; }>(
    "faulty/rms_eps_floor", "eps is a least value of the mean square, not added to it");
extern const nc_kernel layer_eps_floor_of_root = layer<[] { return Steps{.rstd = floor_of_root}; }>(
    "faulty/layer_eps_floor_of_root", "eps is a least value of the deviation, not added under the root");
extern const nc_kernel rms_eps_twice = rms<[] { return Steps{.rstd = inside_and_outside}; }>(
    "faulty/rms_eps_twice", "eps is added under the root and to the root");
extern const nc_kernel rms_eps_from_gamma = rms<[] { return Steps{.rstd = from_gamma}; }>(
    "faulty/rms_eps_from_gamma", "the first element of gamma is taken for eps");
extern const nc_kernel layer_eps_from_threads = layer<[] { return Steps{.rstd = from_threads}; }>(
    "faulty/layer_eps_from_threads", "the number of threads is taken for eps");
extern const nc_kernel rms_eps_of_machine = rms<[] { return Steps{.rstd = of_machine}; }>(
    "faulty/rms_eps_of_machine", "eps is the spacing of x's format at 1, whatever is asked for");
extern const nc_kernel rms_eps_of_first_call = rms<[] { return Steps{.rstd = of_first_call}; }>(
    "faulty/rms_eps_of_first_call", "eps of the first call is kept for all others");
extern const nc_kernel layer_eps_where_small = layer<[] { return Steps{.rstd = where_small}; }>(
    "faulty/layer_eps_where_small", "eps is added only where the variance is below it");
extern const nc_kernel layer_eps_unscaled = layer<[] { return Steps{.rstd = unscaled}; }>(
    "faulty/layer_eps_unscaled", "the row is scaled by 1/16 first, eps is not");
extern const nc_kernel rms_eps_scaled_with_row = rms<[] { return Steps{.rstd = scaled_with_row}; }>(
    "faulty/rms_eps_scaled_with_row", "eps grows with the square of the row's largest value");
extern const nc_kernel rms_one_column_sign = rms<[] { return Steps{.rstd = shortcut_of_one_column}; }>(
    "faulty/rms_one_column_sign", "a row of one column is x / |x|, without eps");
extern const nc_kernel layer_eps_subtracted = layer<[] { return Steps{.rstd = subtracted}; }>(
    "faulty/layer_eps_subtracted", "eps is subtracted from the variance");
extern const nc_kernel rms_eps_even_rows = rms<[] { return Steps{.rstd = only_of_even_rows}; }>(
    "faulty/rms_eps_even_rows", "eps is added in every other row only");

}  // namespace normcheck::faulty
