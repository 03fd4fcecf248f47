// RMSNorm: x / sqrt(mean square + eps) * gamma.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

const char* run(const nc_call* call) {
    return run_program<float, RmsStatistics, ApplyScaled>(*call);
}

}  // namespace

extern const nc_kernel cpu_rms = {"cpu/rms", "rms reduce=lanes:16 batch_invariant=yes in_place=yes", "RMSNorm in f32",
                                  cpu_formats, run};

}  // namespace normcheck
