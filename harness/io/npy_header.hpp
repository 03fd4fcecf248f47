// The header of an .npy file: a Python dictionary of exactly three keys, read by a strict parser of that and nothing
// more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normcheck {

struct NpyHeader {
    std::string descr;
    bool fortran_order = false;
    std::vector<int64_t> shape;
};

/// Reads the dictionary, which begins at byte `start` of the file. Throws InputError naming `file`, the byte offset and
/// what was expected.
NpyHeader parse_npy_header(std::string_view text, size_t start, const std::string& file);

/// The dictionary as NumPy prints it, without padding.
std::string print(const NpyHeader& header);

}  // namespace normcheck
