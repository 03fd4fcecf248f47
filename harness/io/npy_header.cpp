// The header of an .npy file: see npy_header.hpp.
#include "harness/io/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "harness/io/bytes.hpp"
#include "harness/io/tensor.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

/// The text that is left, and where in which file it stood.
struct Cursor {
    std::string_view rest;
    size_t end;  // byte offset in the file at which the text ends
    const std::string& file;
};

[[noreturn]] void fail(const Cursor& cursor, std::string_view expected) {
    size_t offset = cursor.end - cursor.rest.size();
    throw InputError(
        fmt::format("{}: byte {}: got {}, expected {}", cursor.file, offset, in_quotes(cursor.rest), expected));
}

void skip_blanks(Cursor& cursor) {
    size_t blanks = cursor.rest.find_first_not_of(" \n");
    cursor.rest.remove_prefix(blanks == cursor.rest.npos ? cursor.rest.size() : blanks);
}

bool take(Cursor& cursor, std::string_view word) {
    skip_blanks(cursor);
    if (!cursor.rest.starts_with(word)) return false;
    cursor.rest.remove_prefix(word.size());
    return true;
}

void expect(Cursor& cursor, std::string_view word) {
    if (!take(cursor, word)) fail(cursor, in_quotes(word));
}

// Without escapes: no key and no descr that is taken has any.
std::string parse_string(Cursor& cursor, std::string_view expected) {
    skip_blanks(cursor);
    bool opens = cursor.rest.starts_with('\'') || cursor.rest.starts_with('"');
    size_t close = opens ? cursor.rest.find(cursor.rest[0], 1) : cursor.rest.npos;
    if (close == cursor.rest.npos) fail(cursor, expected);
    std::string text(cursor.rest.substr(1, close - 1));
    cursor.rest.remove_prefix(close + 1);
    return text;
}

bool parse_bool(Cursor& cursor) {
    if (take(cursor, "True")) return true;
    if (take(cursor, "False")) return false;
    fail(cursor, "True or False");
}

int64_t parse_dimension(Cursor& cursor) {
    constexpr const char* expected = "a dimension, a whole number from 0 to 2^63 - 1";
    skip_blanks(cursor);
    if (cursor.rest.starts_with('-')) fail(cursor, expected);
    int64_t value = 0;
    const char* begin = cursor.rest.data();
    auto [end, error] = std::from_chars(begin, begin + cursor.rest.size(), value);
    bool padded = end - begin > 1 && *begin == '0';
    if (error != std::errc() || padded) fail(cursor, expected);
    cursor.rest.remove_prefix(static_cast<size_t>(end - begin));
    return value;
}

// (3) is a number in Python, (3,) a tuple.
std::vector<int64_t> parse_shape(Cursor& cursor) {
    std::vector<int64_t> shape;
    expect(cursor, "(");
    bool comma = true;
    while (!take(cursor, ")")) {
        if (!comma) fail(cursor, "',' or ')'");
        if (shape.size() == max_dimensions) fail(cursor, fmt::format("at most {} dimensions", max_dimensions));
        shape.push_back(parse_dimension(cursor));
        comma = take(cursor, ",");
        if (!comma && shape.size() == 1) fail(cursor, "',' after the only dimension");
    }
    return shape;
}

void parse_value(Cursor& cursor, const std::string& key, NpyHeader& header) {
    expect(cursor, ":");
    if (key == "descr") header.descr = parse_string(cursor, "a string in quotes, as descr of a plain number");
    if (key == "fortran_order") header.fortran_order = parse_bool(cursor);
    if (key == "shape") header.shape = parse_shape(cursor);
}

std::string parse_key(Cursor& cursor, const std::set<std::string>& seen) {
    constexpr const char* expected = "one of the keys 'descr', 'fortran_order' and 'shape', each once";
    skip_blanks(cursor);
    Cursor before = cursor;
    std::string key = parse_string(cursor, expected);
    bool known = key == "descr" || key == "fortran_order" || key == "shape";
    if (!known || seen.contains(key)) fail(before, expected);
    return key;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, size_t start, const std::string& file) {
    Cursor cursor{text, start + text.size(), file};
    NpyHeader header;
    std::set<std::string> seen;
    expect(cursor, "{");
    while (seen.size() < 3) {
        std::string key = parse_key(cursor, seen);
        parse_value(cursor, key, header);
        seen.insert(key);
        if (seen.size() < 3) expect(cursor, ",");
    }
    take(cursor, ",");
    expect(cursor, "}");
    skip_blanks(cursor);
    if (!cursor.rest.empty()) fail(cursor, "blanks up to the end of the header");
    return header;
}

std::string print(const NpyHeader& header) {
    return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", header.descr,
                       header.fortran_order ? "True" : "False", print_shape(header.shape));
}

}  // namespace normcheck
