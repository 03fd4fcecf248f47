// The host's side of a kernel: refuses what it does not take, chooses the shape of the launch, launches. Under nvcc the
// tensors travel to the device and back; the device model works on them where they are.
#pragma once

#include "harness/kernels/cpu/call_check.hpp"
#include "harness/kernels/cuda/teams.hpp"
#ifdef __CUDACC__
#include "harness/kernels/cuda/device_memory.hpp"
#endif

namespace normcheck::NORMCHECK_SIDE {

/// Rows past as many blocks are taken in turns. The bits of a row do not depend on it.
constexpr int64_t largest_grid = 1024;

/// A kernel: its instances by the format of x, and what decides about the launch.
struct Program {
    void (*f32)(NORMCHECK_ARGUMENT(Call));
    void (*f16)(NORMCHECK_ARGUMENT(Call));
    void (*bf16)(NORMCHECK_ARGUMENT(Call));
    bool is_warp;
    Signature signature;
    bool keeps_row = false;  // in dynamic shared memory, where it fits
};

inline bool has_vectors(const nc_tensor& tensor) {
    if (tensor.data == nullptr || tensor.format == NC_F64 || tensor.strides[1] != 1) return false;
    const int64_t element = tensor.format == NC_F32 ? 4 : 2;
    const bool rows_aligned = tensor.shape[0] <= 1 || tensor.strides[0] * element % 16 == 0;
    return rows_aligned && reinterpret_cast<uintptr_t>(tensor.data) % 16 == 0;
}

inline View view_of(const nc_tensor& tensor) {
    return {tensor, has_vectors(tensor)};
}

inline Call arguments_of(const nc_call& call) {
    const int64_t cols = call.x.shape[1];
    return {view_of(call.x),
            view_of(call.residual),
            view_of(call.gamma),
            view_of(call.beta),
            view_of(call.y),
            view_of(call.residual_out),
            call.mean,
            call.rstd,
            call.x.shape[0],
            cols,
            cols / group_size + (cols % group_size != 0),
            static_cast<float>(call.eps),
            false};
}

inline int64_t rounded_up(int64_t count, int64_t step) {
    return (count / step + (count % step != 0)) * step;
}

/// Shape of the launch; depends on the number of rows in its grid alone.
inline Shape shape_of(const Program& program, Call& call) {
    Shape shape;
    const int64_t threads = rounded_up(call.groups, warp_size);
    shape.block = program.is_warp ? WarpTeam::warps * warp_size
                                  : static_cast<unsigned>(threads < largest_team ? threads : largest_team);
    const int64_t blocks = program.is_warp ? rounded_up(call.rows, WarpTeam::warps) / WarpTeam::warps : call.rows;
    shape.grid = static_cast<unsigned>(blocks < largest_grid ? blocks : largest_grid);
    constexpr int64_t most_bytes = shared_memory_bytes - 1024;  // the rest is for static arrays
    const int64_t row_bytes = rounded_up(call.groups, shape.block) * group_size * static_cast<int64_t>(sizeof(float));
    call.keeps_row = program.keeps_row && row_bytes <= most_bytes;
    if (call.keeps_row) shape.dynamic_bytes = static_cast<size_t>(row_bytes);
    return shape;
}

/// Launches on tensors that the kernel can reach.
inline void launch_program(const Program& program, const nc_call& call) {
    Call arguments = arguments_of(call);
    const Shape shape = shape_of(program, arguments);
    const auto kernel = call.x.format == NC_F32 ? program.f32 : call.x.format == NC_F16 ? program.f16 : program.bf16;
    launch(kernel, shape, arguments, call.stream);
}

/// The result of nc_run.
inline const char* run_program(const Program& program, const nc_call& call) {
    if (const char* refusal = refuse(call, program.signature)) return refusal;
    if (is_empty(call)) return nullptr;
#ifdef __CUDACC__
    DeviceMemory memory(call);
    launch_program(program, memory.call());
    memory.bring_back();
#else
    launch_program(program, call);
#endif
    return nullptr;
}

}  // namespace normcheck::NORMCHECK_SIDE

/// Defines the kernel of one line of kernels.def: emulated/NAME, or under nvcc cuda/NAME.
#ifdef __CUDACC__
#define NORMCHECK_CUDA_KERNEL(symbol, contract, about, program) \
    NORMCHECK_DEFINE_KERNEL(cuda, symbol, contract, about, program)
#else
#define NORMCHECK_CUDA_KERNEL(symbol, contract, about, program) \
    NORMCHECK_DEFINE_KERNEL(emulated, symbol, contract, about, program)
#endif
#define NORMCHECK_DEFINE_KERNEL(side, symbol, contract, about, program)                                    \
    namespace normcheck {                                                                                  \
    namespace side {                                                                                       \
    static const char* run_##symbol(const nc_call* call) {                                                 \
        return run_program(program, *call);                                                                \
    }                                                                                                      \
    constexpr nc_kernel symbol##_kernel = {#side "/" #symbol, contract, about, cpu_formats, run_##symbol}; \
    }                                                                                                      \
    extern const nc_kernel side##_##symbol = side::symbol##_kernel;                                        \
    }
