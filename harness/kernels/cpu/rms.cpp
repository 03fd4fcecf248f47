// RMSNorm: x / sqrt(mean square + eps) * gamma.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

constexpr RowProgram<float> program{.statistics = rms_statistics<float>, .apply = apply_scaled<float>};

const char* run(const nc_call* call) {
    return run_program(program, *call);
}

}  // namespace

extern const nc_kernel cpu_rms = {"cpu/rms", "rms reduce=lanes:16 batch_invariant=yes in_place=yes", "RMSNorm in f32",
                                  cpu_formats, run};

}  // namespace normcheck
