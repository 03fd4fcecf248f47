// Makes tensors with gaps, fills them with random values by the oracles' codec, runs the kernel and reads everything
// back.
#include "harness/tests/kernel_calls.hpp"

#include <cstddef>
#include <cstring>
#include <limits>

#include "harness/check/abi_format.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr std::byte filler{0xa5};

/// A tensor with its memory; gaps and outputs start out as filler bytes.
struct Buffer {
    std::vector<std::byte> memory;
    nc_tensor tensor{};
    FormatId format = FormatId::f32;

    std::byte* at(int64_t row, int64_t col) const {
        const int64_t element = row * tensor.strides[0] + col * tensor.strides[1];
        return static_cast<std::byte*>(tensor.data) + element * normcheck::format(format).bytes();
    }
};

Buffer make_buffer(FormatId format, int64_t rows, int64_t cols, const KernelCall& call) {
    Buffer buffer;
    const int64_t row_stride = cols * call.stride + call.pitch;
    const int64_t elements = rows * row_stride + call.offset;
    const size_t bytes = static_cast<size_t>(elements * normcheck::format(format).bytes());
    buffer.memory.assign(bytes + 64, filler);
    const auto address = reinterpret_cast<uintptr_t>(buffer.memory.data());
    const size_t start =
        (64 - address % 64) % 64 + static_cast<size_t>(call.offset * normcheck::format(format).bytes());
    buffer.tensor = {
        buffer.memory.data() + start, {rows, cols}, {row_stride, call.stride}, abi_format(format), {NC_CPU, 0}};
    buffer.format = format;
    return buffer;
}

void write(const Buffer& buffer, int64_t row, int64_t col, uint64_t code) {
    std::memcpy(buffer.at(row, col), &code, static_cast<size_t>(format(buffer.format).bytes()));
}

uint64_t read(const Buffer& buffer, int64_t row, int64_t col) {
    uint64_t code = 0;
    std::memcpy(&code, buffer.at(row, col), static_cast<size_t>(format(buffer.format).bytes()));
    return code;
}

std::vector<uint64_t> read_all(const Buffer& buffer) {
    std::vector<uint64_t> codes;
    for (int64_t row = 0; row < buffer.tensor.shape[0]; ++row)
        for (int64_t col = 0; col < buffer.tensor.shape[1]; ++col) codes.push_back(read(buffer, row, col));
    return codes;
}

void fill(const Buffer& buffer, Role role, int64_t first_row) {
    for (int64_t row = 0; row < buffer.tensor.shape[0]; ++row)
        for (int64_t col = 0; col < buffer.tensor.shape[1]; ++col)
            write(buffer, row, col,
                  round_double(format(buffer.format), random_value(role, first_row + row, col, buffer.format)));
}

/// True where every byte outside the elements is filler still. Uses up the buffer.
bool gaps_untouched(Buffer& buffer) {
    uint64_t code = 0;
    std::memset(&code, static_cast<int>(filler), sizeof code);
    for (int64_t row = 0; row < buffer.tensor.shape[0]; ++row)
        for (int64_t col = 0; col < buffer.tensor.shape[1]; ++col) write(buffer, row, col, code);
    for (const std::byte byte : buffer.memory)
        if (byte != filler) return false;
    return true;
}

uint64_t mixed(uint64_t value) {  // the finaliser of splitmix64
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

}  // namespace

double random_value(Role role, int64_t row, int64_t col, FormatId format) {
    const uint64_t key = mixed(static_cast<uint64_t>(row) * 4 + static_cast<uint64_t>(role) + 1);
    const uint64_t bits = mixed(key + static_cast<uint64_t>(col) * 0x9e3779b97f4a7c15);
    const double value = static_cast<double>(bits >> 11) * 0x1p-51 - 2;
    return decode_double(normcheck::format(format), round_double(normcheck::format(format), value));
}

KernelOutputs call_kernel(const nc_kernel& kernel, const KernelCall& call) {
    const Contract contract = parse_contract(kernel.contract);
    const bool adds = contract.residual != Residual::none, layer = contract.norm == Norm::layer;
    const KernelCall plain;
    Buffer x = make_buffer(call.x, call.rows, call.cols, call),
           residual = make_buffer(call.x, call.rows, call.cols, call);
    Buffer y = make_buffer(call.y, call.rows, call.cols, call), sum = make_buffer(call.x, call.rows, call.cols, call);
    Buffer gamma = make_buffer(call.params, 1, call.cols, plain), beta = make_buffer(call.params, 1, call.cols, plain);
    Buffer mean = make_buffer(contract.stats, call.rows, 1, plain),
           rstd = make_buffer(contract.stats, call.rows, 1, plain);
    fill(x, Role::x, call.first_row);
    fill(residual, Role::residual, call.first_row);
    fill(gamma, Role::gamma, 0);
    fill(beta, Role::beta, 0);
    if (call.nan_row >= 0) write(x, call.nan_row, call.cols / 2, format(call.x).nan_code());

    nc_call raw{};
    raw.x = x.tensor;
    raw.y = call.in_place ? x.tensor : y.tensor;
    if (adds) raw.residual = residual.tensor;
    if (adds) raw.residual_out = call.in_place ? residual.tensor : sum.tensor;
    if (call.parameters) raw.gamma = gamma.tensor;
    if (call.parameters && layer) raw.beta = beta.tensor;
    if (layer) raw.mean = mean.tensor;
    raw.rstd = rstd.tensor;
    raw.eps = call.eps;
    raw.threads = call.threads;

    KernelOutputs outputs;
    outputs.refusal = kernel.run(&raw);
    Buffer &y_used = call.in_place ? x : y, &sum_used = call.in_place ? residual : sum;
    outputs.y = read_all(y_used);
    if (adds) outputs.residual_out = read_all(sum_used);
    if (layer) outputs.mean = read_all(mean);
    outputs.rstd = read_all(rstd);
    for (Buffer* buffer : {&y_used, &sum_used, &mean, &rstd}) outputs.untouched &= gaps_untouched(*buffer);
    return outputs;
}

}  // namespace normcheck
