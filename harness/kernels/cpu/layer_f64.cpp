// LayerNorm with everything between load and store in f64: no input in f32, f16 or bf16 can leave its range.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

const char* run(const nc_call* call) {
    return run_program<double, TwoPassStatistics, ApplyCentred>(*call);
}

}  // namespace

extern const nc_kernel cpu_layer_f64 = {
    "cpu/layer_f64", "layer beta=add acc=f64 reduce=lanes:16 range=full batch_invariant=yes in_place=yes",
    "LayerNorm, mean first, then the variance of the centred values, in f64", cpu_formats, run};

}  // namespace normcheck
