// The calls that `bench KERNEL...` times: tensors as large as the setting wants, dense, in memory that all kernels of
// the setting share, so that where it lies favours none of them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/bench/copy_loop.hpp"
#include "harness/check/call_buffers.hpp"

namespace normcheck {

struct SpeedMemory {
    std::vector<CacheLine> x, residual, y, residual_out, mean, rstd;
};

/// One kernel's call. gamma and beta are its own; gaussian rows come from a few that are drawn, over and over.
struct SpeedCall {
    CallBuffers small;  // a call of these few rows
    nc_call call{};
};

/// `memory` grows as the call needs it; once another call of the same rows, columns and format has used it, it stays
/// where it is. Inputs are written when their memory is made.
SpeedCall make_speed_call(const nc_kernel& kernel, const Contract& contract, int64_t rows, int64_t cols, uint64_t seed,
                          SpeedMemory& memory);

/// The bytes of all tensors of the call.
int64_t bytes_of(const nc_call& call);

/// Copies x to y by plain_copy, the rows shared out among threads as kernels do it.
void copy_x_to_y(const nc_call& call, int threads);

}  // namespace normcheck
