// Makes the calls that are timed, and the copy; see speed_calls.hpp.
#include "harness/bench/speed_calls.hpp"

#include <algorithm>
#include <cstring>

#include "oracles/error.hpp"
#include "oracles/instruction_sets.hpp"

namespace normcheck {
namespace {

constexpr int64_t drawn_rows = 16;

int64_t size_of(nc_format format) {
    switch (format) {
        case NC_F64:
            return 8;
        case NC_F32:
            return 4;
        case NC_F16:
        case NC_BF16:
            return 2;
    }
    throw InternalError("internal error: a format without a size");
}

int64_t bytes_of(const nc_tensor& tensor) {
    return tensor.data == nullptr ? 0 : tensor.shape[0] * tensor.shape[1] * size_of(tensor.format);
}

/// The rows of the tensor over and over, until the memory is full.
void repeat_rows(const nc_tensor& tensor, std::vector<CacheLine>& memory, int64_t rows) {
    const auto* from = static_cast<const std::byte*>(tensor.data);
    const auto row_bytes = static_cast<size_t>(tensor.shape[1] * size_of(tensor.format));
    const auto pitch = static_cast<size_t>(tensor.strides[0] * size_of(tensor.format));
    for (int64_t row = 0; row < rows; ++row)
        std::memcpy(memory.data()->bytes + static_cast<size_t>(row) * row_bytes,
                    from + static_cast<size_t>(row % tensor.shape[0]) * pitch, row_bytes);
}

/// Gives the tensor as many rows, in that memory. Statistics may be of different formats, for which there is room.
void enlarge(nc_tensor& tensor, std::vector<CacheLine>& memory, int64_t rows, bool is_input) {
    if (tensor.data == nullptr) return;
    if (memory.empty()) {
        const auto bytes =
            static_cast<size_t>(rows * tensor.shape[1] * (tensor.shape[1] == 1 ? 8 : size_of(tensor.format)));
        memory.resize((bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine));
        if (is_input) repeat_rows(tensor, memory, rows);
    }
    tensor.data = memory.data();
    tensor.shape[0] = rows;
    tensor.strides[0] = tensor.shape[1];
    tensor.strides[1] = 1;
    require(bytes_of(tensor) <= std::ssize(memory) * int64_t{sizeof(CacheLine)}, "shared memory has room for a tensor");
}

CopyLoop copy_loop_of(InstructionSet set) {
#ifdef NORMCHECK_PER_ISA
    if (set == InstructionSet::avx512) return avx512::copy_loop;
    if (set == InstructionSet::avx2) return avx2::copy_loop;
#endif
    require(set == InstructionSet::baseline, "the copy is not built for this instruction set");
    return baseline::copy_loop;
}

}  // namespace

CopyLoop plain_copy() {
    static const CopyLoop loop = copy_loop_of(best_instruction_set());
    return loop;
}

SpeedCall make_speed_call(const nc_kernel& kernel, const Contract& contract, int64_t rows, int64_t cols, uint64_t seed,
                          SpeedMemory& memory) {
    Case c;
    c.rows = std::min(rows, drawn_rows);
    c.cols = cols;
    c.seed = seed;
    SpeedCall result{make_call_buffers(c, contract, make_inputs(c, contract), kernel.supports)};
    nc_call& call = result.call;
    call = make_call(result.small, contract, 1);
    enlarge(call.x, memory.x, rows, true);
    enlarge(call.residual, memory.residual, rows, true);
    enlarge(call.y, memory.y, rows, false);
    enlarge(call.residual_out, memory.residual_out, rows, false);
    enlarge(call.mean, memory.mean, rows, false);
    enlarge(call.rstd, memory.rstd, rows, false);
    return result;
}

int64_t bytes_of(const nc_call& call) {
    int64_t bytes = 0;
    for (const nc_tensor* tensor :
         {&call.x, &call.residual, &call.gamma, &call.beta, &call.y, &call.residual_out, &call.mean, &call.rstd})
        bytes += bytes_of(*tensor);
    return bytes;
}

void copy_x_to_y(const nc_call& call, int threads) {
    const CopyLoop copy = plain_copy();
    const auto* from = static_cast<const std::byte*>(call.x.data);
    auto* to = static_cast<std::byte*>(call.y.data);
    const int64_t rows = call.x.shape[0], row_bytes = call.x.shape[1] * size_of(call.x.format);
    require(bytes_of(call.x) == bytes_of(call.y), "x is copied to a y of its size");
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t row = 0; row < rows; ++row)
        copy(from + row * row_bytes, to + row * row_bytes, static_cast<size_t>(row_bytes));
}

}  // namespace normcheck
