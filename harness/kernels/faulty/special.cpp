// Faults of kind M: what becomes of NaN and Inf, of zeros in gamma, and of outputs past the largest finite value.
#include <algorithm>
#include <cfloat>
#include <limits>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr const char* nan_row = "rms inf=nan_row reduce=lanes:16 batch_invariant=yes in_place=yes";
constexpr const char* saturating = "rms overflow=saturate reduce=lanes:16 batch_invariant=yes in_place=yes";

float without_nan(float value) {
    return std::isnan(value) ? 0 : value;
}
float largest_of(nc_format format) {
    return format == NC_F16 ? 65504 : format == NC_BF16 ? 0x1.fep127f : FLT_MAX;
}

void load_without_nan(Row& row) {
    load_values(row);
    for (float& value : row.values) value = without_nan(value);
}
void load_without_infinity(Row& row) {
    load_values(row);
    const float largest = largest_of(row.call.x.format);
    for (float& value : row.values)
        if (!std::isnan(value)) value = std::clamp(value, -largest, largest);
}
float spread_without_nan(const Row& row) {
    std::vector<float> values = row.values;
    for (float& value : values) value = without_nan(value);
    return centred_variance_of(values.data(), row.cols, row.mean);
}
float mean_without_nan(const Row& row) {
    std::vector<float> values = row.values;
    for (float& value : values) value = without_nan(value);
    return mean_of(values.data(), row.cols);
}
float spread_not_above_largest(const Row& row) {
    return std::min(FLT_MAX, spread_of_row(row));  // of a NaN, the first
}
void store_without_nan(const Row& row, int64_t column, float value) {
    store_output(row, column, without_nan(value));
}
void store_saturated(const Row& row, int64_t column, float value) {
    const float largest = largest_of(row.call.y.format);
    store_output(row, column, std::isnan(value) ? value : std::clamp(value, -largest, largest));
}
/// A sum that is cleared by a product with 0 hands NaN on.
float spread_after_row_before(const Row& row) {
    if (row.index == 0) return spread_of_row(row);
    return spread_of_row(row) + 0 * measured_row(Steps{}, row.call, row.index - 1).spread;
}
float rstd_not_of_infinity(const Row& row) {
    return std::isinf(row.spread) ? not_a_number : rstd_of_row(row);
}
float zero_hides(const Row&, float value, float gamma) {
    return gamma == 0 ? 0 : value * gamma;
}
float finite_gamma(const Row& row, int64_t column) {
    const float largest = largest_of(row.call.gamma.format);
    const float gamma = read_gamma(row, column);
    return std::isnan(gamma) ? gamma : std::clamp(gamma, -largest, largest);
}
float gamma_without_nan(const Row& row, int64_t column) {
    return without_nan(read_gamma(row, column));
}
float beta_without_nan(const Row& row, int64_t column) {
    return without_nan(read_beta_of(row, column));
}
void zero_gamma_unshifted(const Row& row) {
    for (int64_t column = 0; column < row.cols; ++column)
        row.steps.store(row, column, read_gamma(row, column) == 0 ? 0 : output_of(row, column));
}
float nan_over_zero_column(const Row& row, int64_t column) {
    const float value = row.values[static_cast<size_t>(column)];
    return value == 0 ? 0 : value * row.rstd;
}

}  // namespace

extern const nc_kernel rms_nan_read_as_zero =
    rms<[] { return Steps{.load = load_without_nan}; }>("faulty/rms_nan_read_as_zero", "a NaN in x counts as 0");
extern const nc_kernel rms_nan_not_summed = rms<[] { return Steps{.spread = spread_without_nan}; }>(
    "faulty/rms_nan_not_summed", "a NaN in x is left out of the mean square");
extern const nc_kernel layer_nan_not_summed =
    layer<[] { return Steps{.mean = mean_without_nan, .spread = spread_without_nan}; }>(
        "faulty/layer_nan_not_summed", "a NaN in x is left out of the statistics");
extern const nc_kernel rms_nan_lost_in_minimum = rms<[] { return Steps{.spread = spread_not_above_largest}; }>(
    "faulty/rms_nan_lost_in_minimum", "a mean square that is NaN or Inf becomes the largest number");
extern const nc_kernel layer_nan_not_written = layer<[] { return Steps{.store = store_without_nan}; }>(
    "faulty/layer_nan_not_written", "outputs of NaN are written as 0");
extern const nc_kernel rms_infinity_clipped = rms<[] { return Steps{.load = load_without_infinity}; }>(
    "faulty/rms_infinity_clipped", "an Inf in x counts as the largest number");
extern const nc_kernel rms_nan_leaks = rms<[] { return Steps{.spread = spread_after_row_before}; }>(
    "faulty/rms_nan_leaks", "a NaN or Inf in a row spoils the row after it");
extern const nc_kernel rms_infinity_spoils_row = rms<[] { return Steps{.rstd = rstd_not_of_infinity}; }>(
    "faulty/rms_infinity_spoils_row", "an Inf in x makes the whole row NaN, though the finite ones are to be 0");
extern const nc_kernel rms_infinity_keeps_row = promising<[] { return Steps{}; }>(
    "faulty/rms_infinity_keeps_row", nan_row, "an Inf in x leaves zeros, though the whole row is to be NaN");
extern const nc_kernel rms_saturates = rms<[] { return Steps{.store = store_saturated}; }>(
    "faulty/rms_saturates", "outputs past the largest number are written as it, though Inf is promised", only_f16);
extern const nc_kernel rms_does_not_saturate =
    promising<[] { return Steps{}; }>("faulty/rms_does_not_saturate", saturating,
                                      "outputs past the largest number are Inf, though it is promised", only_f16);
extern const nc_kernel rms_zero_gamma_hides =
    rms<[] { return Steps{.scale = zero_hides}; }>("faulty/rms_zero_gamma_hides", "a gamma of 0 hides a NaN");
extern const nc_kernel layer_zero_gamma_drops_beta = layer<[] { return Steps{.write = zero_gamma_unshifted}; }>(
    "faulty/layer_zero_gamma_drops_beta", "where gamma is 0, beta is not added");
extern const nc_kernel rms_gamma_clipped = rms<[] { return Steps{.gamma = finite_gamma}; }>(
    "faulty/rms_gamma_clipped", "an Inf in gamma counts as the largest number");
extern const nc_kernel rms_gamma_nan_lost =
    rms<[] { return Steps{.gamma = gamma_without_nan}; }>("faulty/rms_gamma_nan_lost", "a NaN in gamma counts as 0");
extern const nc_kernel layer_beta_nan_lost =
    layer<[] { return Steps{.beta = beta_without_nan}; }>("faulty/layer_beta_nan_lost", "a NaN in beta counts as 0");
extern const nc_kernel rms_zero_hides_nan = rms<[] { return Steps{.normalise = nan_over_zero_column}; }>(
    "faulty/rms_zero_hides_nan", "where x is 0 a NaN of the row is lost");

}  // namespace normcheck::faulty
