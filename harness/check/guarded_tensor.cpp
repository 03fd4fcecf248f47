// Guards and poison of one tensor. Places are counted in elements from the start of memory.
#include "harness/check/guarded_tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

#include "harness/check/code_type.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr int64_t line_bytes = sizeof(CacheLine);
constexpr int64_t largest_row_guard = 4096;  // bytes

int64_t element_bytes(const TensorLayout& layout) {
    return format(layout.format).bytes();
}

int64_t places(const GuardedTensor& tensor) {
    return std::ssize(tensor.memory) * line_bytes / element_bytes(tensor.layout);
}

int64_t place_of(const GuardedTensor& tensor, int64_t row, int64_t col) {
    return tensor.start + row * tensor.layout.row_stride() + col * tensor.layout.stride;
}

/// Calls function with the tensor's memory as codes of its storage type.
template <class Function>
auto with_codes(GuardedTensor& tensor, Function function) {
    return with_code_type(tensor.layout.format,
                          [&](auto zero) { return function(reinterpret_cast<decltype(zero)*>(tensor.memory.data())); });
}
template <class Function>
auto with_codes(const GuardedTensor& tensor, Function function) {
    return with_code_type(tensor.layout.format, [&](auto zero) {
        return function(reinterpret_cast<const decltype(zero)*>(tensor.memory.data()));
    });
}

/// A signalling NaN whose payload is odd, so never 0, and depends on the place and on the tensor's name.
class Poison {
  public:
    explicit Poison(const GuardedTensor& tensor)
        : inf_(format(tensor.layout.format).inf_code()),
          payload_((uint64_t{1} << (format(tensor.layout.format).significand_bits - 2)) - 1),
          salt_(static_cast<uint64_t>(tensor.salt) << 32) {}
    uint64_t at(int64_t place) const {
        const uint64_t key = static_cast<uint64_t>(place) + salt_;
        return inf_ | (key * 0x9e3779b97f4a7c15 >> 13 & payload_) | 1;
    }

  private:
    uint64_t inf_, payload_, salt_;
};

int64_t round_up(int64_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

/// The bytes of one guard, a multiple of 64.
int64_t guard_bytes(const TensorLayout& layout) {
    return line_bytes + round_up(std::min(largest_row_guard, layout.row_stride() * element_bytes(layout)));
}

/// The first byte at which the guard places [first, last) were overwritten, counted from the first, or -1.
int64_t overwritten_byte(const GuardedTensor& tensor, int64_t first, int64_t last) {
    const Poison poison(tensor);
    return with_codes(tensor, [&](const auto* codes) -> int64_t {
        for (int64_t place = first; place < last; ++place) {
            const uint64_t difference = codes[place] ^ poison.at(place);
            if (difference != 0)
                return (place - first) * element_bytes(tensor.layout) + std::countr_zero(difference) / 8;
        }
        return -1;
    });
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

/// The first element of which `broken(code, place, number)` holds, where elements are numbered row by row, and how many
/// there are, as text.
template <typename Broken>
std::optional<std::string> first_element(const GuardedTensor& tensor, const char* what, Broken broken) {
    const auto [rows, cols, stride] = std::tuple(tensor.layout.rows, tensor.layout.cols, tensor.layout.stride);
    int64_t first = -1, number = 0;
    with_codes(tensor, [&](const auto* codes) {
        for (int64_t row = 0; row < rows; ++row) {
            const int64_t start = place_of(tensor, row, 0);
            for (int64_t col = 0; col < cols; ++col) {
                const int64_t place = start + col * stride;
                if (!broken(codes[place], place, row * cols + col)) continue;
                if (number++ == 0) first = row * cols + col;
            }
        }
    });
    if (number == 0) return std::nullopt;
    return fmt::format("{}[{},{}] {}, {} in all", tensor.name, first / cols, first % cols, what, number);
}

}  // namespace

GuardedTensor guarded_tensor(std::string name, const TensorLayout& layout) {
    GuardedTensor tensor{std::move(name), layout, {}, 0, 0};
    tensor.salt = std::accumulate(tensor.name.begin(), tensor.name.end(), 0);
    const int64_t width = element_bytes(layout), guard = guard_bytes(layout);
    const int64_t elements = round_up((layout.offset + layout.rows * layout.row_stride()) * width);
    tensor.memory.resize(static_cast<size_t>((guard + elements + guard) / line_bytes));
    tensor.start = guard / width + layout.offset;
    const Poison poison(tensor);
    const int64_t all = places(tensor);
    with_codes(tensor, [&](auto* codes) {
        using Code = std::remove_pointer_t<decltype(codes)>;
        for (int64_t place = 0; place < all; ++place) codes[place] = static_cast<Code>(poison.at(place));
    });
    return tensor;
}

void write_codes(GuardedTensor& tensor, std::span<const uint64_t> codes) {
    const auto [rows, cols, stride] = std::tuple(tensor.layout.rows, tensor.layout.cols, tensor.layout.stride);
    require(std::ssize(codes) == rows * cols, "as many codes as the tensor has elements");
    with_codes(tensor, [&](auto* memory) {
        using Code = std::remove_pointer_t<decltype(memory)>;
        for (int64_t row = 0; row < rows; ++row) {
            Code* element = memory + place_of(tensor, row, 0);
            const uint64_t* code = codes.data() + row * cols;
            for (int64_t col = 0; col < cols; ++col) element[col * stride] = static_cast<Code>(code[col]);
        }
    });
}

std::vector<uint64_t> read_codes(const GuardedTensor& tensor) {
    const auto [rows, cols, stride] = std::tuple(tensor.layout.rows, tensor.layout.cols, tensor.layout.stride);
    std::vector<uint64_t> codes(static_cast<size_t>(rows * cols));
    with_codes(tensor, [&](const auto* memory) {
        for (int64_t row = 0; row < rows; ++row) {
            const auto* element = memory + place_of(tensor, row, 0);
            uint64_t* code = codes.data() + row * cols;
            for (int64_t col = 0; col < cols; ++col) code[col] = element[col * stride];
        }
    });
    return codes;
}

nc_tensor view(GuardedTensor& tensor) {
    const TensorLayout& layout = tensor.layout;
    return {tensor.memory.data()->bytes + tensor.start * element_bytes(layout),
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
    const Poison poison(tensor);
    return first_element(tensor, "was not written",
                         [&](uint64_t code, int64_t place, int64_t) { return code == poison.at(place); });
}

std::optional<std::string> written_element(const GuardedTensor& tensor) {
    const Poison poison(tensor);
    return first_element(tensor, "was written by a call that has nothing to write",
                         [&](uint64_t code, int64_t place, int64_t) { return code != poison.at(place); });
}

std::optional<std::string> changed_element(const GuardedTensor& tensor, std::span<const uint64_t> codes) {
    return first_element(tensor, "was changed", [&](uint64_t code, int64_t, int64_t number) {
        return code != codes[static_cast<size_t>(number)];
    });
}

}  // namespace normcheck
