// The last steps that several kernels share: normalise, scale, shift; each step one operation of the accumulator's
// format.
#pragma once

#include "harness/kernels/cpu/row_program.hpp"

namespace normcheck {

/// ((x - mean) * rstd) * gamma + beta
template <class Float>
void apply_centred(const Block<Float>& block, const RowStatistics<Float>& statistics) {
    const Float *values = block.values, *gamma = block.gamma, *beta = block.beta;
    const Float mean = statistics.mean, rstd = statistics.rstd;
    Float* out = block.out;
#pragma omp simd
    for (int64_t i = 0; i < block.count; ++i) out[i] = (values[i] - mean) * rstd * gamma[i] + beta[i];
}

/// (x * rstd) * gamma
template <class Float>
void apply_scaled(const Block<Float>& block, const RowStatistics<Float>& statistics) {
    const Float *values = block.values, *gamma = block.gamma;
    const Float rstd = statistics.rstd;
    Float* out = block.out;
#pragma omp simd
    for (int64_t i = 0; i < block.count; ++i) out[i] = values[i] * rstd * gamma[i];
}

}  // namespace normcheck
