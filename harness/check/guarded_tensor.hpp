// One tensor of a call in memory of its own, among guards: every element that is not the tensor's holds a known code,
// and so does every output before the call. All of these are signalling NaNs with a payload that depends on the place:
// reading one spoils the result, and arithmetic cannot bring one forth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/check/abi_format.hpp"
#include "oracles/format.hpp"

namespace normcheck {

/// How a tensor lies in memory, in elements: the next column is `stride` on, the next row cols * stride + pitch; the
/// first element stands `offset` past a boundary of 64 bytes.
struct TensorLayout {
    FormatId format = FormatId::f32;
    int64_t rows = 0;
    int64_t cols = 0;
    int64_t pitch = 0;
    int64_t stride = 1;
    int64_t offset = 0;

    int64_t row_stride() const { return cols * stride + pitch; }
    bool operator==(const TensorLayout&) const = default;
};

struct alignas(64) CacheLine {
    std::byte bytes[64];
};

struct GuardedTensor {
    std::string name;
    TensorLayout layout;
    std::vector<CacheLine> memory;
    int64_t start = 0;  // of the first element, in elements from the start of memory
    int salt = 0;       // tells the poison of this tensor from that of others
};

/// The tensor with every element poisoned. On each side stand at least 64 bytes and one row, of which at most 4 KiB.
GuardedTensor guarded_tensor(std::string name, const TensorLayout& layout);

/// Writes dense codes, rows * cols.
void write_codes(GuardedTensor& tensor, std::span<const uint64_t> codes);
std::vector<uint64_t> read_codes(const GuardedTensor& tensor);

/// What a kernel is given. The memory stays where it is as long as the tensor is not copied.
nc_tensor view(GuardedTensor& tensor);

/// The first overwritten guard, as in "guard after row 3 of y was overwritten at byte 12"; nothing where all are
/// intact.
std::optional<std::string> broken_guard(const GuardedTensor& tensor);
/// The first element that still holds its poison, as in "y[3,5] was not written, 2 in all".
std::optional<std::string> unwritten_element(const GuardedTensor& tensor);
/// The first element that no longer holds its poison, though the call has nothing to write.
std::optional<std::string> written_element(const GuardedTensor& tensor);
/// The first element that is not the given one, as in "x[3,5] was changed, 2 in all".
std::optional<std::string> changed_element(const GuardedTensor& tensor, std::span<const uint64_t> codes);

}  // namespace normcheck
