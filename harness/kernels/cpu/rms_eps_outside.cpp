// RMSNorm with eps added outside the root: x / (sqrt(mean square) + eps) * gamma.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

RowStatistics<float> outside_statistics(const float* values, int64_t count, float eps) {
    return {0, 1 / (std::sqrt(mean_square_of(values, count)) + eps)};
}

constexpr RowProgram<float> program{.statistics = outside_statistics, .apply = apply_scaled<float>};

const char* run(const nc_call* call) {
    return run_program(program, *call);
}

}  // namespace

extern const nc_kernel cpu_rms_eps_outside = {"cpu/rms_eps_outside",
                                              "rms eps_at=outside reduce=lanes:16 batch_invariant=yes in_place=yes",
                                              "RMSNorm with eps added to the root, in f32", cpu_formats, run};

}  // namespace normcheck
