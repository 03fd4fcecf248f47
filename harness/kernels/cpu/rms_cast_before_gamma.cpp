// RMSNorm in the order of Llama's reference code: the normalised value is rounded to y's format, then multiplied by
// gamma. The product is taken where it is exact, or rounded as the store would round it, so that it is rounded once.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

/// The product is taken in Wide.
template <class Wide>
struct ApplyCastFirst {
    static constexpr bool layer = false;
    static constexpr int absent_gamma = 1;
    template <class Y, class Values>
    static Like<Values, Wide> of(Values x, Values gamma, const RowStatistics<float>& statistics) {
        const Values normalised = Y::template decode<float>(Y::encode(x * statistics.rstd));
        return convert<Wide>(normalised) * convert<Wide>(gamma);
    }
};

/// True where a product in f32 serves: it is y itself, or both factors have the same 16-bit format, whose significands
/// of p bits give 2p at most. Products of bf16 that f32 cannot hold exactly lie below half of bf16's smallest value,
/// and round to 0 either way. f64 holds every product of two values of f32 and narrower formats.
bool serves_in_f32(const nc_call& call) {
    return call.y.format == NC_F32 ||
           (call.y.format != NC_F64 && (call.gamma.data == nullptr || call.gamma.format == call.y.format));
}

const char* run(const nc_call* call) {
    return serves_in_f32(*call) ? run_program<float, RmsStatistics, ApplyCastFirst<float>>(*call)
                                : run_program<float, RmsStatistics, ApplyCastFirst<double>>(*call);
}

}  // namespace

extern const nc_kernel cpu_rms_cast_before_gamma = {
    "cpu/rms_cast_before_gamma", "rms cast=before_gamma reduce=lanes:16 batch_invariant=yes in_place=yes",
    "RMSNorm that rounds to y's format before gamma (Llama), in f32", cpu_formats, run};

}  // namespace normcheck
