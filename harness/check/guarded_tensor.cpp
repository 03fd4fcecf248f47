// Guards and poison of one tensor. Places are counted in elements from the start of memory; machine words are read and
// written as bytes, low byte first.
#include "harness/check/guarded_tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

static_assert(std::endian::native == std::endian::little, "codes are copied as the low bytes of a 64-bit word");

constexpr int64_t line_bytes = sizeof(CacheLine);
constexpr int64_t largest_row_guard = 4096;  // bytes

int64_t element_bytes(const TensorLayout& layout) {
    return format(layout.format).bytes();
}

std::byte* address(GuardedTensor& tensor, int64_t place) {
    return tensor.memory.data()->bytes + place * element_bytes(tensor.layout);
}

const std::byte* address(const GuardedTensor& tensor, int64_t place) {
    return tensor.memory.data()->bytes + place * element_bytes(tensor.layout);
}

uint64_t code_at(const GuardedTensor& tensor, int64_t place) {
    uint64_t code = 0;
    std::memcpy(&code, address(tensor, place), static_cast<size_t>(element_bytes(tensor.layout)));
    return code;
}

void put_code(GuardedTensor& tensor, int64_t place, uint64_t code) {
    std::memcpy(address(tensor, place), &code, static_cast<size_t>(element_bytes(tensor.layout)));
}

int64_t places(const GuardedTensor& tensor) {
    return std::ssize(tensor.memory) * line_bytes / element_bytes(tensor.layout);
}

int64_t place_of(const GuardedTensor& tensor, int64_t row, int64_t col) {
    return tensor.start + row * tensor.layout.row_stride() + col * tensor.layout.stride;
}

/// A signalling NaN whose payload is odd, so never 0, and depends on the place and on the tensor's name.
uint64_t poison_at(const GuardedTensor& tensor, int64_t place) {
    const Format& numbers = format(tensor.layout.format);
    const uint64_t key = static_cast<uint64_t>(place) + (static_cast<uint64_t>(tensor.salt) << 32);
    const uint64_t payload = (key * 0x9e3779b97f4a7c15 >> 13) & ((uint64_t{1} << (numbers.significand_bits - 2)) - 1);
    return numbers.inf_code() | payload | 1;
}

bool is_poison(const GuardedTensor& tensor, int64_t place) {
    return code_at(tensor, place) == poison_at(tensor, place);
}

int64_t round_up(int64_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

/// The bytes of one guard, a multiple of 64.
int64_t guard_bytes(const TensorLayout& layout) {
    return line_bytes + round_up(std::min(largest_row_guard, layout.row_stride() * element_bytes(layout)));
}

/// The first byte at which the guard places [first, last) were overwritten, counted from the first, or -1.
int64_t overwritten_byte(const GuardedTensor& tensor, int64_t first, int64_t last) {
    for (int64_t place = first; place < last; ++place) {
        const uint64_t difference = code_at(tensor, place) ^ poison_at(tensor, place);
        if (difference != 0) return (place - first) * element_bytes(tensor.layout) + std::countr_zero(difference) / 8;
    }
    return -1;
}

std::optional<std::string> broken_front(const GuardedTensor& tensor) {
    const int64_t byte = overwritten_byte(tensor, 0, tensor.start);
    if (byte < 0) return std::nullopt;
    const int64_t before = tensor.start * element_bytes(tensor.layout) - byte;
    return fmt::format("guard before {} was overwritten {} bytes before its first element", tensor.name, before);
}

std::optional<std::string> broken_column_gap(const GuardedTensor& tensor, int64_t row) {
    if (tensor.layout.stride == 1) return std::nullopt;
    for (int64_t col = 0; col + 1 < tensor.layout.cols; ++col) {
        const int64_t place = place_of(tensor, row, col);
        const int64_t byte = overwritten_byte(tensor, place + 1, place + tensor.layout.stride);
        if (byte >= 0)
            return fmt::format("guard after {}[{},{}] was overwritten at byte {}", tensor.name, row, col, byte);
    }
    return std::nullopt;
}

/// What follows the last element of a row: the gap before the next row, or all the rest.
std::optional<std::string> broken_row_gap(const GuardedTensor& tensor, int64_t row) {
    const int64_t first = place_of(tensor, row, tensor.layout.cols - 1) + 1;
    const bool is_last = row + 1 == tensor.layout.rows;
    const int64_t byte = overwritten_byte(tensor, first, is_last ? places(tensor) : place_of(tensor, row + 1, 0));
    if (byte < 0) return std::nullopt;
    return fmt::format("guard after row {} of {} was overwritten at byte {}", row, tensor.name, byte);
}

std::optional<std::string> broken_empty(const GuardedTensor& tensor) {
    const int64_t byte = overwritten_byte(tensor, tensor.start, places(tensor));
    if (byte < 0) return std::nullopt;
    return fmt::format("{} has no elements, but was written at byte {}", tensor.name, byte);
}

/// The first element of which `broken(row, col, place)` holds, and how many there are, as text.
template <typename Broken>
std::optional<std::string> first_element(const GuardedTensor& tensor, const char* what, Broken broken) {
    std::string first;
    int64_t number = 0;
    for (int64_t row = 0; row < tensor.layout.rows; ++row) {
        for (int64_t col = 0; col < tensor.layout.cols; ++col) {
            if (!broken(row, col, place_of(tensor, row, col))) continue;
            if (number++ == 0) first = fmt::format("{}[{},{}] {}", tensor.name, row, col, what);
        }
    }
    if (number == 0) return std::nullopt;
    return fmt::format("{}, {} in all", first, number);
}

}  // namespace

