// Small helpers on the bytes of a file, shared by the tensor readers and writers. A file's content is a std::string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace normcheck {

/// The unsigned number that at most 8 bytes spell, least significant byte first.
uint64_t little_endian(std::string_view bytes);
/// Appends the `count` low bytes of the value, least significant first.
void append_little_endian(std::string& to, uint64_t value, int count);

/// The bytes seen as characters, not copied.
std::string_view characters(std::span<const std::byte> bytes);
/// The characters seen as bytes, not copied.
std::span<const std::byte> bytes_of(std::string_view characters);

/// FNV-1a: tells texts apart that differ by chance, not by malice.
uint64_t digest(std::string_view text);

/// The text in quotes for a message: at most 40 bytes of it, whatever is not printable ASCII as \xNN.
/// (Not called quoted: std::quoted would be found for a std::string.)
std::string in_quotes(std::string_view text);

}  // namespace normcheck
