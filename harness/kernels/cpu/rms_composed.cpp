// RMSNorm as an unfused framework composes it: every step is a pass over the whole tensor, with f32 temporaries
// between, and the mean square is summed from left to right.
#include "harness/kernels/cpu/passes.hpp"

namespace normcheck {
namespace {

float sequential_mean(const float* values, int64_t count) {
    float sum = 0;
    for (int64_t i = 0; i < count; ++i) sum += values[i];
    return divided_by_count(sum, count);
}

const char* run(const nc_call* call) {
    return run_checked(*call, {}, [&] { compose_rms(*call, sequential_mean); });
}

}  // namespace

extern const nc_kernel cpu_rms_composed = {"cpu/rms_composed", "rms reduce=sequential batch_invariant=yes in_place=yes",
                                           "RMSNorm composed of passes over f32 temporaries, summed from left to right",
                                           cpu_formats, run};

}  // namespace normcheck
