// Whether there is a device that runs what nvcc has compiled.
#include <cuda_runtime_api.h>

#include <string>

namespace normcheck {

namespace {

__global__ void do_nothing() {}

}  // namespace

/// Empty where a device is present and a kernel of this build can be loaded on it.
std::string why_no_device() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    cudaGetLastError();  // the failure is told here and must not meet a later call
    if (status != cudaSuccess) return std::string("no CUDA device: ") + cudaGetErrorString(status);
    if (count == 0) return "no CUDA device";
    cudaFuncAttributes attributes;
    const cudaError_t loaded = cudaFuncGetAttributes(&attributes, do_nothing);
    cudaGetLastError();
    if (loaded != cudaSuccess)
        return std::string("the CUDA device does not take this build's kernels: ") + cudaGetErrorString(loaded);
    return {};
}

}  // namespace normcheck
