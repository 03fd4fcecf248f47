// Faults of kind E: casts in the wrong order, gamma and beta in the wrong format, the offset of 1, the rounding mode.
#include <bit>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr const char* cast_first = "rms cast=before_gamma reduce=lanes:16 batch_invariant=yes in_place=yes";
constexpr const char* one_plus = "rms gamma=one_plus reduce=lanes:16 batch_invariant=yes in_place=yes";
constexpr const char* wide_gamma = "rms params=f32 reduce=lanes:16 batch_invariant=yes in_place=yes";
constexpr const char* wide_parameters = "layer beta=add params=f32 reduce=lanes:16 batch_invariant=yes in_place=yes";

float to_output(const Row& row, float value) {
    return rounded(row.call.y.format, value);
}

float rounded_before_gamma(const Row& row, float value, float gamma) {
    return to_output(row, value) * gamma;
}
float rounded_after_gamma(const Row& row, float value, float gamma) {
    return to_output(row, value * gamma);
}
float plus_one(const Row&, float value, float gamma) {
    return value * (1 + gamma);
}
float plus_one_in_output(const Row& row, float value, float gamma) {
    return value * to_output(row, 1 + gamma);
}
float rounded_before_one_plus(const Row& row, float value, float gamma) {
    return to_output(row, value) * (1 + gamma);
}
float gamma_in_output(const Row& row, int64_t column) {
    return to_output(row, read_gamma(row, column));
}
float beta_in_output(const Row& row, int64_t column) {
    return to_output(row, read_beta_of(row, column));
}
/// The bits of an f32 gamma read as if they had x's format.
float gamma_misread(const Row& row, int64_t column) {
    if (row.call.gamma.data == nullptr) return 1;
    nc_tensor gamma = row.call.gamma;
    gamma.format = row.call.x.format;
    return read(gamma, 0, column);
}
float beta_before_gamma(const Row& row, int64_t column) {
    return normalised(row, column) + read_beta_of(row, column);
}
float beta_came_first(const Row&, float value, float) {
    return value;
}
float beta_times_gamma(const Row& row, int64_t column) {
    return read_beta_of(row, column) * read_gamma(row, column);
}
float centred_in_output(const Row& row, int64_t column) {
    return to_output(row, row.values[static_cast<size_t>(column)] - row.mean) * row.rstd;
}
float value_times_rounded_root(const Row& row, int64_t column) {
    return (row.values[static_cast<size_t>(column)] - row.mean) * to_output(row, row.rstd);
}

/// The bits of an f32 significand that the format does not have.
int dropped_bits(nc_format format) {
    return format == NC_F16 ? 13 : format == NC_BF16 ? 16 : 0;
}
bool is_normal_in(nc_format format, float value) {
    const float smallest = format == NC_F16 ? 0x1p-14f : 0x1p-126f;
    return std::isfinite(value) && std::abs(value) >= smallest;
}
/// Cuts off the bits that the format does not have, after adding `halves` times half of what they can hold. What is
/// subnormal in the format or not finite stays as it is.
float cut(nc_format format, float value, uint32_t halves) {
    const int bits = dropped_bits(format);
    if (bits == 0 || !is_normal_in(format, value)) return value;
    const uint32_t half = uint32_t{1} << (bits - 1);
    return std::bit_cast<float>((std::bit_cast<uint32_t>(value) + halves * half) >> bits << bits);
}
void store_truncated(const Row& row, int64_t column, float value) {
    write(row.call.y, row.index, column, cut(row.call.y.format, value, 0));
}
void store_half_away(const Row& row, int64_t column, float value) {
    write(row.call.y, row.index, column, cut(row.call.y.format, value, 1));
}
void store_half_down(const Row& row, int64_t column, float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    write(row.call.y, row.index, column, cut(row.call.y.format, std::bit_cast<float>(bits - (bits << 1 != 0)), 1));
}
void store_upward(const Row& row, int64_t column, float value) {
    const float down = cut(row.call.y.format, value, 0);
    write(row.call.y, row.index, column, down < value ? cut(row.call.y.format, value, 2) : down);
}
void store_by_way_of_f16(const Row& row, int64_t column, float value) {
    write(row.call.y, row.index, column, rounded(NC_F16, value));
}
void store_by_way_of_bf16(const Row& row, int64_t column, float value) {
    write(row.call.y, row.index, column, rounded(NC_BF16, value));
}

}  // namespace

extern const nc_kernel rms_cast_too_early = rms<[] { return Steps{.scale = rounded_before_gamma}; }>(
    "faulty/rms_cast_too_early", "rounded to y's format before gamma, though only the result is to be rounded",
    only_16_bits);
extern const nc_kernel layer_cast_too_early = layer<[] { return Steps{.scale = rounded_before_gamma}; }>(
    "faulty/layer_cast_too_early", "rounded to y's format before gamma, though only the result is to be rounded",
    only_16_bits);
