// A draft: what a fuzzer's bytes say, as plain numbers, before a kernel gives it meaning. Every byte string is a draft,
// and a draft has one byte string. draft_fields.def is the list of the numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace normcheck {

/// One row of draft_fields.def.
enum class DraftField : uint8_t {
#define DRAFT_FIELD(name, default_value, lowest, highest, meaning) name,
#include "harness/fuzz/draft_fields.def"
#undef DRAFT_FIELD
};
constexpr int draft_field_count = 0
#define DRAFT_FIELD(name, default_value, lowest, highest, meaning) +1
#include "harness/fuzz/draft_fields.def"
#undef DRAFT_FIELD
    ;

struct DraftFieldInfo {
    const char* name;
    int default_value;
    int lowest;
    int highest;
    const char* meaning;
};
std::span<const DraftFieldInfo> draft_fields();

/// The tensors whose values may be given as bits, in the order in which they follow the numbers on bytes.
enum class DraftTensor : uint8_t { x, gamma, beta, residual };
constexpr int draft_tensor_count = 4;
/// Most codes that one tensor may give.
constexpr size_t most_draft_bits = 64;

struct Draft {
    std::array<int, draft_field_count> fields = defaults();
    /// Codes of 32 bits whatever the format: what does not fit is cut off where the draft gets its meaning. Empty: a
    /// fill.
    std::array<std::vector<uint32_t>, draft_tensor_count> bits;

    int& operator[](DraftField field) { return fields[static_cast<size_t>(field)]; }
    int operator[](DraftField field) const { return fields[static_cast<size_t>(field)]; }
    std::vector<uint32_t>& bits_of(DraftTensor tensor) { return bits[static_cast<size_t>(tensor)]; }
    const std::vector<uint32_t>& bits_of(DraftTensor tensor) const { return bits[static_cast<size_t>(tensor)]; }
    bool operator==(const Draft&) const = default;

    static std::array<int, draft_field_count> defaults();
};

using Bytes = std::vector<uint8_t>;

/// The draft of any bytes: what is missing is the default, what is left over is ignored.
Draft read_draft(std::span<const uint8_t> bytes);
/// The shortest bytes of a draft: read_draft(write_draft(d)) == d for every d that read_draft gives.
Bytes write_draft(const Draft& draft);

}  // namespace normcheck
