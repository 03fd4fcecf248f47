// The JSON header of a safetensors file, as a state machine over the events of a JSON parser that keeps no tree:
// nesting is refused at the first bracket that is out of place, and a list at the first number too many.
#include "harness/io/safetensors_header.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/io/bytes.hpp"
#include "harness/io/tensor.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr size_t header_start = 8;
constexpr const char* field_names[] = {"dtype", "shape", "data_offsets"};

std::optional<FormatId> find_dtype(std::string_view name) {
    for (int i = 0; i < format_count; ++i) {
        if (name == safetensors_dtype(static_cast<FormatId>(i))) return static_cast<FormatId>(i);
    }
    return std::nullopt;
}

std::string dtype_names() {
    std::string names;
    for (int i = 0; i < format_count; ++i) {
        names += (i == 0 ? "" : ", ") + std::string(safetensors_dtype(static_cast<FormatId>(i)));
    }
    return names;
}

bool is_field(std::string_view name) {
    for (const char* field : field_names) {
        if (name == field) return true;
    }
    return false;
}

/// Where in the header the next value stands.
enum class Place : uint8_t { file, header, metadata, tensor, shape, offsets };

/// Takes the parser's events; the names of the functions that begin in lower case are the parser's.
struct HeaderReader {
    const std::string& file;
    SafeTensorsHeader header{};
    Place place = Place::file;
    std::string name{};   // of the tensor, or __metadata__
    std::string field{};  // of the tensor or of the metadata
    std::set<std::string> names{};
    std::set<std::string> fields{};
    SafeTensorsEntry entry{};
    std::vector<int64_t> numbers{};

    bool null() { refuse("null"); }
    bool boolean(bool value) { refuse(value ? "true" : "false"); }
    bool number_integer(int64_t value) { refuse(std::to_string(value)); }
    bool number_float(double, const std::string& text) { refuse(in_quotes(text)); }
    bool binary(std::vector<uint8_t>&) { refuse("binary data"); }
    bool number_unsigned(uint64_t value);
    bool string(std::string& text);
    bool key(std::string& text);
    bool start_object(size_t);
    bool end_object();
    bool start_array(size_t);
    bool end_array();
    template <typename Error>
    bool parse_error(size_t position, const std::string&, const Error&);

    [[noreturn]] void refuse(const std::string& got) const {
        fail(fmt::format("got {}, expected {}", got, expected()));
    }
    [[noreturn]] void fail(const std::string& what) const;
    std::string where() const;
    std::string expected() const;
    std::string expected_field() const;
    void finish_tensor();
};

void HeaderReader::fail(const std::string& what) const {
    throw InputError(fmt::format("{}: header{}: {}", file, where(), what));
}

std::string HeaderReader::where() const {
    if (place == Place::file) return "";
    if (place == Place::header) return ", " + in_quotes(name);
    return fmt::format(", {}, {}", in_quotes(name), in_quotes(field));
}

std::string HeaderReader::expected() const {
    switch (place) {
        case Place::file:
            return "an object";
        case Place::header:
            return name == "__metadata__" ? "an object of strings" : "an object that describes a tensor";
        case Place::metadata:
            return "a string";
        case Place::tensor:
            return expected_field();
        case Place::shape:
            return fmt::format("at most {} whole numbers from 0 to 2^63 - 1", max_dimensions);
        case Place::offsets:
            return "two whole numbers from 0 to 2^63 - 1";
    }
    require(false, "a place of the header");
    return "";
}

std::string HeaderReader::expected_field() const {
    if (field == "dtype") return "one of " + dtype_names();
    return field == "shape" ? "an array of dimensions" : "an array of two offsets";
}

bool HeaderReader::number_unsigned(uint64_t value) {
    if (place != Place::shape && place != Place::offsets) refuse(std::to_string(value));
    size_t most = place == Place::shape ? max_dimensions : 2;
    if (numbers.size() == most) refuse("one number more");
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) refuse(std::to_string(value));
    numbers.push_back(static_cast<int64_t>(value));
    return true;
}

bool HeaderReader::string(std::string& text) {
    if (place == Place::metadata) {
        header.metadata.emplace(field, std::move(text));
        return true;
    }
    std::optional<FormatId> dtype = find_dtype(text);
    if (place != Place::tensor || field != "dtype" || !dtype) refuse(in_quotes(text));
    entry.format = *dtype;
    return true;
}

bool HeaderReader::key(std::string& text) {
    bool top = place == Place::header;
    (top ? name : field) = text;
    if (!(top ? names : fields).insert(text).second) fail("the key stands twice, expected it once");
    if (place == Place::tensor && !is_field(text)) fail("unknown key, expected dtype, shape and data_offsets only");
    return true;
}

bool HeaderReader::start_object(size_t) {
    if (place == Place::file) {
        place = Place::header;
        return true;
    }
    if (place != Place::header) refuse("an object");
    place = name == "__metadata__" ? Place::metadata : Place::tensor;
    fields.clear();
    return true;
}

bool HeaderReader::end_object() {
    if (place == Place::tensor) finish_tensor();
    place = place == Place::header ? Place::file : Place::header;
    return true;
}

void HeaderReader::finish_tensor() {
    for (const char* wanted : field_names) {
        field = wanted;
        if (!fields.contains(field)) fail("the key is missing, expected dtype, shape and data_offsets");
    }
    header.entries.emplace(name, std::move(entry));
    entry = {};
}

bool HeaderReader::start_array(size_t) {
    bool wanted = place == Place::tensor && field != "dtype";
    if (!wanted) refuse("an array");
    place = field == "shape" ? Place::shape : Place::offsets;
    numbers.clear();
    return true;
}

bool HeaderReader::end_array() {
    if (place == Place::shape) {
        entry.shape = numbers;
    } else {
        if (numbers.size() != 2) refuse(fmt::format("{} of them", numbers.size()));
        entry.begin = numbers[0];
        entry.end = numbers[1];
    }
    place = Place::tensor;
    return true;
}

// The parser's own message repeats the bytes it read, which may be many and anything.
template <typename Error>
bool HeaderReader::parse_error(size_t position, const std::string&, const Error&) {
    size_t offset = header_start + (position > 0 ? position - 1 : 0);
    throw InputError(
        fmt::format("{}: byte {}: header is not JSON in UTF-8 from here, expected an object", file, offset));
}

// The parser would skip a byte order mark in front and take a NUL for the end of the text.
void refuse_what_the_parser_overlooks(std::string_view json, const std::string& file) {
    if (!json.starts_with('{')) {
        throw InputError(
            fmt::format("{}: byte {}: got {}, expected '{{'", file, header_start, in_quotes(json.substr(0, 1))));
    }
    size_t nul = json.find('\0');
    if (nul != json.npos) {
        throw InputError(
            fmt::format("{}: byte {}: NUL in the header, expected JSON in UTF-8", file, header_start + nul));
    }
}

}  // namespace

const char* safetensors_dtype(FormatId format) {
    switch (format) {
        case FormatId::f64:
            return "F64";
        case FormatId::f32:
            return "F32";
        case FormatId::f16:
            return "F16";
        case FormatId::bf16:
            return "BF16";
    }
    require(false, "a format of the table");
    return "";
}

SafeTensorsHeader parse_safetensors_header(std::string_view json, const std::string& file) {
    refuse_what_the_parser_overlooks(json, file);
    HeaderReader reader{file};
    nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
    return std::move(reader.header);
}

}  // namespace normcheck
