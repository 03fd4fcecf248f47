// Files in NumPy's .npy format, versions 1.0, 2.0 and 3.0: one array each.
// Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/io/tensor.hpp"

namespace normcheck {

/// The array in these bytes; `file` names them in messages. Takes f8, f4 and f2 of either byte order and bfloat16;
/// big-endian and Fortran order are converted. NumPy has no bf16 of its own: 16-bit words stored as u2 or V2 are taken
/// only as the 16-bit format that `view_as` names, which is not asked for other files. Throws InputError naming the
/// file, the byte offset or word, and what was expected.
Tensor parse_npy(std::string_view bytes, const std::string& file, std::optional<FormatId> view_as = std::nullopt);
/// Reads a file as parse_npy does.
Tensor read_npy(const std::filesystem::path& path, std::optional<FormatId> view_as = std::nullopt);

/// The bytes of the file, version 1.0. bf16 is written as '<u2', which reads back with view_as bf16 only.
std::string print_npy(const Tensor& tensor);
/// Writes print_npy(tensor) in one step. Throws InputError naming the path.
void write_npy(const std::filesystem::path& path, const Tensor& tensor);

}  // namespace normcheck
