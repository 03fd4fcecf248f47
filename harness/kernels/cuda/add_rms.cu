// RMSNorm of x + residual, fused: the sum is rounded to x's format before the norm sees it, or kept in f32; a block or
// a warp per row. Everything is written in the second pass over the row, so y may lie on x and the returned residual on
// the residual. The order of the sum: teams.hpp.
#include "harness/kernels/cuda/rms_rows.hpp"

namespace normcheck::NORMCHECK_SIDE {
namespace {

/// The sum of two 16-bit values is rounded to f32 first; f32 has more than 2p+2 bits, so the second rounding gives what
/// one rounding would.
template <bool is_rounded>
struct AddFirst : RmsSteps {
    template <nc_format x>
    static NORMCHECK_DEVICE void load(const Call& call, const Group& group, float (&values)[group_size]) {
        float residual[group_size];
        load_group<x>(call.x, group, values);
        load_group<x>(call.residual, group, residual);
        for (int i = 0; i < group_size; ++i) values[i] += residual[i];
        if constexpr (is_rounded)
            for (int i = 0; i < group_size; ++i) values[i] = rounded(x, values[i]);
    }
    template <nc_format x>
    static NORMCHECK_DEVICE void keep(const Call& call, const Group& group, const float (&values)[group_size]) {
        if (call.residual_out.tensor.data != nullptr) store_group<x>(call.residual_out, group, values);
    }
};

constexpr const char* rounded_contract = "rms reduce=lanes:64 residual=rounded batch_invariant=yes in_place=yes";
constexpr const char* wide_contract = "rms reduce=lanes:64 residual=wide batch_invariant=yes in_place=yes";
constexpr Program rounded_by_blocks = rms_program<BlockTeam, AddFirst<true>>(true);
constexpr Program rounded_by_warps = rms_program<WarpTeam, AddFirst<true>>(true);
constexpr Program wide_by_blocks = rms_program<BlockTeam, AddFirst<false>>(true);

}  // namespace
}  // namespace normcheck::NORMCHECK_SIDE

NORMCHECK_CUDA_KERNEL(
    add_rms_rounded, rounded_contract,
    "RMSNorm of x + residual; the sum is rounded to x's format before the norm sees it; a block per row",
    rounded_by_blocks)
NORMCHECK_CUDA_KERNEL(
    add_rms_rounded_warp, rounded_contract,
    "RMSNorm of x + residual; the sum is rounded to x's format before the norm sees it; a warp per row",
    rounded_by_warps)
NORMCHECK_CUDA_KERNEL(add_rms_wide, wide_contract,
                      "RMSNorm of x + residual; the norm sees the sum in f32; a block per row", wide_by_blocks)
