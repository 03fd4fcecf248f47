// A call's tensors on the device: one block of memory that holds every tensor with its gaps, at the same place within
// 256 bytes as on the host, so that what is aligned, misaligned or aliased there is so here. For nvcc alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "harness/kernels/cuda/device.hpp"

namespace normcheck::cuda {

class DeviceMemory {
  public:
    /// Copies all tensors of the call to the device, outputs too: their gaps must come back as they were.
    explicit DeviceMemory(const nc_call& call) : call_(call) {
        size_t bytes = 0;
        for (const Slot& slot : slots) bytes += room(call.*slot.tensor);
        require(cudaMalloc(&block_, bytes), "cudaMalloc");
        try {
            place_all(call);
        } catch (...) {
            cudaFree(block_);
            throw;
        }
    }
    ~DeviceMemory() { cudaFree(block_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    /// The call with the device's addresses.
    const nc_call& call() const { return call_; }

    /// Waits for the kernel and copies the outputs back. What a kernel did wrong is told here.
    void bring_back() {
        require(cudaDeviceSynchronize(), "the kernel");
        for (int i = 0; i < slot_count; ++i) {
            if (!slots[i].is_output || places_[i].host == nullptr) continue;
            require(cudaMemcpy(places_[i].host, places_[i].device, places_[i].bytes, cudaMemcpyDeviceToHost),
                    "cudaMemcpy to the host");
        }
    }

  private:
    using Member = nc_tensor nc_call::*;
    struct Slot {
        Member tensor;
        bool is_output;
    };
    struct Place {
        void* host = nullptr;
        char* device = nullptr;
        size_t bytes = 0;
    };
    static constexpr int slot_count = 8;
    static constexpr size_t alignment = 256;
    static constexpr Slot slots[slot_count] = {
        {&nc_call::x, false}, {&nc_call::residual, false},    {&nc_call::gamma, false}, {&nc_call::beta, false},
        {&nc_call::y, true},  {&nc_call::residual_out, true}, {&nc_call::mean, true},   {&nc_call::rstd, true}};

    static int current_device() {
        int device = 0;
        require(cudaGetDevice(&device), "cudaGetDevice");
        return device;
    }

    /// From the first element to the last, gaps included. Strides are not negative.
    static size_t extent(const nc_tensor& tensor) {
        if (tensor.data == nullptr || tensor.shape[0] == 0 || tensor.shape[1] == 0) return 0;
        const int64_t element = tensor.format == NC_F64 ? 8 : tensor.format == NC_F32 ? 4 : 2;
        const int64_t last = (tensor.shape[0] - 1) * tensor.strides[0] + (tensor.shape[1] - 1) * tensor.strides[1];
        return static_cast<size_t>((last + 1) * element);
    }
    static size_t room(const nc_tensor& tensor) { return extent(tensor) + 2 * alignment; }

    /// A tensor that lies where an earlier one lies does so on the device.
    void place_all(const nc_call& call) {
        char* free = static_cast<char*>(block_);
        for (int i = 0; i < slot_count; ++i) {
            const nc_tensor& tensor = call.*slots[i].tensor;
            const size_t bytes = extent(tensor);
            if (bytes == 0) continue;
            char* device = nullptr;
            for (int earlier = 0; earlier < i; ++earlier)
                if (places_[earlier].host == tensor.data) device = places_[earlier].device;
            if (device == nullptr) {
                device = free + reinterpret_cast<uintptr_t>(tensor.data) % alignment;
                require(cudaMemcpy(device, tensor.data, bytes, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
                free += (bytes + 2 * alignment - 1) / alignment * alignment;
            }
            places_[i] = {tensor.data, device, bytes};
            nc_tensor& placed = call_.*slots[i].tensor;
            placed.data = device;
            placed.device = {NC_CUDA, current_device()};
        }
    }

    nc_call call_;
    void* block_ = nullptr;
    Place places_[slot_count];
};

}  // namespace normcheck::cuda
