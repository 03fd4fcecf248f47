// Faults of kind X: flushing, subnormals and zero rows; and a floating-point environment that is left changed.
#include <algorithm>
#include <cfenv>
#include <cfloat>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

float smallest_normal(nc_format format) {
    return format == NC_F16 ? 0x1p-14f : FLT_MIN;
}
float flushed(nc_format format, float value) {
    return std::abs(value) < smallest_normal(format) ? std::copysign(0.0f, value) : value;
}
float largest_magnitude(const Row& row) {
    float largest = 0;
    for (const float value : row.values) largest = std::max(largest, std::abs(value));
    return largest;
}

void load_flushed(Row& row) {
    load_values(row);
    for (float& value : row.values) value = flushed(row.call.x.format, value);
}
void store_flushed(const Row& row, int64_t column, float value) {
    store_output(row, column, flushed(row.call.y.format, rounded(row.call.y.format, value)));
}
float squares_flushed(const Row& row) {
    std::vector<float> squares = row.values;
    for (float& value : squares) value = flushed(NC_F32, value * value);
    return mean_of(squares.data(), row.cols);
}
/// Squares below the smallest f16 are 0.
float squares_underflow_in_f16(const Row& row) {
    std::vector<float> squares = row.values;
    for (float& value : squares) value = value * value < 0x1p-25f ? 0 : value * value;
    return mean_of(squares.data(), row.cols);
}
float eps_flushed(const Row& row) {
    return inverse_root(row.spread + flushed(NC_F32, row.eps));
}
/// The row is divided by its largest magnitude and multiplied back, which is 0/0 in a row of zeros.
float of_scaled_row(const Row& row) {
    const float largest = largest_magnitude(row);
    return largest > 0 ? rstd_of_row(row) : 0 / largest;
}
void small_rows_cleared(Row& row) {
    load_values(row);
    if (largest_magnitude(row) < 1e-6f) std::fill(row.values.begin(), row.values.end(), 0.0f);
}
float small_differences_cleared(const Row& row, int64_t column) {
    const float centred = row.values[static_cast<size_t>(column)] - row.mean;
    return std::abs(centred) < 1e-7f ? 0 : centred * row.rstd;
}
float limited_rstd(const Row& row) {
    return std::min(rstd_of_row(row), 4096.0f);
}
float floor_of_variance(const Row& row) {
    return std::max(spread_of_row(row), 1e-10f);
}
float rstd_of_zero_variance(const Row& row) {
    return row.spread == 0 ? 0 : rstd_of_row(row);
}
float gamma_flushed(const Row& row, float value, float gamma) {
    return flushed(row.call.x.format, value) * gamma;
}

float read_gamma_flushed(const Row& row, int64_t column) {
    return flushed(row.call.gamma.format, read_gamma(row, column));
}
float read_beta_flushed(const Row& row, int64_t column) {
    return flushed(row.call.beta.format, read_beta_of(row, column));
}

const char* leaving_flush_to_zero(const nc_call* call) {
    const char* refusal = run_steps(Steps{}, *call);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
    return refusal;
}
const char* leaving_upward(const nc_call* call) {
    const char* refusal = run_steps(Steps{.layer = true}, *call);
    std::fesetround(FE_UPWARD);
    return refusal;
}

}  // namespace

extern const nc_kernel rms_flushes_input =
    rms<[] { return Steps{.load = load_flushed}; }>("faulty/rms_flushes_input", "subnormal values of x count as 0");
extern const nc_kernel layer_flushes_output = layer<[] { return Steps{.store = store_flushed}; }>(
    "faulty/layer_flushes_output", "subnormal outputs are written as 0");
extern const nc_kernel rms_flushes_squares = rms<[] { return Steps{.spread = squares_flushed}; }>(
    "faulty/rms_flushes_squares", "subnormal squares count as 0", 1U << NC_F32 | 1U << NC_BF16);
extern const nc_kernel rms_squares_underflow = rms<[] { return Steps{.spread = squares_underflow_in_f16}; }>(
    "faulty/rms_squares_underflow", "squares below what f16 holds count as 0");
extern const nc_kernel layer_flushes_eps =
    layer<[] { return Steps{.rstd = eps_flushed}; }>("faulty/layer_flushes_eps", "a subnormal eps counts as 0");
extern const nc_kernel rms_zero_row_nan = rms<[] { return Steps{.rstd = of_scaled_row}; }>(
    "faulty/rms_zero_row_nan", "a row of zeros is divided by its largest value");
extern const nc_kernel layer_small_rows_cleared = layer<[] { return Steps{.load = small_rows_cleared}; }>(
    "faulty/layer_small_rows_cleared", "rows below 1e-6 count as 0");
extern const nc_kernel layer_small_differences_cleared =
    layer<[] { return Steps{.normalise = small_differences_cleared}; }>("faulty/layer_small_differences_cleared",
                                                                        "centred values below 1e-7 count as 0");
extern const nc_kernel rms_rstd_limited = rms<[] { return Steps{.rstd = limited_rstd}; }>(
    "faulty/rms_rstd_limited", "a reciprocal root above 4096 counts as 4096");
extern const nc_kernel layer_variance_floor = layer<[] { return Steps{.spread = floor_of_variance}; }>(
    "faulty/layer_variance_floor", "a variance below 1e-10 counts as 1e-10");
extern const nc_kernel layer_zero_variance = layer<[] { return Steps{.rstd = rstd_of_zero_variance}; }>(
    "faulty/layer_zero_variance", "a variance of 0 has rstd 0, whatever eps is");
extern const nc_kernel rms_flushes_normalised = rms<[] { return Steps{.scale = gamma_flushed}; }>(
    "faulty/rms_flushes_normalised", "normalised values that are subnormal count as 0 before gamma");
extern const nc_kernel rms_flushes_gamma =
    rms<[] { return Steps{.gamma = read_gamma_flushed}; }>("faulty/rms_flushes_gamma", "a subnormal gamma counts as 0");
extern const nc_kernel layer_flushes_beta =
    layer<[] { return Steps{.beta = read_beta_flushed}; }>("faulty/layer_flushes_beta", "a subnormal beta counts as 0");
extern const nc_kernel rms_leaves_flush_to_zero = {"faulty/rms_leaves_flush_to_zero", rms_contract,
                                                   "leaves the thread flushing subnormal numbers", cpu_formats,
                                                   leaving_flush_to_zero};
extern const nc_kernel layer_leaves_upward = {"faulty/layer_leaves_upward", layer_contract,
                                              "leaves the thread rounding upward", cpu_formats, leaving_upward};

}  // namespace normcheck::faulty
