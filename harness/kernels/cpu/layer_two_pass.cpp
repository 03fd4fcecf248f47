// LayerNorm by the book: the mean first, then the variance of the centred values.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

const char* run(const nc_call* call) {
    return run_program<float, TwoPassStatistics, ApplyCentred>(*call);
}

}  // namespace

extern const nc_kernel cpu_layer_two_pass = {
    "cpu/layer_two_pass", "layer beta=add reduce=lanes:16 batch_invariant=yes in_place=yes",
    "LayerNorm, mean first, then the variance of the centred values, in f32", cpu_formats, run};

}  // namespace normcheck
