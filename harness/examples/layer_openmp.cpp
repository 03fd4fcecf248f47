// A plug-in in C++ with OpenMP: LayerNorm in two passes, rows in parallel, f32 and bf16, with saved statistics.
//   c++ -O2 -fopenmp -shared -fPIC -I harness/abi layer_openmp.cpp -o liblayer_openmp.so
#include <normcheck.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace {

float float_of_bits(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Rounds to nearest, ties to even; NaNs stay NaNs.
uint16_t bf16_of(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40);
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// An element of a tensor in f32 or bf16.
struct Element {
    const nc_tensor& tensor;
    int64_t place;

    float get() const {
        if (tensor.format == NC_F32) return static_cast<const float*>(tensor.data)[place];
        return float_of_bits(static_cast<uint32_t>(static_cast<const uint16_t*>(tensor.data)[place]) << 16);
    }
    void set(float value) const {
        if (tensor.format == NC_F32)
            static_cast<float*>(tensor.data)[place] = value;
        else
            static_cast<uint16_t*>(tensor.data)[place] = bf16_of(value);
    }
};

Element at(const nc_tensor& tensor, int64_t row, int64_t col) {
    return {tensor, row * tensor.strides[0] + col * tensor.strides[1]};
}

void normalise_row(const nc_call& call, int64_t row) {
    const int64_t cols = call.x.shape[1];
    float sum = 0, squares = 0;
    for (int64_t i = 0; i < cols; ++i) sum += at(call.x, row, i).get();
    const float mean = sum / static_cast<float>(cols);
    for (int64_t i = 0; i < cols; ++i) {
        const float centred = at(call.x, row, i).get() - mean;
        squares += centred * centred;
    }
    const float rstd = 1 / std::sqrt(squares / static_cast<float>(cols) + static_cast<float>(call.eps));
    for (int64_t i = 0; i < cols; ++i) {
        const float gamma = call.gamma.data != nullptr ? at(call.gamma, 0, i).get() : 1;
        const float beta = call.beta.data != nullptr ? at(call.beta, 0, i).get() : 0;
        at(call.y, row, i).set((at(call.x, row, i).get() - mean) * rstd * gamma + beta);
    }
    if (call.mean.data != nullptr) at(call.mean, row, 0).set(mean);
    if (call.rstd.data != nullptr) at(call.rstd, row, 0).set(rstd);
}

bool is_known(const nc_tensor& tensor) {
    return tensor.data == nullptr || tensor.format == NC_F32 || tensor.format == NC_BF16;
}

const char* run(const nc_call* call) {
    for (const nc_tensor* tensor : {&call->x, &call->gamma, &call->beta, &call->y, &call->mean, &call->rstd})
        if (!is_known(*tensor)) return "a tensor is neither f32 nor bf16";
    if (call->x.shape[1] == 0) return nullptr;
#pragma omp parallel for num_threads(call->threads)
    for (int64_t row = 0; row < call->x.shape[0]; ++row) normalise_row(*call, row);
    return nullptr;
}

const nc_kernel kernels[] = {{"two_pass", "layer beta=add batch_invariant=yes in_place=yes",
                              "two passes, rows in parallel", NC_TAKES(NC_F32) | NC_TAKES(NC_BF16), run}};

}  // namespace

const nc_plugin* normcheck_plugin(void) {
    static const nc_plugin plugin = {NORMCHECK_ABI_VERSION, 1, kernels};
    return &plugin;
}
