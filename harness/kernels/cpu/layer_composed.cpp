// LayerNorm as an unfused framework composes it: every step is a pass over the whole tensor, with f32 temporaries
// between.
#include "harness/kernels/cpu/passes.hpp"

namespace normcheck {
namespace {

void compose(const nc_call& call) {
    const int64_t cols = call.x.shape[1];
    const auto gamma = read_parameter(call.gamma, cols, 1.0f);
    const auto beta = read_beta<float>(call.beta, cols);
    Matrix values = load_matrix(call, call.x);
    const Column mean = reduce_rows(call, values, lane_mean);
    subtract_column(call, mean, values);
    Column rstd = reduce_rows(call, squared(call, values), lane_mean);
    invert_roots(static_cast<float>(call.eps), rstd);
    multiply_by_column(call, rstd, values);
    multiply_by_vector(call, gamma.values, values);
    add_vector(call, beta.values, values);
    store_matrix(call, values, call.y);
    save_column(call, mean, call.mean);
    save_column(call, rstd, call.rstd);
}

const char* run(const nc_call* call) {
    return run_checked(*call, {.layer = true}, [&] { compose(*call); });
}

}  // namespace

extern const nc_kernel cpu_layer_composed = {"cpu/layer_composed",
                                             "layer beta=add reduce=lanes:16 batch_invariant=yes in_place=yes",
                                             "LayerNorm composed of passes over f32 temporaries", cpu_formats, run};

}  // namespace normcheck
