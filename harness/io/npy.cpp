// Files in NumPy's .npy format: see npy.hpp.
#include "harness/io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/io/atomic_file.hpp"
#include "harness/io/bytes.hpp"
#include "harness/io/npy_header.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr size_t version_bytes = 2;
constexpr size_t data_alignment = 64;

/// How the elements are stored.
struct Storage {
    FormatId format = FormatId::f32;
    bool big_endian = false;
};

const char* type_code(FormatId format) {
    switch (format) {
        case FormatId::f64:
            return "f8";
        case FormatId::f32:
            return "f4";
        case FormatId::f16:
            return "f2";
        case FormatId::bf16:
            return "u2";
    }
    require(false, "a format of the table");
    return "";
}

FormatId viewed(const std::string& descr, const std::string& file, std::optional<FormatId> view_as) {
    if (!view_as || format(*view_as).bits() != 16) {
        throw InputError(
            fmt::format("{}: descr {} does not say which 16-bit format it is, expected to be told f16 or bf16", file,
                        in_quotes(descr)));
    }
    return *view_as;
}

Storage storage_of(const std::string& descr, const std::string& file, std::optional<FormatId> view_as) {
    for (FormatId id : {FormatId::f64, FormatId::f32, FormatId::f16}) {
        for (char order : {'<', '>'}) {
            if (descr == order + std::string(type_code(id))) return {id, order == '>'};
        }
    }
    if (descr == "bfloat16") return {FormatId::bf16, false};
    bool words = descr == "<u2" || descr == ">u2" || descr == "<V2" || descr == "|V2";
    if (words) return {viewed(descr, file, view_as), descr == ">u2"};
    throw InputError(fmt::format("{}: descr {}, expected f8, f4 or f2 after < or >, bfloat16, <u2, >u2, <V2 or |V2",
                                 file, in_quotes(descr)));
}

void check_magic(std::string_view bytes, const std::string& file) {
    if (!bytes.starts_with(magic)) {
        throw InputError(fmt::format("{}: byte 0: got {}, expected {}", file, in_quotes(bytes.substr(0, magic.size())),
                                     in_quotes(magic)));
    }
}

size_t length_field_bytes(std::string_view bytes, const std::string& file) {
    std::string_view version = bytes.substr(magic.size(), version_bytes);
    if (version == std::string_view("\1\0", 2)) return 2;
    if (version == std::string_view("\2\0", 2) || version == std::string_view("\3\0", 2)) return 4;
    throw InputError(
        fmt::format("{}: byte {}: version {}, expected 1.0, 2.0 or 3.0", file, magic.size(), in_quotes(version)));
}

/// The file cut into the header's text, which begins at byte start, and the data.
struct Located {
    std::string_view text;
    size_t start;
    std::string_view data;
};

Located locate_header(std::string_view bytes, const std::string& file) {
    check_magic(bytes, file);
    size_t length_start = magic.size() + version_bytes;
    size_t start = length_start + length_field_bytes(bytes, file);
    if (bytes.size() < start) {
        throw InputError(
            fmt::format("{}: {} bytes, expected the header's length up to byte {}", file, bytes.size(), start));
    }
    uint64_t length = little_endian(bytes.substr(length_start, start - length_start));
    size_t left = bytes.size() - start;
    if (length > left) {
        throw InputError(fmt::format("{}: byte {}: header length {}, expected at most {}, what is left of the file",
                                     file, length_start, length, left));
    }
    return {bytes.substr(start, length), start, bytes.substr(start + length)};
}

void check_size(const NpyHeader& header, FormatId id, size_t size, const std::string& file) {
    std::optional<int64_t> expected = byte_count(id, header.shape);
    if (!expected) {
        throw InputError(fmt::format("{}: shape {}, expected less than 2^63 bytes", file, print_shape(header.shape)));
    }
    if (static_cast<uint64_t>(*expected) != size) {
        throw InputError(fmt::format("{}: {} bytes of data, expected {} for shape {} of {}", file, size, *expected,
                                     print_shape(header.shape), format(id).name));
    }
}

void reverse_elements(std::string& data, size_t width) {
    for (auto at = data.begin(); at != data.end(); at += static_cast<std::ptrdiff_t>(width)) {
        std::reverse(at, at + static_cast<std::ptrdiff_t>(width));
    }
}

std::vector<size_t> fortran_strides(const std::vector<int64_t>& shape) {
    std::vector<size_t> strides;
    size_t stride = 1;
    for (int64_t dimension : shape) {
        strides.push_back(stride);
        stride *= static_cast<size_t>(dimension);
    }
    return strides;
}

/// Moves index to its successor in C order, and with it the element's place in Fortran order.
void advance(std::vector<int64_t>& index, size_t& place, const std::vector<int64_t>& shape,
             const std::vector<size_t>& strides) {
    for (size_t k = shape.size(); k > 0; --k) {
        place += strides[k - 1];
        if (++index[k - 1] < shape[k - 1]) return;
        place -= strides[k - 1] * static_cast<size_t>(shape[k - 1]);
        index[k - 1] = 0;
    }
}

std::string to_c_order(const std::string& data, const std::vector<int64_t>& shape, size_t width) {
    std::vector<size_t> strides = fortran_strides(shape);
    std::vector<int64_t> index(shape.size(), 0);
    std::string out;
    out.reserve(data.size());
    size_t place = 0;
    while (out.size() < data.size()) {
        out.append(data, place * width, width);
        advance(index, place, shape, strides);
    }
    return out;
}

}  // namespace

Tensor parse_npy(std::string_view bytes, const std::string& file, std::optional<FormatId> view_as) {
    Located located = locate_header(bytes, file);
    NpyHeader header = parse_npy_header(located.text, located.start, file);
    Storage storage = storage_of(header.descr, file, view_as);
    check_size(header, storage.format, located.data.size(), file);
    std::string data(located.data);
    auto width = static_cast<size_t>(format(storage.format).bytes());
    if (storage.big_endian) reverse_elements(data, width);
    if (header.fortran_order) data = to_c_order(data, header.shape, width);
    auto elements = bytes_of(data);
    return {storage.format, std::move(header.shape), {elements.begin(), elements.end()}};
}

Tensor read_npy(const std::filesystem::path& path, std::optional<FormatId> view_as) {
    return parse_npy(read_file(path, max_tensor_file_bytes), path.string(), view_as);
}

std::string print_npy(const Tensor& tensor) {
    require_consistent(tensor);
    std::string header = print(NpyHeader{std::string("<") + type_code(tensor.format), false, tensor.shape});
    size_t start = magic.size() + version_bytes + 2;
    size_t data_start = (start + header.size() + data_alignment) / data_alignment * data_alignment;
    header.resize(data_start - start - 1, ' ');
    header += '\n';
    std::string out(magic);
    append_little_endian(out, 1, version_bytes);
    append_little_endian(out, header.size(), 2);
    return out.append(header).append(characters(tensor.data));
}

void write_npy(const std::filesystem::path& path, const Tensor& tensor) {
    write_file_atomically(path, print_npy(tensor));
}

}  // namespace normcheck
