// Faults of CUDA kernels that show in the values: tails, padding, orders made for powers of two, short indices and
// sums.
#include <cmath>

#include "harness/kernels/faulty/cuda_parts.hpp"

namespace normcheck::faulty {
namespace {

using namespace cuda;

struct TailDropped : RmsParts {
    static int64_t groups_summed(const Call& call) { return call.cols / group_size; }
};

struct PaddingSquared : LayerParts {
    static float centred(float value, float mean, bool) { return value - mean; }
};

/// Halving the number of warps loses one where it is odd.
struct WarpsHalved : LayerParts {
    static float over_block(float of_warp) {
        if (blockDim.x == warp_size) return of_warp;
        NORMCHECK_SHARED(float, partial, most_warps);
        const unsigned warp = threadIdx.x / warp_size;
        const bool writes = threadIdx.x % warp_size == 0;
        if (writes) partial[warp] = of_warp;
        __syncthreads();
        for (unsigned half = blockDim.x / warp_size / 2; half > 0; half /= 2) {
            if (writes && warp < half) partial[warp] += partial[warp + half];
            __syncthreads();
        }
        const float sum = partial[0];
        __syncthreads();
        return sum;
    }
};

/// Every warp goes on with a sum of its own but the first.
struct SumOfWarpKept : RmsParts {
    static float over_block(float of_warp) {
        const float sum = RmsParts::over_block(of_warp);
        return threadIdx.x < warp_size ? sum : of_warp;
    }
};

/// Lanes add what lies below them; only the first has the sum of all.
struct SumNotShared : LayerParts {
    static float over_warp(float value) {
        for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
            value += __shfl_down_sync(full_warp, value, distance);
        return value;
    }
};

/// Row and column share an index of 32 bits, half of them each.
struct ShortIndex : RmsParts {
    template <nc_format x>
    static void load(const Call& call, const Group& group, float (&values)[group_size]) {
        const uint32_t index = static_cast<uint32_t>(group.row) << 16 | static_cast<uint32_t>(group.column);
        const Group found{index >> 16, index & 0xffff, group.count};
        load_group<x>(call.x, found, values);
    }
};

/// The function rsqrtf where it is as far off as NVIDIA's table allows: 2 ulp.
struct FastRoot : RmsParts {
    static float rstd(float radicand) {
        const float nearest = static_cast<float>(1 / std::sqrt(static_cast<double>(radicand)));
        return std::nextafter(std::nextafter(nearest, INFINITY), INFINITY);
    }
};

/// The estimate of the special function unit for f16, good to its 11 bits.
struct HalfRoot : LayerParts {
    static float rstd(float radicand) { return emulated::rounded(NC_F16, inverse_root(radicand)); }
};

struct HalfSums : RmsParts {
    static float add(float sum, float term) { return emulated::rounded(NC_F16, sum + term); }
};

}  // namespace

extern const nc_kernel cuda_rms_tail_dropped =
    cuda::kernel<TailDropped>("faulty/cuda_rms_tail_dropped", "elements past the last whole group of 8 are not summed");
extern const nc_kernel cuda_layer_padding_squared = cuda::kernel<PaddingSquared>(
    "faulty/cuda_layer_padding_squared", "lanes past the end of the row hold 0, less the mean, and are squared");
extern const nc_kernel cuda_layer_warps_halved = cuda::kernel<WarpsHalved>(
    "faulty/cuda_layer_warps_halved", "the sums of warps are merged as if their number were a power of two");
extern const nc_kernel cuda_rms_sum_of_warp_kept =
    cuda::kernel<SumOfWarpKept>("faulty/cuda_rms_sum_of_warp_kept", "only the first warp gets the sum of the block");
extern const nc_kernel cuda_layer_sum_not_shared = cuda::kernel<SumNotShared>(
    "faulty/cuda_layer_sum_not_shared", "only the first lane of a warp has its sum, and all go on with theirs");
extern const nc_kernel cuda_rms_index_in_32_bits =
    cuda::kernel<ShortIndex>("faulty/cuda_rms_index_in_32_bits", "row and column are packed into one index of 32 bits");
extern const nc_kernel cuda_rms_rsqrt_fast =
    cuda::kernel<FastRoot>("faulty/cuda_rms_rsqrt_fast", "the reciprocal root is rsqrtf, off by 2 ulp");
extern const nc_kernel cuda_layer_rsqrt_of_half =
    cuda::kernel<HalfRoot>("faulty/cuda_layer_rsqrt_of_half", "the reciprocal root is the one of f16");
extern const nc_kernel cuda_rms_half_sums =
    cuda::kernel<HalfSums>("faulty/cuda_rms_half_sums", "squares are summed in f16", only_f16);

}  // namespace normcheck::faulty
