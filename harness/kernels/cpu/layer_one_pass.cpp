// LayerNorm with the variance as mean square less squared mean: cheap, and wrong by cancellation where the mean is
// large. It is here because real kernels do it, and it declares so.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

/// Both sums need one pass only; reading the row twice, from the cache, gives the same bits.
RowStatistics<float> one_pass_statistics(const float* values, int64_t count, float eps) {
    const float mean = mean_of(values, count);
    const float variance = mean_square_of(values, count) - mean * mean;
    return {mean, inverse_root((variance < 0 ? 0 : variance) + eps)};  // the comparison lets a NaN through
}

constexpr RowProgram<float> program{.layer = true, .statistics = one_pass_statistics, .apply = apply_centred<float>};

const char* run(const nc_call* call) {
    return run_program(program, *call);
}

}  // namespace

extern const nc_kernel cpu_layer_one_pass = {
    "cpu/layer_one_pass", "layer beta=add variance=one_pass reduce=lanes:16 batch_invariant=yes in_place=yes",
    "LayerNorm, variance as mean square less squared mean, not below 0, in f32", cpu_formats, run};

}  // namespace normcheck
