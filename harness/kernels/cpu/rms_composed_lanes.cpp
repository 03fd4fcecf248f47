// RMSNorm as an unfused framework composes it, the mean square summed in lanes: the one to set beside LayerNorm that is
// composed of the same passes.
#include "harness/kernels/cpu/passes.hpp"

namespace normcheck {
namespace {

const char* run(const nc_call* call) {
    return run_checked(*call, {}, [&] { compose_rms(*call, lane_mean); });
}

}  // namespace

extern const nc_kernel cpu_rms_composed_lanes = {
    "cpu/rms_composed_lanes", "rms reduce=lanes:16 batch_invariant=yes in_place=yes",
    "RMSNorm composed of passes over f32 temporaries, summed in lanes", cpu_formats, run};

}  // namespace normcheck
