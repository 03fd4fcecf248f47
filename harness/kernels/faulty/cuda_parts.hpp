// A plain CUDA kernel made of steps, a block per row, run by the device model. The steps given here are correct, and so
// is the kernel that consists of them alone; a fault is that kernel with one step replaced.
#pragma once

#include "harness/kernels/cuda/run.hpp"
#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty::cuda {

using namespace emulated;

inline float over_partial_sums(const SharedArray<float>& partial) {
    float sums[most_warps] = {};
    for (unsigned warp = 0; warp < blockDim.x / warp_size; ++warp) sums[warp] = partial[warp];
    return add_pairs(sums);
}

/// The sum over the warps of a block, by way of shared memory with so much room and with these barriers.
template <unsigned room = most_warps, bool waits_after_write = true, bool waits_after_read = true>
float sum_over_block(float of_warp) {
    if (blockDim.x == warp_size) return of_warp;
    NORMCHECK_SHARED(float, partial, room);
    if (threadIdx.x % warp_size == 0) partial[threadIdx.x / warp_size] = of_warp;
    if constexpr (waits_after_write) __syncthreads();
    const float sum = over_partial_sums(partial);
    if constexpr (waits_after_read) __syncthreads();
    return sum;
}

/// The correct steps; a fault derives from them and hides one. Under rms the mean stays 0.
struct RmsParts {
    static constexpr bool layer = false;

    static unsigned threads(const Call& call) {
        return static_cast<unsigned>(std::min<int64_t>(rounded_up(call.groups, warp_size), largest_team));
    }
    /// What the launch is told of the tensors.
    static void describe(Call&) {}
    /// False where the thread leaves before the first row.
    static bool takes_part(const Call&) { return true; }
    static int64_t groups_summed(const Call& call) { return call.groups; }
    template <nc_format x>
    static void load(const Call& call, const Group& group, float (&values)[group_size]) {
        load_group<x>(call.x, group, values);
    }
    /// value - mean, and 0 past the end of the row.
    static float centred(float value, float mean, bool exists) { return exists ? value - mean : 0; }
    static float add(float sum, float term) { return sum + term; }
    static float over_warp(float value) { return warp_sum(value); }
    static float over_block(float of_warp) { return sum_over_block(of_warp); }
    static float rstd(float radicand) { return inverse_root(radicand); }
};

struct LayerParts : RmsParts {
    static constexpr bool layer = true;
};

/// The sum over the row of value - mean, or of its square.
template <class Parts, nc_format x>
float sum_of_row(const Call& call, int64_t row, float mean, bool squared) {
    float sums[group_size] = {};
    for (int64_t index = threadIdx.x; index < Parts::groups_summed(call); index += blockDim.x) {
        const Group group = group_of(call, row, index);
        float values[group_size];
        Parts::template load<x>(call, group, values);
        for (int i = 0; i < group_size; ++i) {
            const float term = Parts::centred(values[i], mean, i < group.count);
            sums[i] = Parts::add(sums[i], squared ? term * term : term);
        }
    }
    return Parts::over_block(Parts::over_warp(add_pairs(sums)));
}

template <class Parts, nc_format x>
void rows(const Call& call) {
    if (!Parts::takes_part(call)) return;
    for (int64_t row = blockIdx.x; row < call.rows; row += gridDim.x) {
        const float mean = Parts::layer ? divided_by_count(sum_of_row<Parts, x>(call, row, 0, false), call.cols) : 0;
        const float spread = divided_by_count(sum_of_row<Parts, x>(call, row, mean, true), call.cols);
        const float rstd = Parts::rstd(spread + call.eps);
        if (threadIdx.x == 0) emulated::save_statistic(call.mean, row, mean);
        if (threadIdx.x == 0) emulated::save_statistic(call.rstd, row, rstd);
        for (int64_t index = threadIdx.x; index < call.groups; index += blockDim.x) {
            const Group group = group_of(call, row, index);
            float values[group_size], gamma[group_size], beta[group_size];
            Parts::template load<x>(call, group, values);
            load_parameter(call.gamma, group, 1, gamma);
            load_parameter(call.beta, group, -0.0f, beta);
            for (int i = 0; i < group_size; ++i) values[i] = (values[i] - mean) * rstd * gamma[i] + beta[i];
            store_any(call.y, group, values);
        }
    }
}

/// The result of nc_run. Few blocks, so that a block takes several rows.
template <class Parts>
const char* run(const nc_call* call) {
    if (const char* refusal = refuse(*call, {.layer = Parts::layer})) return refusal;
    if (is_empty(*call)) return nullptr;
    Call arguments = arguments_of(*call);
    Parts::describe(arguments);
    const Shape shape{static_cast<unsigned>(std::min<int64_t>(arguments.rows, 64)), Parts::threads(arguments), 0};
    const auto kernel = call->x.format == NC_F32   ? rows<Parts, NC_F32>
                        : call->x.format == NC_F16 ? rows<Parts, NC_F16>
                                                   : rows<Parts, NC_BF16>;
    launch(kernel, shape, arguments, nullptr);
    return nullptr;
}

/// A kernel of these parts, with the contract that the correct ones keep.
template <class Parts>
constexpr nc_kernel kernel(const char* name, const char* about, uint32_t formats = cpu_formats) {
    const char* contract = Parts::layer ? "layer beta=add reduce=lanes:64 batch_invariant=yes in_place=yes"
                                        : "rms reduce=lanes:64 batch_invariant=yes in_place=yes";
    return {name, contract, about, formats, run<Parts>};
}

}  // namespace normcheck::faulty::cuda
