// A tensor as files hold it: format, shape and raw elements, and the way from and to the codes that oracles take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracles/format.hpp"

namespace normcheck {

/// Most dimensions a tensor of a file may have.
constexpr size_t max_dimensions = 64;
/// Most bytes of a tensor file that is read: 4 GiB.
constexpr uint64_t max_tensor_file_bytes = uint64_t{1} << 32;

struct Tensor {
    FormatId format = FormatId::f32;
    std::vector<int64_t> shape;   // empty: a scalar
    std::vector<std::byte> data;  // elements in C order, each little-endian
    bool operator==(const Tensor&) const = default;
};

/// Number of elements of a shape, 1 for a scalar. Throws InputError where a dimension is negative or where the product
/// of the dimensions that are not 0 passes 2^63 - 1.
int64_t element_count(std::span<const int64_t> shape);
/// Bytes that a tensor takes; nothing where a dimension is negative or the number does not fit 63 bits.
std::optional<int64_t> byte_count(FormatId format, std::span<const int64_t> shape);

/// The elements as codes, in C order.
std::vector<uint64_t> codes(const Tensor& tensor);
/// The tensor of these codes, as many as the shape has elements (throws InternalError otherwise).
Tensor from_codes(FormatId format, std::vector<int64_t> shape, std::span<const uint64_t> codes);

/// Throws InternalError where data does not have the size that format and shape ask for, or on too many dimensions.
void require_consistent(const Tensor& tensor);

/// The shape as a Python tuple: (), (3,), (3, 4).
std::string print_shape(std::span<const int64_t> shape);

}  // namespace normcheck
