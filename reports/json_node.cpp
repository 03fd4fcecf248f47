// Strict reading of JSON values; see json_node.hpp.
#include "reports/json_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "oracles/error.hpp"
#include "reports/escape.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;
using Node = JsonNode;

/// Deeper than any report: what is nested without end would exhaust the stack.
constexpr int deepest = 32;

bool refuse_depth(int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) throw InputError(fmt::format("expected a report, found values nested {} deep", depth));
    return true;
}

/// "line 3, column 7: not JSON: ..." of a parser's message, which puts it between words of its own.
std::string not_json(std::string_view text, const Json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1));
    const auto line = 1 + std::ranges::count(before, '\n');
    const size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    const std::string_view what = error.what();
    const size_t detail = what.find("syntax error ");
    return fmt::format("line {}, column {}: expected JSON, found a {}", line, column,
                       printable(what.substr(detail == what.npos ? 0 : detail)));
}

}  // namespace

void refuse(const Node& node, std::string_view expected) {
    const std::string found = node.value.dump(-1, ' ', true, Json::error_handler_t::replace);
    const std::string shown = found.size() > 60 ? found.substr(0, 57) + "..." : found;
    const std::string path = node.path.empty() ? "/" : printable(node.path);
    throw InputError(fmt::format("{}: expected {}, found {}", path, expected, shown));
}

Node at(const Node& node, const std::string& key) {
    if (!node.value.is_object()) refuse(node, "an object");
    const auto found = node.value.find(key);
    if (found == node.value.end()) refuse(node, fmt::format("the key \"{}\"", key));
    return {*found, node.path + "/" + key};
}

std::vector<Node> elements(const Node& node) {
    if (!node.value.is_array()) refuse(node, "an array");
    std::vector<Node> result;
    for (const Json& value : node.value) result.push_back({value, fmt::format("{}/{}", node.path, result.size())});
    return result;
}

std::string text(const Node& node) {
    if (!node.value.is_string()) refuse(node, "a string");
    return node.value.get<std::string>();
}

std::string text_or_null(const Node& node) {
    return node.value.is_null() ? "" : text(node);
}

bool flag(const Node& node) {
    if (!node.value.is_boolean()) refuse(node, "true or false");
    return node.value.get<bool>();
}

uint64_t whole(const Node& node, uint64_t largest) {
    const bool natural = node.value.is_number_unsigned() || (node.value.is_number_integer() && node.value >= 0);
    if (!natural || node.value.get<uint64_t>() > largest)
        refuse(node, fmt::format("a whole number from 0 to {}", largest));
    return node.value.get<uint64_t>();
}

int64_t number(const Node& node) {
    return static_cast<int64_t>(whole(node));
}

int64_t place(const Node& node) {
    return node.value.is_null() ? -1 : number(node);
}

double hex_number(const Node& node) {
    const std::string word = text(node);
    const bool hex =
        word.starts_with("0x") || word.starts_with("-0x") || word == "inf" || word == "-inf" || word == "nan";
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (!hex || *end != '\0') refuse(node, "a hex float such as \"0x1.8p+1\", or \"inf\", \"-inf\", \"nan\"");
    return value;
}

uint64_t code(const Node& node) {
    const std::string word = text(node);
    const bool digits =
        word.size() > 2 && word.size() <= 18 && word.find_first_not_of("0123456789abcdef", 2) == std::string::npos;
    if (!word.starts_with("0x") || !digits) refuse(node, "a code such as \"0x3f800000\"");
    return std::strtoull(word.c_str(), nullptr, 16);
}

std::map<std::string, int64_t> counts_by_name(const Node& node) {
    if (!node.value.is_object()) refuse(node, "an object of counts");
    std::map<std::string, int64_t> result;
    for (const auto& [key, value] : node.value.items()) result[key] = number({value, node.path + "/" + key});
    return result;
}

FormatId format_id(const Node& node) {
    const std::optional<FormatId> found = find_format(text(node));
    if (!found) refuse(node, "a format: " + format_names());
    return *found;
}

Regime regime_of(const Node& node) {
    const std::string word = text(node);
    for (const RegimeInfo& info : regimes())
        if (word == info.name) return info.regime;
    refuse(node, "a regime such as \"ordinary\"");
}

Json parse_json(std::string_view text, std::string_view file) {
    try {
        return Json::parse(text, refuse_depth);
    } catch (const Json::parse_error& error) {
        throw InputError(fmt::format("{}: {}", printable(file), not_json(text, error)));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", printable(file), error.what()));
    }
}

}  // namespace normcheck
