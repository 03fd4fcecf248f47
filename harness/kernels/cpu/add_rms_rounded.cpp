// RMSNorm of x + residual, fused: the sum is rounded to x's format before the norm sees it. The sum is returned in x's
// format.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

const char* run(const nc_call* call) {
    return run_program<float, RmsStatistics, ApplyScaled, ResidualSum::rounded>(*call);
}

}  // namespace

extern const nc_kernel cpu_add_rms_rounded = {
    "cpu/add_rms_rounded", "rms reduce=lanes:16 residual=rounded batch_invariant=yes in_place=yes",
    "RMSNorm of x + residual; the sum is rounded to x's format before the norm sees it; in f32", cpu_formats, run};

}  // namespace normcheck
