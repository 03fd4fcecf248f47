// RMSNorm in the order of Llama's reference code: the normalised value is rounded to y's format, then multiplied by
// gamma; a block or a warp per row. The order of the sum: teams.hpp.
#include "harness/kernels/cuda/rms_rows.hpp"

namespace normcheck::NORMCHECK_SIDE {
namespace {

struct CastFirst : RmsSteps {
    static NORMCHECK_DEVICE float output(const Call& call, float normalised, float gamma) {
        return rounded(call.y.tensor.format, normalised) * gamma;
    }
};

constexpr const char* contract = "rms cast=before_gamma reduce=lanes:64 batch_invariant=yes in_place=yes";
constexpr Program by_blocks = rms_program<BlockTeam, CastFirst>();
constexpr Program by_warps = rms_program<WarpTeam, CastFirst>();

}  // namespace
}  // namespace normcheck::NORMCHECK_SIDE

NORMCHECK_CUDA_KERNEL(rms_cast_before_gamma, contract,
                      "RMSNorm that rounds to y's format before gamma (Llama), a block per row", by_blocks)
NORMCHECK_CUDA_KERNEL(rms_cast_before_gamma_warp, contract,
                      "RMSNorm that rounds to y's format before gamma (Llama), a warp per row", by_warps)
