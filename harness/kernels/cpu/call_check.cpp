// The refusals of the CPU kernels, one small question each.
#include "harness/kernels/cpu/call_check.hpp"

#include <cmath>

namespace normcheck {
namespace {

bool has_format(const nc_tensor& tensor, uint32_t formats) {
    return tensor.format <= NC_BF16 && (formats >> tensor.format & 1) != 0;
}

bool has_shape(const nc_tensor& tensor, int64_t rows, int64_t cols) {
    return tensor.shape[0] == rows && tensor.shape[1] == cols;
}

/// True where an optional tensor is absent, or has that shape and one of those formats.
bool fits(const nc_tensor& tensor, int64_t rows, int64_t cols, uint32_t formats) {
    return tensor.data == nullptr || (has_shape(tensor, rows, cols) && has_format(tensor, formats));
}

const char* refuse_eps(double eps, nc_format accumulator) {
    if (!(eps >= 0) || std::isinf(eps)) return "eps is negative or not finite";
    if (accumulator == NC_F32 && static_cast<double>(static_cast<float>(eps)) != eps)
        return "eps is not a value of f32, in which this kernel adds it";
    return nullptr;
}

const char* refuse_unknown(const nc_call& call, const Signature& signature) {
    if (!signature.layer && call.beta.data != nullptr) return "this kernel takes no beta";
    if (!signature.layer && call.mean.data != nullptr) return "this kernel returns no mean";
    const bool residual_given = call.residual.data != nullptr || call.residual_out.data != nullptr;
    if (!signature.residual && residual_given) return "this kernel takes no residual";
    return nullptr;
}

const char* refuse_matrices(const nc_call& call, const Signature& signature) {
    const int64_t rows = call.x.shape[0], cols = call.x.shape[1];
    const uint32_t any_format = cpu_formats | 1U << NC_F64;
    if (rows < 0 || cols < 0) return "x has a negative shape";
    if (!has_format(call.x, cpu_formats)) return "x is neither f32 nor f16 nor bf16";
    if (!has_shape(call.y, rows, cols)) return "y has not the shape of x";
    if (!has_format(call.y, any_format)) return "y has an unknown format";
    if (is_empty(call)) return nullptr;
    if (call.x.data == nullptr || call.y.data == nullptr) return "x or y is missing";
    if (signature.residual && call.residual.data == nullptr) return "this kernel needs a residual";
    if (!fits(call.residual, rows, cols, 1U << call.x.format)) return "the residual has not the shape and format of x";
    if (!fits(call.residual_out, rows, cols, 1U << call.x.format))
        return "the returned residual has not the shape and format of x";
    return nullptr;
}

const char* refuse_vectors(const nc_call& call, const Signature& signature) {
    const int64_t rows = call.x.shape[0], cols = call.x.shape[1];
    const uint32_t any_format = cpu_formats | 1U << NC_F64;
    const uint32_t exact = signature.accumulator == NC_F64 ? any_format : cpu_formats;
    if (!fits(call.gamma, 1, cols, exact))
        return "gamma has not shape {1, cols} and a format that the accumulator holds";
    if (!fits(call.beta, 1, cols, exact)) return "beta has not shape {1, cols} and a format that the accumulator holds";
    if (!fits(call.mean, rows, 1, any_format)) return "mean has not shape {rows, 1} and a known format";
    if (!fits(call.rstd, rows, 1, any_format)) return "rstd has not shape {rows, 1} and a known format";
    return nullptr;
}

}  // namespace

const char* refuse(const nc_call& call, const Signature& signature) {
    if (const char* refusal = refuse_eps(call.eps, signature.accumulator)) return refusal;
    if (const char* refusal = refuse_unknown(call, signature)) return refusal;
    if (const char* refusal = refuse_matrices(call, signature)) return refusal;
    return refuse_vectors(call, signature);
}

bool is_empty(const nc_call& call) {
    return call.x.shape[0] == 0 || call.x.shape[1] == 0;
}

}  // namespace normcheck
