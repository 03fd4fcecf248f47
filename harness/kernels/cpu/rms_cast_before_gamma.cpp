// RMSNorm in the order of Llama's reference code: the normalised value is rounded to y's format, then multiplied by
// gamma. That product is exact in f64, so it is rounded once, whatever the formats are.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

void apply_cast_first(const Block<float, double>& block, const RowStatistics<float>& statistics) {
    float normalised[block_size];
    const float *values = block.values, *gamma = block.gamma;
    const float rstd = statistics.rstd;
    double* out = block.out;
#pragma omp simd
    for (int64_t i = 0; i < block.count; ++i) normalised[i] = values[i] * rstd;
    round_to(block.y, block.count, normalised);
#pragma omp simd
    for (int64_t i = 0; i < block.count; ++i)
        out[i] = static_cast<double>(normalised[i]) * static_cast<double>(gamma[i]);
}

constexpr RowProgram<float, double> program{.statistics = rms_statistics<float>, .apply = apply_cast_first};

const char* run(const nc_call* call) {
    return run_program(program, *call);
}

}  // namespace

extern const nc_kernel cpu_rms_cast_before_gamma = {
    "cpu/rms_cast_before_gamma", "rms cast=before_gamma reduce=lanes:16 batch_invariant=yes in_place=yes",
    "RMSNorm that rounds to y's format before gamma (Llama), in f32", cpu_formats, run};

}  // namespace normcheck
