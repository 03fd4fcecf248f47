// Files in the safetensors format: 8 bytes that give the header's length, a JSON header, then the data without holes.
// Source: the format's description at https://github.com/huggingface/safetensors.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "harness/io/tensor.hpp"

namespace normcheck {

/// The tensors of a file by name, and its metadata.
struct SafeTensors {
    std::map<std::string, Tensor> tensors;
    std::map<std::string, std::string> metadata;
    bool operator==(const SafeTensors&) const = default;
};

/// The tensors in these bytes; `file` names them in messages. Takes dtypes F64, F32, F16 and BF16. Throws InputError
/// naming the file, the tensor or byte offset, and what was expected.
SafeTensors parse_safetensors(std::string_view bytes, const std::string& file);
/// Reads a file as parse_safetensors does.
SafeTensors read_safetensors(const std::filesystem::path& path);

/// The bytes of the file: the same for equal values, wide formats first so that every element is aligned. Throws
/// InputError where a name is not UTF-8 or a tensor is called __metadata__.
std::string print_safetensors(const SafeTensors& content);
/// Writes print_safetensors(content) in one step. Throws InputError naming the path.
void write_safetensors(const std::filesystem::path& path, const SafeTensors& content);

}  // namespace normcheck
