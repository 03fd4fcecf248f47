// Faults of CUDA kernels that the device model sees as they happen: barriers, masks, shared memory, alignment.
#include "harness/kernels/faulty/cuda_parts.hpp"

namespace normcheck::faulty {
namespace {

using namespace cuda;

struct MissingBarrier : LayerParts {
    static float over_block(float of_warp) { return sum_over_block<most_warps, false, true>(of_warp); }
};

struct SumsReused : LayerParts {
    static float over_block(float of_warp) { return sum_over_block<most_warps, true, false>(of_warp); }
};

/// Only the first lane of each warp, which has something to write, waits for the others.
struct BarrierInBranch : LayerParts {
    static float over_block(float of_warp) {
        if (blockDim.x == warp_size) return of_warp;
        NORMCHECK_SHARED(float, partial, most_warps);
        if (threadIdx.x % warp_size == 0) {
            partial[threadIdx.x / warp_size] = of_warp;
            __syncthreads();
        }
        return over_partial_sums(partial);
    }
};

struct EarlyReturn : RmsParts {
    static bool takes_part(const Call& call) { return threadIdx.x < call.groups; }
};

/// A block as small as the row, which still exchanges values with a whole warp.
struct FullMask : RmsParts {
    static unsigned threads(const Call& call) {
        return call.groups < warp_size ? static_cast<unsigned>(call.groups) : RmsParts::threads(call);
    }
};

struct HalfMask : LayerParts {
    static float over_warp(float value) {
        for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffff, value, distance);
        return value;
    }
};

/// The lanes of a warp are taken to run in step, so that shared memory needs no barrier among them.
struct MissingWarpBarrier : RmsParts {
    static float over_warp(float value) {
        NORMCHECK_SHARED(float, lanes, largest_team);
        lanes[threadIdx.x] = value;
        for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
            if (threadIdx.x % warp_size < distance) lanes[threadIdx.x] += lanes[threadIdx.x + distance];
        return lanes[threadIdx.x / warp_size * warp_size];
    }
};

struct SharedTooSmall : RmsParts {
    static float over_block(float of_warp) { return sum_over_block<most_warps / 2>(of_warp); }
};

/// The sums of warps that the block does not have are added, too.
struct SharedUnwritten : LayerParts {
    static float over_block(float of_warp) {
        if (blockDim.x == warp_size) return of_warp;
        NORMCHECK_SHARED(float, partial, most_warps);
        if (threadIdx.x % warp_size == 0) partial[threadIdx.x / warp_size] = of_warp;
        __syncthreads();
        float sums[most_warps];
        for (unsigned warp = 0; warp < most_warps; ++warp) sums[warp] = partial[warp];
        __syncthreads();
        return add_pairs(sums);
    }
};

/// Every row is taken to begin where vectors may.
struct Misaligned : RmsParts {
    static void describe(Call& call) { call.x.vectors = call.x.tensor.strides[1] == 1; }
};

}  // namespace

extern const nc_kernel cuda_layer_missing_barrier = cuda::kernel<MissingBarrier>(
    "faulty/cuda_layer_missing_barrier", "sums of warps are read without a barrier after they are written");
extern const nc_kernel cuda_layer_sums_reused = cuda::kernel<SumsReused>(
    "faulty/cuda_layer_sums_reused", "sums of warps are written without a barrier after those before are read");
extern const nc_kernel cuda_layer_barrier_in_branch = cuda::kernel<BarrierInBranch>(
    "faulty/cuda_layer_barrier_in_branch", "the barrier stands in a branch that one lane of a warp takes");
extern const nc_kernel cuda_rms_early_return =
    cuda::kernel<EarlyReturn>("faulty/cuda_rms_early_return", "threads without elements return before the shuffles");
extern const nc_kernel cuda_rms_full_mask = cuda::kernel<FullMask>(
    "faulty/cuda_rms_full_mask", "a block smaller than a warp shuffles with the mask of a whole one");
extern const nc_kernel cuda_layer_half_mask =
    cuda::kernel<HalfMask>("faulty/cuda_layer_half_mask", "all lanes shuffle with a mask that names half of them");
extern const nc_kernel cuda_rms_missing_warp_barrier = cuda::kernel<MissingWarpBarrier>(
    "faulty/cuda_rms_missing_warp_barrier", "lanes exchange values in shared memory as if they ran in step");
extern const nc_kernel cuda_rms_shared_too_small = cuda::kernel<SharedTooSmall>(
    "faulty/cuda_rms_shared_too_small", "shared memory has room for the sums of half of the warps");
extern const nc_kernel cuda_layer_shared_unwritten = cuda::kernel<SharedUnwritten>(
    "faulty/cuda_layer_shared_unwritten", "sums of warps that the block does not have are read and added");
extern const nc_kernel cuda_rms_misaligned =
    cuda::kernel<Misaligned>("faulty/cuda_rms_misaligned", "vectors of 16 bytes are loaded wherever the row begins");

}  // namespace normcheck::faulty
