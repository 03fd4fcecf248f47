// RMSNorm as Gemma's: gamma is stored as an offset from 1, which is added in f32; multiply, then cast.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

/// (x * rstd) * (1 + gamma)
void apply_one_plus(const Block<float>& block, const RowStatistics<float>& statistics) {
    const float *values = block.values, *gamma = block.gamma;
    const float rstd = statistics.rstd;
    float* out = block.out;
#pragma omp simd
    for (int64_t i = 0; i < block.count; ++i) out[i] = values[i] * rstd * (1 + gamma[i]);
}

constexpr RowProgram<float> program{.statistics = rms_statistics<float>, .apply = apply_one_plus, .absent_gamma = 0};

const char* run(const nc_call* call) {
    return run_program(program, *call);
}

}  // namespace

extern const nc_kernel cpu_rms_one_plus = {
    "cpu/rms_one_plus", "rms gamma=one_plus reduce=lanes:16 batch_invariant=yes in_place=yes",
    "RMSNorm with gamma stored as an offset from 1 (Gemma), in f32", cpu_formats, run};

}  // namespace normcheck
