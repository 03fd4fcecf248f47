// RMSNorm with everything between load and store in f64: no input in f32, f16 or bf16 can leave its range.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

const char* run(const nc_call* call) {
    return run_program<double, RmsStatistics, ApplyScaled>(*call);
}

}  // namespace

extern const nc_kernel cpu_rms_f64 = {"cpu/rms_f64",
                                      "rms acc=f64 reduce=lanes:16 range=full batch_invariant=yes in_place=yes",
                                      "RMSNorm in f64", cpu_formats, run};

}  // namespace normcheck
