// RMSNorm: x / sqrt(mean square + eps) * gamma; a block or a warp per row. The order of the sum: teams.hpp.
#include "harness/kernels/cuda/rms_rows.hpp"

namespace normcheck::NORMCHECK_SIDE {
namespace {

constexpr const char* contract = "rms reduce=lanes:64 batch_invariant=yes in_place=yes";
constexpr Program by_blocks = rms_program<BlockTeam, RmsSteps>();
constexpr Program by_warps = rms_program<WarpTeam, RmsSteps>();

}  // namespace
}  // namespace normcheck::NORMCHECK_SIDE

NORMCHECK_CUDA_KERNEL(rms, contract, "RMSNorm in f32, a block per row", by_blocks)
NORMCHECK_CUDA_KERNEL(rms_warp, contract, "RMSNorm in f32, a warp per row", by_warps)
