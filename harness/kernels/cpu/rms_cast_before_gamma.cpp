// RMSNorm in the order of Llama's reference code: the normalised value is rounded to y's format, then multiplied by
// gamma. That product is exact in f64, so it is rounded once, whatever the formats are.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

struct ApplyCastFirst {
    static constexpr bool layer = false;
    static constexpr int absent_gamma = 1;
    template <class Y, class Values>
    static Like<Values, double> of(Values x, Values gamma, const RowStatistics<float>& statistics) {
        const Values normalised = Y::template decode<float>(Y::encode(x * statistics.rstd));
        return convert<double>(normalised) * convert<double>(gamma);
    }
};

const char* run(const nc_call* call) {
    return run_program<float, RmsStatistics, ApplyCastFirst>(*call);
}

}  // namespace

extern const nc_kernel cpu_rms_cast_before_gamma = {
    "cpu/rms_cast_before_gamma", "rms cast=before_gamma reduce=lanes:16 batch_invariant=yes in_place=yes",
    "RMSNorm that rounds to y's format before gamma (Llama), in f32", cpu_formats, run};

}  // namespace normcheck
