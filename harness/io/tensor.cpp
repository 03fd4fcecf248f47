// A tensor as files hold it: see tensor.hpp.
#include "harness/io/tensor.hpp"

#include <fmt/format.h>

#include "harness/io/bytes.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

// Zeros are left out of the product, so that the answer does not depend on the order of the dimensions.
std::optional<int64_t> checked_count(std::span<const int64_t> shape) {
    int64_t count = 1;
    bool empty = false;
    for (int64_t dimension : shape) {
        if (dimension < 0) return std::nullopt;
        if (dimension == 0) {
            empty = true;
        } else if (__builtin_mul_overflow(count, dimension, &count)) {
            return std::nullopt;
        }
    }
    return empty ? 0 : count;
}

}  // namespace

int64_t element_count(std::span<const int64_t> shape) {
    std::optional<int64_t> count = checked_count(shape);
    if (!count) throw InputError(fmt::format("shape {}: expected at most 2^63 - 1 elements", print_shape(shape)));
    return *count;
}

std::optional<int64_t> byte_count(FormatId id, std::span<const int64_t> shape) {
    std::optional<int64_t> count = checked_count(shape);
    int64_t bytes = 0;
    if (!count || __builtin_mul_overflow(*count, int64_t{format(id).bytes()}, &bytes)) return std::nullopt;
    return bytes;
}

std::vector<uint64_t> codes(const Tensor& tensor) {
    require_consistent(tensor);
    auto width = static_cast<size_t>(format(tensor.format).bytes());
    std::string_view rest = characters(tensor.data);
    std::vector<uint64_t> out;
    out.reserve(rest.size() / width);
    for (; !rest.empty(); rest.remove_prefix(width)) out.push_back(little_endian(rest.substr(0, width)));
    return out;
}

Tensor from_codes(FormatId id, std::vector<int64_t> shape, std::span<const uint64_t> codes) {
    Tensor tensor{id, std::move(shape), {}};
    uint64_t largest = format(id).sign_bit() | (format(id).sign_bit() - 1);
    std::string bytes;
    for (uint64_t code : codes) {
        require(code <= largest, "a code has no more bits than its format");
        append_little_endian(bytes, code, format(id).bytes());
    }
    tensor.data.assign(bytes_of(bytes).begin(), bytes_of(bytes).end());
    require_consistent(tensor);
    return tensor;
}

void require_consistent(const Tensor& tensor) {
    require(tensor.shape.size() <= max_dimensions, "a tensor has at most 64 dimensions");
    std::optional<int64_t> bytes = byte_count(tensor.format, tensor.shape);
    require(bytes && static_cast<uint64_t>(*bytes) == tensor.data.size(), "a tensor's data fills its shape");
}

// Without fmt::join, over which g++ 12 warns falsely of an overflow.
std::string print_shape(std::span<const int64_t> shape) {
    std::string out = "(";
    for (size_t i = 0; i < shape.size(); ++i) out.append(i == 0 ? "" : ", ").append(std::to_string(shape[i]));
    return out.append(shape.size() == 1 ? ",)" : ")");
}

}  // namespace normcheck
