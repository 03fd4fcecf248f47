// What kernel sources are written with, so that nvcc makes them kernels of a device and the C++ compiler kernels of the
// device model in model/. Both sides have CUDA's own words (threadIdx, __syncthreads, __shfl_xor_sync, ...); here is
// the little that is spelled differently: arrays in shared memory, vectors of 16 bytes, storage formats, launches.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "harness/abi/normcheck.h"

#ifdef __CUDACC__

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <stdexcept>
#include <string>

#define NORMCHECK_KERNEL static __global__
#define NORMCHECK_DEVICE __device__ inline
#define NORMCHECK_SIDE cuda
/// The type of a kernel's one parameter: a copy on a device, which every thread of the model would make anew.
#define NORMCHECK_ARGUMENT(type) const type
/// A static array in shared memory.
#define NORMCHECK_SHARED(type, name, count) __shared__ type name[count]

namespace normcheck::cuda {

constexpr unsigned warp_size = 32;
constexpr size_t shared_memory_bytes = size_t{48} << 10;

struct Shape {
    unsigned grid = 1;
    unsigned block = 1;
    size_t dynamic_bytes = 0;
};

inline void require(cudaError_t status, const char* what) {
    if (status != cudaSuccess) throw std::runtime_error(std::string(what) + " failed: " + cudaGetErrorString(status));
}

template <class Arguments>
void launch(void (*kernel)(Arguments), const Shape& shape, const Arguments& arguments, void* stream) {
    kernel<<<shape.grid, shape.block, shape.dynamic_bytes, static_cast<cudaStream_t>(stream)>>>(arguments);
    require(cudaGetLastError(), "the launch of a kernel");
}

template <class Value>
NORMCHECK_DEVICE Value* dynamic_shared() {
    extern __shared__ uint4 dynamic_shared_memory[];
    return reinterpret_cast<Value*>(dynamic_shared_memory);
}

struct alignas(16) Vector16 {
    uint32_t words[4];
};
NORMCHECK_DEVICE Vector16 load_vector(const void* address) {
    return *static_cast<const Vector16*>(address);
}
NORMCHECK_DEVICE void store_vector(void* address, const Vector16& vector) {
    *static_cast<Vector16*>(address) = vector;
}

template <nc_format format>
struct Stored;
template <>
struct Stored<NC_F64> {
    using Code = double;
    static NORMCHECK_DEVICE float decode(Code code) { return static_cast<float>(code); }
    static NORMCHECK_DEVICE Code encode(float value) { return value; }
};
template <>
struct Stored<NC_F32> {
    using Code = float;
    static NORMCHECK_DEVICE float decode(Code code) { return code; }
    static NORMCHECK_DEVICE Code encode(float value) { return value; }
};
template <>
struct Stored<NC_F16> {
    using Code = uint16_t;
    static NORMCHECK_DEVICE float decode(Code code) { return __half2float(__ushort_as_half(code)); }
    static NORMCHECK_DEVICE Code encode(float value) { return __half_as_ushort(__float2half_rn(value)); }
};
template <>
struct Stored<NC_BF16> {
    using Code = uint16_t;
    static NORMCHECK_DEVICE float decode(Code code) { return __bfloat162float(__ushort_as_bfloat16(code)); }
    static NORMCHECK_DEVICE Code encode(float value) { return __bfloat16_as_ushort(__float2bfloat16_rn(value)); }
};

}  // namespace normcheck::cuda

#else

#include "harness/kernels/cuda/model/words.hpp"
#include "harness/kernels/storage.hpp"

#define NORMCHECK_KERNEL static
#define NORMCHECK_DEVICE inline
#define NORMCHECK_SIDE emulated
#define NORMCHECK_ARGUMENT(type) const type&
#define NORMCHECK_SHARED(type, name, count)    \
    static constexpr char name##_declared = 0; \
    const SharedArray<type> name(machine().shared().array(&name##_declared, #name, (count) * sizeof(type)))

namespace normcheck::emulated {

using namespace model;

template <class Arguments>
void launch(void (*kernel)(const Arguments&), const Shape& shape, const Arguments& arguments, void*) {
    struct Launched {
        void (*kernel)(const Arguments&);
        const Arguments& arguments;
    } launched{kernel, arguments};
    run(
        shape,
        [](const void* data) {
            const auto& its = *static_cast<const Launched*>(data);
            its.kernel(its.arguments);
        },
        &launched);
}

template <nc_format format>
struct StoredAs;
template <>
struct StoredAs<NC_F64> : StoredF64 {};
template <>
struct StoredAs<NC_F32> : StoredF32 {};
template <>
struct StoredAs<NC_F16> : StoredF16 {};
template <>
struct StoredAs<NC_BF16> : StoredBf16 {};

template <nc_format format>
struct Stored {
    using Code = typename StoredAs<format>::Code;
    static float decode(Code code) { return StoredAs<format>::template decode<float>(code); }
    static Code encode(float value) { return StoredAs<format>::encode(value); }
};

}  // namespace normcheck::emulated

#endif

namespace normcheck::NORMCHECK_SIDE {

constexpr unsigned full_warp = 0xffffffff;

/// 1 / sqrt(radicand) by an IEEE root and an IEEE division, on both sides.
NORMCHECK_DEVICE float inverse_root(float radicand) {
#ifdef __CUDA_ARCH__
    return __fdiv_rn(1.0f, __fsqrt_rn(radicand));
#else
    return 1.0f / sqrtf(radicand);
#endif
}

/// sum / count, by way of f64 because a count past 2^24 is not always an f32.
NORMCHECK_DEVICE float divided_by_count(float sum, int64_t count) {
    return static_cast<float>(static_cast<double>(sum) / static_cast<double>(count));
}

}  // namespace normcheck::NORMCHECK_SIDE
