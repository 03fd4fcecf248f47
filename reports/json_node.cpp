// Strict reading of JSON values; see json_node.hpp.
#include "reports/json_node.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "oracles/error.hpp"
#include "reports/escape.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;
using Node = JsonNode;

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

}  // namespace normcheck
