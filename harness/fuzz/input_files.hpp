// Inputs of a fuzz target in files: a committed corpus with one input a line, or a file of bytes as libFuzzer writes
// it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/fuzz/draft.hpp"

namespace normcheck {

using LineReader = std::function<Bytes(std::string_view line)>;

/// Whether a file holds one input a line: its name ends in .cases, .case or .hex. Lines that begin with # are comments.
bool is_line_corpus(const std::filesystem::path& path);

/// The inputs of a file, or of all files of a folder in the order of their names. Throws InputError naming the file,
/// and the line that `read_line` does not take.
std::vector<Bytes> read_inputs(const std::filesystem::path& path, const LineReader& read_line);

/// Bytes as pairs of hex digits, and back. Throws InputError on anything else.
std::string print_hex(std::span<const uint8_t> bytes);
Bytes parse_hex(std::string_view text);

}  // namespace normcheck
