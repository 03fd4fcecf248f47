// Small helpers on the bytes of a file: see bytes.hpp.
#include "harness/io/bytes.hpp"

#include <fmt/format.h>

#include "oracles/error.hpp"

namespace normcheck {

uint64_t little_endian(std::string_view bytes) {
    require(bytes.size() <= 8, "a number of a file has at most 8 bytes");
    uint64_t value = 0;
    for (size_t i = bytes.size(); i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
    return value;
}

void append_little_endian(std::string& to, uint64_t value, int count) {
    for (int i = 0; i < count; ++i, value >>= 8) to.push_back(static_cast<char>(value & 0xff));
}

std::string_view characters(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> bytes_of(std::string_view characters) {
    return {reinterpret_cast<const std::byte*>(characters.data()), characters.size()};
}

uint64_t digest(std::string_view text) {
    uint64_t value = 0xcbf29ce484222325;
    for (const char character : text) value = (value ^ static_cast<uint8_t>(character)) * 0x100000001b3;
    return value;
}

std::string in_quotes(std::string_view text) {
    constexpr size_t longest = 40;
    std::string out = "'";
    for (char c : text.substr(0, longest)) {
        bool printable = c >= ' ' && c <= '~';
        out += printable ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return out + (text.size() > longest ? "...'" : "'");
}

}  // namespace normcheck
