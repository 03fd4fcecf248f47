// LayerNorm that folds the mean into a shift, x * rstd + (-mean * rstd), as kernels do that prepare one multiply-add
// per element. The product and the sum are rounded separately here.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

/// (x * rstd + shift) * gamma + beta
void apply_folded(const Block<float>& block, const RowStatistics<float>& statistics) {
    const float *values = block.values, *gamma = block.gamma, *beta = block.beta;
    const float rstd = statistics.rstd, shift = -statistics.mean * statistics.rstd;
    float* out = block.out;
#pragma omp simd
    for (int64_t i = 0; i < block.count; ++i) out[i] = (values[i] * rstd + shift) * gamma[i] + beta[i];
}

constexpr RowProgram<float> program{.layer = true, .statistics = two_pass_statistics<float>, .apply = apply_folded};

const char* run(const nc_call* call) {
    return run_program(program, *call);
}

}  // namespace

extern const nc_kernel cpu_layer_folded = {
    "cpu/layer_folded", "layer beta=add apply=folded reduce=lanes:16 batch_invariant=yes in_place=yes",
    "LayerNorm, applied as x * rstd + (-mean * rstd), in f32", cpu_formats, run};

}  // namespace normcheck
