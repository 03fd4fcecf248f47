// LayerNorm with mean and variance in one pass: Welford's update in eight running moments a thread, merged by the
// formula of Chan, Golub and LeVeque at halving distances within the thread, the warp and over warps (teams.hpp). A
// block or a warp per row.
//
// Order: element i goes to moments i mod L, L = 8 T, which are merged in log2 L levels; that is `reduce=lanes:L` with L
// = 256 for a warp and 2048 for a block of 256 threads. A block has fewer threads only where n <= 8 T: then every
// moment holds one value at most, merges with empty moments change nothing, and the first n moments take ceil(log2 n)
// levels, which is what lanes:2048 allows for n <= 2048. The moments that a merge keeps on the left are never fewer
// values than those on the right.
#include "harness/kernels/cuda/layer_rows.hpp"

namespace normcheck::NORMCHECK_SIDE {
namespace {

/// How many values, their mean, and the sum of their squares about it.
struct Moments {
    float count, mean, squares;
};

NORMCHECK_DEVICE void update(Moments& moments, float value) {
    moments.count += 1;
    const float delta = value - moments.mean;
    moments.mean += delta / moments.count;  // by 1, the first time: exact
    moments.squares = fmaf(delta, value - moments.mean, moments.squares);
}

NORMCHECK_DEVICE Moments merged(const Moments& left, const Moments& right) {
    if (right.count == 0) return left;
    const float count = left.count + right.count;
    const float share = right.count / count;
    const float delta = right.mean - left.mean;
    return {count, fmaf(delta, share, left.mean),
            left.squares + fmaf(delta, delta * (left.count * share), right.squares)};
}

NORMCHECK_DEVICE Moments merged_eight(const Moments (&of)[8]) {
    return merged(merged(merged(of[0], of[4]), merged(of[2], of[6])),
                  merged(merged(of[1], of[5]), merged(of[3], of[7])));
}

/// The moments of a warp, in every lane: of each pair, both lanes keep the lower one on the left.
NORMCHECK_DEVICE Moments merged_warp(Moments own) {
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
        const Moments other{__shfl_xor_sync(full_warp, own.count, distance),
                            __shfl_xor_sync(full_warp, own.mean, distance),
                            __shfl_xor_sync(full_warp, own.squares, distance)};
        own = (threadIdx.x & static_cast<unsigned>(distance)) == 0 ? merged(own, other) : merged(other, own);
    }
    return own;
}

/// The moments of a block, in every thread.
NORMCHECK_DEVICE Moments merged_block(const Moments& of_warp) {
    NORMCHECK_SHARED(float, counts, most_warps);
    NORMCHECK_SHARED(float, means, most_warps);
    NORMCHECK_SHARED(float, squares, most_warps);
    const unsigned warp = threadIdx.x / warp_size;
    if (threadIdx.x % warp_size == 0) {
        counts[warp] = of_warp.count;
        means[warp] = of_warp.mean;
        squares[warp] = of_warp.squares;
    }
    __syncthreads();
    Moments of_warps[most_warps] = {};
    for (unsigned i = 0; i < blockDim.x / warp_size; ++i) of_warps[i] = {counts[i], means[i], squares[i]};
    __syncthreads();  // before the arrays are written again
    return merged_eight(of_warps);
}

template <nc_format x, class Team>
NORMCHECK_DEVICE Moments moments_of_row(const Call& call, int64_t row) {
    Moments running[group_size] = {};
    for (int64_t index = Team::rank(); index < call.groups; index += Team::size()) {
        const Group group = group_of(call, row, index);
        float values[group_size];
        load_group<x>(call.x, group, values);
        for (int i = 0; i < group_size; ++i)
            if (i < group.count) update(running[i], values[i]);
    }
    const Moments of_warp = merged_warp(merged_eight(running));
    if (Team::size() == warp_size) return of_warp;
    return merged_block(of_warp);
}

template <nc_format x, class Team>
NORMCHECK_KERNEL void layer_welford_rows(NORMCHECK_ARGUMENT(Call) call) {
    for (int64_t row = Team::first_row(); row < call.rows; row += Team::row_step()) {
        const Moments moments = moments_of_row<x, Team>(call, row);
        const float variance = divided_by_count(moments.squares, call.cols);
        const RowStatistics statistics{moments.mean, inverse_root(variance + call.eps)};
        save_statistics<Team>(call, row, statistics);
        for (int64_t index = Team::rank(); index < call.groups; index += Team::size()) {
            const Group group = group_of(call, row, index);
            float values[group_size];
            load_group<x>(call.x, group, values);
            write_centred(call, group, statistics, values);
        }
    }
}

template <class Team>
constexpr Program program{layer_welford_rows<NC_F32, Team>,
                          layer_welford_rows<NC_F16, Team>,
                          layer_welford_rows<NC_BF16, Team>,
                          Team::is_warp,
                          {.layer = true}};

constexpr const char* block_contract =
    "layer beta=add variance=welford reduce=lanes:2048 batch_invariant=yes in_place=yes";
constexpr const char* warp_contract =
    "layer beta=add variance=welford reduce=lanes:256 batch_invariant=yes in_place=yes";

}  // namespace
}  // namespace normcheck::NORMCHECK_SIDE

NORMCHECK_CUDA_KERNEL(
    layer_welford, block_contract,
    "LayerNorm, mean and variance in one pass by Welford's update, merged over warps, in f32, a block per row",
    program<BlockTeam>)
NORMCHECK_CUDA_KERNEL(
    layer_welford_warp, warp_contract,
    "LayerNorm, mean and variance in one pass by Welford's update, merged in a warp, in f32, a warp per row",
    program<WarpTeam>)
