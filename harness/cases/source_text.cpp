// Reading and printing of sources.
#include "harness/cases/source_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/cases/words.hpp"
#include "oracles/error.hpp"
#include "oracles/text.hpp"

namespace normcheck {
namespace {

constexpr std::string_view bits_prefix = "bits:";
constexpr std::string_view values_prefix = "values:";

uint64_t read_code(std::string_view key, std::string_view text, const Format& format) {
    const uint64_t code = read_hex(key, text);
    if (format.bits() < 64 && code >> format.bits() != 0) {
        throw InputError(
            fmt::format("{}: '{}' does not fit {}, which has {} bits", key, text, format.name, format.bits()));
    }
    return code;
}

Source inline_bits(std::string_view key, std::string_view list, const Format& format) {
    Source source;
    for (std::string_view text : split(list, ',')) source.bits.push_back(read_code(key, text, format));
    return source;
}

uint64_t rounded_code(std::string_view key, std::string_view text, const Format& format) {
    const double value = parse_number(text, format.id, key);
    return std::isnan(value) ? format.nan_code() : round_double(format, value);
}

Source inline_values(std::string_view key, std::string_view list, const Format& format) {
    Source source;
    for (std::string_view text : split(list, ',')) source.bits.push_back(rounded_code(key, text, format));
    return source;
}

}  // namespace

Source parse_source(std::string_view key, std::string_view text, FormatId id, std::span<const FillInfo> known) {
    if (text.starts_with(bits_prefix)) return inline_bits(key, text.substr(bits_prefix.size()), format(id));
    if (text.starts_with(values_prefix)) return inline_values(key, text.substr(values_prefix.size()), format(id));
    parse_fill(known, text, key);
    return {std::string(text), {}};
}

std::string print_source(const Source& source, FormatId id) {
    if (source.bits.empty()) return source.fill;
    std::string text;
    for (uint64_t code : source.bits) {
        text += fmt::format("{}{:0{}x}", text.empty() ? bits_prefix : ",", code, format(id).bits() / 4);
    }
    return text;
}

}  // namespace normcheck
