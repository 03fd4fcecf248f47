// RMSNorm: x / sqrt(mean square + eps) * gamma; a block or a warp per row. The order of the sum: teams.hpp.
#include "harness/kernels/cuda/rms_rows.hpp"

namespace normcheck::NORMCHECK_SIDE {
namespace {

constexpr const char* rms_contract = "rms reduce=lanes:64 batch_invariant=yes in_place=yes";
constexpr Program rms_by_blocks = rms_program<BlockTeam, RmsSteps>();
constexpr Program rms_by_warps = rms_program<WarpTeam, RmsSteps>();

}  // namespace
}  // namespace normcheck::NORMCHECK_SIDE

NORMCHECK_CUDA_KERNEL(rms, NORMCHECK_SIDE::rms_contract, "RMSNorm in f32, a block per row",
                      NORMCHECK_SIDE::rms_by_blocks)
NORMCHECK_CUDA_KERNEL(rms_warp, NORMCHECK_SIDE::rms_contract, "RMSNorm in f32, a warp per row",
                      NORMCHECK_SIDE::rms_by_warps)
