// Faults of kind B: squares, sums or products that leave the range of f16, or of f32 where the contract promises every
// row (range=full).
#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr const char* full_rms = "rms reduce=lanes:16 range=full batch_invariant=yes in_place=yes";
constexpr const char* full_layer = "layer beta=add reduce=lanes:16 range=full batch_invariant=yes in_place=yes";
constexpr uint32_t not_f16 = 1U << NC_F32 | 1U << NC_BF16;
constexpr float largest_f16 = 65504;

float to_f16(float value) {
    return rounded(NC_F16, value);
}
/// Inf where f16 has no such value, else unchanged: what overflows, without what is rounded.
float overflown(float value) {
    return std::abs(value) > largest_f16 ? std::copysign(HUGE_VALF, value) : value;
}
float clipped(float value) {
    return value > largest_f16 ? largest_f16 : value;
}

template <float (*term)(float)>
float mean_of_terms(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum += term((value - row.mean) * (value - row.mean));
    return divided_by_count(sum, row.cols);
}

float sum_of_squares_overflows(const Row& row) {
    return divided_by_count(overflown(spread_of_row(row) * static_cast<float>(row.cols)), row.cols);
}
float spread_overflows(const Row& row) {
    return overflown(spread_of_row(row));
}
float spread_is_clipped(const Row& row) {
    return clipped(spread_of_row(row));
}
float sum_overflows(const Row& row) {
    return divided_by_count(overflown(mean_of_row(row) * static_cast<float>(row.cols)), row.cols);
}
float centred_overflows(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum += overflown(value - row.mean) * overflown(value - row.mean);
    return divided_by_count(sum, row.cols);
}

/// x * gamma first, in 16 bits.
float gamma_first(const Row& row, int64_t column) {
    return overflown(row.values[static_cast<size_t>(column)] * read_gamma(row, column)) * row.rstd;
}
float gamma_was_first(const Row&, float value, float) {
    return value;
}

/// Partial sums of squares merged as if they were moments: a term too many.
float merged_with_delta(const Row& row) {
    const int64_t half = row.cols / 2;
    if (half == 0) return spread_of_row(row);
    const float low = mean_square_of(row.values.data(), half);
    const float high = mean_square_of(row.values.data() + half, row.cols - half);
    const float share = static_cast<float>(half) / static_cast<float>(row.cols);
    return low + (high - low) * (1 - share) + (high - low) * (high - low) * share * (1 - share);
}

/// The root of the sum, not of the mean, is taken by way of 16 bits.
float root_of_sum_overflows(const Row& row) {
    const float sum = row.spread * static_cast<float>(row.cols);
    return std::sqrt(static_cast<float>(row.cols)) / overflown(std::sqrt(sum + row.eps * static_cast<float>(row.cols)));
}

}  // namespace

extern const nc_kernel rms_square_overflows = promising<[] { return Steps{.spread = mean_of_terms<overflown>}; }>(
    "faulty/rms_square_overflows", "rms batch_invariant=yes in_place=yes", "a square past the largest f16 is Inf",
    only_16_bits);
extern const nc_kernel layer_square_overflows =
    promising<[] { return Steps{.layer = true, .spread = mean_of_terms<overflown>}; }>(
        "faulty/layer_square_overflows", "layer beta=add batch_invariant=yes in_place=yes",
        "a centred square past the largest f16 is Inf", only_16_bits);
extern const nc_kernel rms_square_clipped = promising<[] { return Steps{.spread = mean_of_terms<clipped>}; }>(
    "faulty/rms_square_clipped", "rms batch_invariant=yes in_place=yes",
    "a square past the largest f16 counts as the largest f16", only_16_bits);
extern const nc_kernel rms_square_in_f16 = promising<[] { return Steps{.spread = mean_of_terms<to_f16>}; }>(
    "faulty/rms_square_in_f16", "rms batch_invariant=yes in_place=yes", "squares are rounded to f16", only_f16);
extern const nc_kernel rms_sum_overflows = rms<[] { return Steps{.spread = sum_of_squares_overflows}; }>(
    "faulty/rms_sum_overflows", "a sum of squares past the largest f16 is Inf", only_16_bits);
extern const nc_kernel layer_sum_overflows = layer<[] { return Steps{.mean = sum_overflows}; }>(
    "faulty/layer_sum_overflows", "a sum of values past the largest f16 is Inf", only_16_bits);
extern const nc_kernel layer_variance_overflows = layer<[] { return Steps{.spread = spread_overflows}; }>(
    "faulty/layer_variance_overflows", "a variance past the largest f16 is Inf", only_16_bits);
extern const nc_kernel rms_mean_square_clipped = rms<[] { return Steps{.spread = spread_is_clipped}; }>(
    "faulty/rms_mean_square_clipped", "a mean square past the largest f16 counts as the largest f16");
extern const nc_kernel layer_centred_overflows =
    promising<[] { return Steps{.layer = true, .spread = centred_overflows}; }>(
        "faulty/layer_centred_overflows", "layer beta=add batch_invariant=yes in_place=yes",
        "a centred value past the largest f16 is Inf", only_f16);
extern const nc_kernel rms_gamma_first = rms<[] { return Steps{.normalise = gamma_first, .scale = gamma_was_first}; }>(
    "faulty/rms_gamma_first", "x * gamma comes first and is Inf past the largest f16", only_16_bits);
extern const nc_kernel rms_root_of_sum_overflows = rms<[] { return Steps{.rstd = root_of_sum_overflows}; }>(
    "faulty/rms_root_of_sum_overflows", "the root of the sum of squares is Inf past the largest f16", only_16_bits);
extern const nc_kernel rms_f32_overflows =
    promising<[] { return Steps{}; }>("faulty/rms_f32_overflows", full_rms,
                                      "squares overflow and underflow in f32, though every row is promised", not_f16);
extern const nc_kernel layer_f32_overflows = promising<[] { return Steps{.layer = true}; }>(
    "faulty/layer_f32_overflows", full_layer, "sums and squares overflow in f32, though every row is promised",
    not_f16);
extern const nc_kernel rms_merge_with_delta = rms<[] { return Steps{.spread = merged_with_delta}; }>(
    "faulty/rms_merge_with_delta", "partial mean squares are merged with a squared difference, as only moments are");

}  // namespace normcheck::faulty
