// A value in a JSON document that is read strictly: it knows its place, so that what is refused can be named.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace normcheck {

/// A value and where it stands in the document.
struct JsonNode {
    const nlohmann::json& value;
    std::string path;
};

/// Throws InputError with the place, what was expected there, and what was found.
[[noreturn]] void refuse(const JsonNode& node, std::string_view expected);

// Each refuses what is of another kind.
JsonNode at(const JsonNode& node, const std::string& key);
std::vector<JsonNode> elements(const JsonNode& node);
std::string text(const JsonNode& node);
/// Empty for null.
std::string text_or_null(const JsonNode& node);
bool flag(const JsonNode& node);
uint64_t whole(const JsonNode& node, uint64_t largest = std::numeric_limits<int64_t>::max());
int64_t number(const JsonNode& node);
/// -1 for null.
int64_t place(const JsonNode& node);
/// A hex float in a string.
double hex_number(const JsonNode& node);
/// A bit pattern as in "0x3f80".
uint64_t code(const JsonNode& node);

}  // namespace normcheck