extern const nc_kernel rms_cast_too_late = promising<[] { return Steps{}; }>(
    "faulty/rms_cast_too_late", cast_first, "not rounded before gamma, though it is promised", only_16_bits);
extern const nc_kernel layer_cast_before_beta = layer<[] { return Steps{.scale = rounded_after_gamma}; }>(
    "faulty/layer_cast_before_beta", "rounded to y's format before beta is added", only_16_bits);
extern const nc_kernel layer_centred_cast = layer<[] { return Steps{.normalise = centred_in_output}; }>(
    "faulty/layer_centred_cast", "x - mean is rounded to y's format", only_16_bits);
extern const nc_kernel rms_root_cast = rms<[] { return Steps{.normalise = value_times_rounded_root}; }>(
    "faulty/rms_root_cast", "multiplied by a reciprocal root in y's format; the one that is returned is right",
    only_16_bits);
extern const nc_kernel rms_root_not_stored = promising<[] { return Steps{}; }>(
    "faulty/rms_root_not_stored", "rms stored=rstd:bf16 reduce=lanes:16 batch_invariant=yes in_place=yes",
    "the reciprocal root is not rounded to bf16, though it is promised");
extern const nc_kernel rms_one_plus_lost = promising<[] { return Steps{.absent_gamma = 1}; }>(
    "faulty/rms_one_plus_lost", one_plus, "gamma is multiplied in as stored, without the 1");
extern const nc_kernel rms_one_plus_unasked = rms<[] { return Steps{.absent_gamma = 0, .scale = plus_one}; }>(
    "faulty/rms_one_plus_unasked", "1 is added to gamma, though it is stored whole");
extern const nc_kernel rms_one_plus_in_output =
    promising<[] { return Steps{.absent_gamma = 0, .scale = plus_one_in_output}; }>(
        "faulty/rms_one_plus_in_output", one_plus, "1 + gamma is rounded to y's format", only_16_bits);
extern const nc_kernel rms_one_plus_cast_too_early =
    promising<[] { return Steps{.absent_gamma = 0, .scale = rounded_before_one_plus}; }>(
        "faulty/rms_one_plus_cast_too_early", one_plus, "rounded to y's format before it is multiplied by 1 + gamma",
        only_16_bits);
extern const nc_kernel rms_gamma_rounded = promising<[] { return Steps{.gamma = gamma_in_output}; }>(
    "faulty/rms_gamma_rounded", wide_gamma, "an f32 gamma is rounded to y's format", only_16_bits);
extern const nc_kernel layer_beta_rounded = promising<[] { return Steps{.layer = true, .beta = beta_in_output}; }>(
    "faulty/layer_beta_rounded", wide_parameters, "an f32 beta is rounded to y's format", only_16_bits);
extern const nc_kernel rms_gamma_misread = promising<[] { return Steps{.gamma = gamma_misread}; }>(
    "faulty/rms_gamma_misread", wide_gamma, "the bits of an f32 gamma are read in x's format", only_16_bits);
extern const nc_kernel layer_beta_before_gamma =
    layer<[] { return Steps{.normalise = beta_before_gamma, .shift = beta_came_first}; }>(
        "faulty/layer_beta_before_gamma", "beta is added before gamma is multiplied in");
extern const nc_kernel layer_beta_scaled =
    layer<[] { return Steps{.beta = beta_times_gamma}; }>("faulty/layer_beta_scaled", "beta is multiplied by gamma");
extern const nc_kernel layer_beta_dropped =
    layer<[] { return Steps{.shift = beta_came_first}; }>("faulty/layer_beta_dropped", "beta is not added");
extern const nc_kernel rms_truncates = rms<[] { return Steps{.store = store_truncated}; }>(
    "faulty/rms_truncates", "outputs are cut off, not rounded", only_16_bits);
extern const nc_kernel rms_half_away =
    promising<[] { return Steps{.scale = rounded_before_gamma, .store = store_half_away}; }>(
        "faulty/rms_half_away", cast_first, "ties are rounded away from zero, not to even", only_16_bits);
extern const nc_kernel rms_half_down =
    promising<[] { return Steps{.scale = rounded_before_gamma, .store = store_half_down}; }>(
        "faulty/rms_half_down", cast_first, "ties are rounded towards zero, not to even", only_16_bits);
extern const nc_kernel layer_rounds_up = layer<[] { return Steps{.store = store_upward}; }>(
    "faulty/layer_rounds_up", "outputs are rounded upward", only_16_bits);
extern const nc_kernel rms_by_way_of_f16 = rms<[] { return Steps{.store = store_by_way_of_f16}; }>(
    "faulty/rms_by_way_of_f16", "outputs are rounded to f16 on the way to y's format", 1U << NC_F32 | 1U << NC_BF16);
extern const nc_kernel layer_by_way_of_bf16 = layer<[] { return Steps{.store = store_by_way_of_bf16}; }>(
    "faulty/layer_by_way_of_bf16", "outputs are rounded to bf16 on the way to y's format", 1U << NC_F32 | 1U << NC_F16);

}  // namespace normcheck::faulty
