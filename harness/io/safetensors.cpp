// Files in the safetensors format: see safetensors.hpp.
#include "harness/io/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <vector>

#include "harness/io/atomic_file.hpp"
#include "harness/io/bytes.hpp"
#include "harness/io/safetensors_header.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr size_t length_bytes = 8;
constexpr uint64_t max_header_bytes = 100'000'000;  // the format's own limit
constexpr const char* metadata_name = "__metadata__";

using NamedEntry = std::pair<const std::string, SafeTensorsEntry>;
using NamedTensor = std::pair<const std::string, Tensor>;

uint64_t header_length(std::string_view bytes, const std::string& file) {
    if (bytes.size() < length_bytes) {
        throw InputError(fmt::format("{}: {} bytes, expected at least {}", file, bytes.size(), length_bytes));
    }
    uint64_t length = little_endian(bytes.substr(0, length_bytes));
    uint64_t most = std::min<uint64_t>(max_header_bytes, bytes.size() - length_bytes);
    if (length > most) {
        throw InputError(
            fmt::format("{}: byte 0: header length {}, expected at most {}: the file's end or the limit of {}", file,
                        length, most, max_header_bytes));
    }
    return length;
}

[[noreturn]] void fail(const std::string& file, const std::string& name, const std::string& what) {
    throw InputError(fmt::format("{}: tensor {}: {}", file, in_quotes(name), what));
}

void check_size(const std::string& file, const NamedEntry& named, uint64_t data_size) {
    const auto& [name, entry] = named;
    if (entry.begin > entry.end || static_cast<uint64_t>(entry.end) > data_size) {
        fail(file, name,
             fmt::format("data_offsets {} to {}, expected them in order and at most {}, the size of the data",
                         entry.begin, entry.end, data_size));
    }
    std::optional<int64_t> size = byte_count(entry.format, entry.shape);
    if (!size) fail(file, name, fmt::format("shape {}, expected less than 2^63 bytes", print_shape(entry.shape)));
    if (*size != entry.end - entry.begin) {
        fail(file, name,
             fmt::format("data_offsets {} to {}, expected {} bytes for shape {} of {}", entry.begin, entry.end, *size,
                         print_shape(entry.shape), safetensors_dtype(entry.format)));
    }
}

std::vector<const NamedEntry*> in_file_order(const SafeTensorsHeader& header) {
    std::vector<const NamedEntry*> sorted;
    for (const NamedEntry& named : header.entries) sorted.push_back(&named);
    std::sort(sorted.begin(), sorted.end(), [](const NamedEntry* a, const NamedEntry* b) {
        return std::tie(a->second.begin, a->second.end) < std::tie(b->second.begin, b->second.end);
    });
    return sorted;
}

void check_layout(const std::string& file, const SafeTensorsHeader& header, uint64_t data_size) {
    int64_t covered = 0;
    for (const NamedEntry* named : in_file_order(header)) {
        int64_t begin = named->second.begin;
        if (begin != covered) {
            fail(file, named->first,
                 fmt::format("{}: data_offsets begin at {}, expected {}, where the tensor before it ends",
                             begin < covered ? "overlap" : "hole", begin, covered));
        }
        covered = named->second.end;
    }
    if (static_cast<uint64_t>(covered) != data_size) {
        throw InputError(
            fmt::format("{}: {} bytes of data, expected {}, where the last tensor ends", file, data_size, covered));
    }
}

Tensor cut(const SafeTensorsEntry& entry, std::string_view data) {
    auto begin = static_cast<size_t>(entry.begin);
    auto bytes = bytes_of(data.substr(begin, static_cast<size_t>(entry.end) - begin));
    return {entry.format, entry.shape, {bytes.begin(), bytes.end()}};
}

bool stands_before(const NamedTensor* a, const NamedTensor* b) {
    int width_a = format(a->second.format).bytes(), width_b = format(b->second.format).bytes();
    return width_a != width_b ? width_a > width_b : a->first < b->first;
}

std::vector<const NamedTensor*> widest_first(const SafeTensors& content) {
    std::vector<const NamedTensor*> sorted;
    for (const NamedTensor& named : content.tensors) sorted.push_back(&named);
    std::sort(sorted.begin(), sorted.end(), stands_before);
    return sorted;
}

nlohmann::ordered_json describe(const Tensor& tensor, size_t begin) {
    require_consistent(tensor);
    return {{"dtype", safetensors_dtype(tensor.format)},
            {"shape", tensor.shape},
            {"data_offsets", {begin, begin + tensor.data.size()}}};
}

std::string print_header(const SafeTensors& content) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!content.metadata.empty()) header[metadata_name] = content.metadata;
    size_t begin = 0;
    for (const NamedTensor* named : widest_first(content)) {
        header[named->first] = describe(named->second, begin);
        begin += named->second.data.size();
    }
    try {
        return header.dump();
    } catch (const nlohmann::json::exception&) {
        throw InputError("names of tensors and metadata of a safetensors file: expected UTF-8");
    }
}

}  // namespace

SafeTensors parse_safetensors(std::string_view bytes, const std::string& file) {
    uint64_t length = header_length(bytes, file);
    SafeTensorsHeader header = parse_safetensors_header(bytes.substr(length_bytes, length), file);
    std::string_view data = bytes.substr(length_bytes + length);
    for (const NamedEntry& named : header.entries) check_size(file, named, data.size());
    check_layout(file, header, data.size());
    SafeTensors content{{}, std::move(header.metadata)};
    for (const auto& [name, entry] : header.entries) content.tensors.emplace(name, cut(entry, data));
    return content;
}

SafeTensors read_safetensors(const std::filesystem::path& path) {
    return parse_safetensors(read_file(path, max_tensor_file_bytes), path.string());
}

std::string print_safetensors(const SafeTensors& content) {
    if (content.tensors.contains(metadata_name)) {
        throw InputError(
            fmt::format("tensor {}: expected another name, this one is reserved", in_quotes(metadata_name)));
    }
    std::string header = print_header(content);
    header.resize((header.size() + 7) / 8 * 8, ' ');
    require(header.size() <= max_header_bytes, "a safetensors header that can be read back");
    std::string out;
    append_little_endian(out, header.size(), length_bytes);
    out += header;
    for (const NamedTensor* named : widest_first(content)) out += characters(named->second.data);
    return out;
}

void write_safetensors(const std::filesystem::path& path, const SafeTensors& content) {
    write_file_atomically(path, print_safetensors(content));
}

}  // namespace normcheck
