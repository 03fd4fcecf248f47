// The list of device kernels, made from kernels.def.
#include "harness/kernels/cuda/device_kernels.hpp"

namespace normcheck {

#ifdef NORMCHECK_CUDA

#define CUDA_KERNEL(name) extern const nc_kernel cuda_##name;
#include "harness/kernels/cuda/kernels.def"
#undef CUDA_KERNEL

/// In device_presence.cu: empty where a device is present and takes the kernels.
std::string why_no_device();

std::span<const nc_kernel* const> device_kernels() {
    static constexpr const nc_kernel* compiled[] = {
#define CUDA_KERNEL(name) &cuda_##name,
#include "harness/kernels/cuda/kernels.def"
#undef CUDA_KERNEL
    };
    if (!why_no_device_kernels().empty()) return {};
    return compiled;
}

const std::string& why_no_device_kernels() {
    static const std::string why = why_no_device();
    return why;
}

#else

std::span<const nc_kernel* const> device_kernels() {
    return {};
}

const std::string& why_no_device_kernels() {
    static const std::string why = "this build has none, because nvcc was not found or NORMCHECK_CUDA is off";
    return why;
}

#endif

}  // namespace normcheck
