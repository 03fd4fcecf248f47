// Who works on a row: a block, or one warp of a block; and how a team adds up. Thread t of T has the groups t, t + T,
// ..., and keeps eight sums, one per place in a group: element i of the row goes to sum i mod L of the team, L = 8 T.
// Sums are then added in pairs at halving distances: 4, 2, 1 within a thread, 16, ..., 1 within a warp, 4, 2, 1 over
// warps.
//
// Depth, where n values are summed: a pair one side of which has no value costs no rounding, since adding 0 is exact,
// and the first value of a sum is added to 0. So a term passes at most ceil(n / L) - 1 additions in its sum; and in the
// pairs, if n >= L, log2 L, else ceil(log2 n): the sums with values are then the first n, and distances of n or more
// pair them with none. A block has fewer than 256 threads only where n <= 8 T. This is never more than
// `reduce=lanes:64` allows, floor(n / 64) + 6 + n mod 64, as L = 64 q with q = 4, 8, ..., 32:
//   n <= L:  with n = 64 m + r, m >= 1: ceil(log2 n) <= 6 + ceil(log2(m + 1)) <= 6 + m; m = 0: ceil(log2 n) <= 6.
//   n > L:   with k = floor(n / L) >= 1: ceil(n / L) - 1 + log2 L <= k + 6 + log2 q <= 6 + q k <= 6 + floor(n / 64).
// (L is not 64 times a power of two where T is none; then n <= L.)
#pragma once

#include "harness/kernels/cuda/groups.hpp"

namespace normcheck::NORMCHECK_SIDE {

constexpr unsigned largest_team = 256;
constexpr unsigned most_warps = largest_team / warp_size;

NORMCHECK_DEVICE float add_pairs(const float (&sums)[8]) {
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// The sum over the lanes of a warp, in every lane.
NORMCHECK_DEVICE float warp_sum(float value) {
    for (int distance = warp_size / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(full_warp, value, distance);
    return value;
}

/// A warp per row: lane by lane, no barrier of the block.
struct WarpTeam {
    static constexpr bool is_warp = true;
    static constexpr unsigned warps = 4;  // of a block
    static NORMCHECK_DEVICE int64_t first_row() {
        return static_cast<int64_t>(blockIdx.x) * warps + threadIdx.x / warp_size;
    }
    static NORMCHECK_DEVICE int64_t row_step() { return static_cast<int64_t>(gridDim.x) * warps; }
    static NORMCHECK_DEVICE unsigned rank() { return threadIdx.x % warp_size; }
    static NORMCHECK_DEVICE unsigned size() { return warp_size; }
    static NORMCHECK_DEVICE float sum(const float (&sums)[group_size]) { return warp_sum(add_pairs(sums)); }
};

/// A block per row.
struct BlockTeam {
    static constexpr bool is_warp = false;
    static NORMCHECK_DEVICE int64_t first_row() { return blockIdx.x; }
    static NORMCHECK_DEVICE int64_t row_step() { return gridDim.x; }
    static NORMCHECK_DEVICE unsigned rank() { return threadIdx.x; }
    static NORMCHECK_DEVICE unsigned size() { return blockDim.x; }

    static NORMCHECK_DEVICE float sum(const float (&sums)[group_size]) {
        const float of_warp = warp_sum(add_pairs(sums));
        if (blockDim.x == warp_size) return of_warp;
        NORMCHECK_SHARED(float, partial, most_warps);
        if (threadIdx.x % warp_size == 0) partial[threadIdx.x / warp_size] = of_warp;
        __syncthreads();
        float of_warps[most_warps];
        for (unsigned warp = 0; warp < most_warps; ++warp)
            of_warps[warp] = warp < blockDim.x / warp_size ? partial[warp] : 0.0f;
        __syncthreads();  // before partial is written again
        return add_pairs(of_warps);
    }
};

}  // namespace normcheck::NORMCHECK_SIDE
