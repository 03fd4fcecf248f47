// LayerNorm that folds the mean into a shift, x * rstd + (-mean * rstd), as kernels do that prepare one multiply-add
// per element. The product and the sum are rounded separately here.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

/// (x * rstd + shift) * gamma + beta
struct ApplyFolded {
    static constexpr bool layer = true;
    static constexpr int absent_gamma = 1;
    template <class Y, class Values>
    static Values of(Values x, Values gamma, Values beta, const RowStatistics<float>& statistics) {
        const float shift = -statistics.mean * statistics.rstd;
        return (x * statistics.rstd + shift) * gamma + beta;
    }
};

const char* run(const nc_call* call) {
    return run_program<float, TwoPassStatistics, ApplyFolded>(*call);
}

}  // namespace

extern const nc_kernel cpu_layer_folded = {
    "cpu/layer_folded", "layer beta=add apply=folded reduce=lanes:16 batch_invariant=yes in_place=yes",
    "LayerNorm, applied as x * rstd + (-mean * rstd), in f32", cpu_formats, run};

}  // namespace normcheck
