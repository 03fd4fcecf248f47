// The JSON header of a safetensors file, read strictly: every word of it may be a lie.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracles/format.hpp"

namespace normcheck {

/// What the header says of one tensor; begin and end count bytes from the start of the data.
struct SafeTensorsEntry {
    FormatId format = FormatId::f32;
    std::vector<int64_t> shape;
    int64_t begin = 0;
    int64_t end = 0;
};

struct SafeTensorsHeader {
    std::map<std::string, SafeTensorsEntry> entries;
    std::map<std::string, std::string> metadata;
};

/// The format's name in the header, e.g. "BF16".
const char* safetensors_dtype(FormatId format);

/// Reads the header, which begins at byte 8 of the file. Throws InputError naming `file`, the tensor and field or the
/// byte offset, and what was expected; offsets are not yet held against the data.
SafeTensorsHeader parse_safetensors_header(std::string_view json, const std::string& file);

}  // namespace normcheck
