// RMSNorm of x + residual, fused: the norm sees the sum in f32. The sum is returned in x's format.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

const char* run(const nc_call* call) {
    return run_program<float, RmsStatistics, ApplyScaled, ResidualSum::wide>(*call);
}

}  // namespace

extern const nc_kernel cpu_add_rms_wide = {
    "cpu/add_rms_wide", "rms reduce=lanes:16 residual=wide batch_invariant=yes in_place=yes",
    "RMSNorm of x + residual; the norm sees the sum in f32; in f32", cpu_formats, run};

}  // namespace normcheck
