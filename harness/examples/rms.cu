// A plug-in in CUDA: RMSNorm for f32, one block a row. Tensors come in the host's memory, so the call copies them to
// the device and back. Where there is no device it refuses every call.
//   nvcc -O2 -Xcompiler -fPIC -shared -I harness/abi rms.cu -o librms_cuda.so
#include <cuda_runtime.h>
#include <normcheck.h>

#include <cstdint>

namespace {

constexpr int threads = 256;  // of a block; a power of two

__global__ void rms_rows(const float* x, const float* gamma, float* y, int64_t cols, float eps) {
    __shared__ float partial[threads];
    const float* row = x + blockIdx.x * cols;
    float squares = 0;
    for (int64_t i = threadIdx.x; i < cols; i += threads) squares += row[i] * row[i];
    partial[threadIdx.x] = squares;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    __syncthreads();
    const float rstd = 1 / sqrtf(partial[0] / static_cast<float>(cols) + eps);
    for (int64_t i = threadIdx.x; i < cols; i += threads)
        y[blockIdx.x * cols + i] = gamma != nullptr ? row[i] * rstd * gamma[i] : row[i] * rstd;
}

/// Device memory of so many f32; null where there is none.
struct Floats {
    float* data = nullptr;
    explicit Floats(int64_t count) { cudaMalloc(&data, static_cast<size_t>(count) * sizeof(float)); }
    ~Floats() { cudaFree(data); }
    Floats(const Floats&) = delete;
    Floats& operator=(const Floats&) = delete;
};

/// Rows between the host, where they have a pitch, and the device, where they lie side by side.
cudaError_t copy_rows(void* to, int64_t to_step, const void* from, int64_t from_step, int64_t rows, int64_t cols,
                      cudaMemcpyKind kind) {
    const auto bytes = [](int64_t count) { return static_cast<size_t>(count) * sizeof(float); };
    return cudaMemcpy2D(to, bytes(to_step), from, bytes(from_step), bytes(cols), static_cast<size_t>(rows), kind);
}

bool is_plain(const nc_tensor& tensor) {
    return tensor.data == nullptr || (tensor.format == NC_F32 && (tensor.strides[1] == 1 || tensor.shape[1] == 1));
}

const char* run(const nc_call* call) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return "no CUDA device";
    const int64_t rows = call->x.shape[0], cols = call->x.shape[1];
    if (!is_plain(call->x) || !is_plain(call->gamma) || !is_plain(call->y)) return "f32 with dense columns only";
    if (rows == 0 || cols == 0) return nullptr;
    const Floats x(rows * cols), gamma(cols), y(rows * cols);
    if (x.data == nullptr || gamma.data == nullptr || y.data == nullptr) return "no device memory";
    copy_rows(x.data, cols, call->x.data, call->x.strides[0], rows, cols, cudaMemcpyHostToDevice);
    if (call->gamma.data != nullptr)
        copy_rows(gamma.data, cols, call->gamma.data, cols, 1, cols, cudaMemcpyHostToDevice);
    rms_rows<<<static_cast<unsigned>(rows), threads>>>(x.data, call->gamma.data != nullptr ? gamma.data : nullptr,
                                                       y.data, cols, static_cast<float>(call->eps));
    copy_rows(call->y.data, call->y.strides[0], y.data, cols, rows, cols, cudaMemcpyDeviceToHost);
    const cudaError_t error = cudaDeviceSynchronize();
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

const nc_kernel kernels[] = {
    {"block", "rms in_place=yes", "one block of 256 threads a row", NC_TAKES(NC_F32) | NC_NO_STATISTICS, run}};

}  // namespace

const nc_plugin* normcheck_plugin(void) {
    static const nc_plugin plugin = {NORMCHECK_ABI_VERSION, 1, kernels};
    return &plugin;
}
