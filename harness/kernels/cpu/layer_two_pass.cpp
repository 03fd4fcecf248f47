// LayerNorm by the book: the mean first, then the variance of the centred values.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

constexpr RowProgram<float> program{
    .layer = true, .statistics = two_pass_statistics<float>, .apply = apply_centred<float>};

const char* run(const nc_call* call) {
    return run_program(program, *call);
}

}  // namespace

extern const nc_kernel cpu_layer_two_pass = {
    "cpu/layer_two_pass", "layer beta=add reduce=lanes:16 batch_invariant=yes in_place=yes",
    "LayerNorm, mean first, then the variance of the centred values, in f32", cpu_formats, run};

}  // namespace normcheck