GuardedTensor guarded_tensor(std::string name, const TensorLayout& layout) {
    GuardedTensor tensor{std::move(name), layout, {}, 0, 0};
    tensor.salt = std::accumulate(tensor.name.begin(), tensor.name.end(), 0);
    const int64_t width = element_bytes(layout), guard = guard_bytes(layout);
    const int64_t elements = round_up((layout.offset + layout.rows * layout.row_stride()) * width);
    tensor.memory.resize(static_cast<size_t>((guard + elements + guard) / line_bytes));
    tensor.start = guard / width + layout.offset;
    for (int64_t place = 0; place < places(tensor); ++place) put_code(tensor, place, poison_at(tensor, place));
    return tensor;
}

void write_codes(GuardedTensor& tensor, std::span<const uint64_t> codes) {
    const auto [rows, cols] = std::pair(tensor.layout.rows, tensor.layout.cols);
    require(std::ssize(codes) == rows * cols, "as many codes as the tensor has elements");
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t col = 0; col < cols; ++col)
            put_code(tensor, place_of(tensor, row, col), codes[static_cast<size_t>(row * cols + col)]);
}

std::vector<uint64_t> read_codes(const GuardedTensor& tensor) {
    std::vector<uint64_t> codes;
    codes.reserve(static_cast<size_t>(tensor.layout.rows * tensor.layout.cols));
    for (int64_t row = 0; row < tensor.layout.rows; ++row)
        for (int64_t col = 0; col < tensor.layout.cols; ++col)
            codes.push_back(code_at(tensor, place_of(tensor, row, col)));
    return codes;
}

nc_tensor view(GuardedTensor& tensor) {
    const TensorLayout& layout = tensor.layout;
    return {address(tensor, tensor.start),
            {layout.rows, layout.cols},
            {layout.row_stride(), layout.stride},
            abi_format(layout.format),
            {NC_CPU, 0}};
}

std::optional<std::string> broken_guard(const GuardedTensor& tensor) {
    if (auto broken = broken_front(tensor)) return broken;
    if (tensor.layout.rows == 0 || tensor.layout.cols == 0) return broken_empty(tensor);
    for (int64_t row = 0; row < tensor.layout.rows; ++row) {
        if (auto broken = broken_column_gap(tensor, row)) return broken;
        if (auto broken = broken_row_gap(tensor, row)) return broken;
    }
    return std::nullopt;
}

std::optional<std::string> unwritten_element(const GuardedTensor& tensor) {
    return first_element(tensor, "was not written",
                         [&](int64_t, int64_t, int64_t place) { return is_poison(tensor, place); });
}

std::optional<std::string> written_element(const GuardedTensor& tensor) {
    return first_element(tensor, "was written by a call that has nothing to write",
                         [&](int64_t, int64_t, int64_t place) { return !is_poison(tensor, place); });
}

std::optional<std::string> changed_element(const GuardedTensor& tensor, std::span<const uint64_t> codes) {
    return first_element(tensor, "was changed", [&](int64_t row, int64_t col, int64_t place) {
        return code_at(tensor, place) != codes[static_cast<size_t>(row * tensor.layout.cols + col)];
    });
}

}  // namespace normcheck
