// RMSNorm as Gemma's: gamma is stored as an offset from 1, which is added in f32; multiply, then cast.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

/// (x * rstd) * (1 + gamma)
struct ApplyOnePlus {
    static constexpr bool layer = false;
    static constexpr int absent_gamma = 0;
    template <class Y, class Values>
    static Values of(Values x, Values gamma, const RowStatistics<float>& statistics) {
        return x * statistics.rstd * (1 + gamma);
    }
};

const char* run(const nc_call* call) {
    return run_program<float, RmsStatistics, ApplyOnePlus>(*call);
}

}  // namespace

extern const nc_kernel cpu_rms_one_plus = {
    "cpu/rms_one_plus", "rms gamma=one_plus reduce=lanes:16 batch_invariant=yes in_place=yes",
    "RMSNorm with gamma stored as an offset from 1 (Gemma), in f32", cpu_formats, run};

}  // namespace normcheck
