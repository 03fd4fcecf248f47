// A value in a JSON document that is read strictly: it knows its place, so that what is refused can be named.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "oracles/format.hpp"
#include "oracles/regime.hpp"

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
/// An object of counts.
std::map<std::string, int64_t> counts_by_name(const JsonNode& node);
FormatId format_id(const JsonNode& node);
Regime regime_of(const JsonNode& node);

/// A document from its text. Throws InputError with the file's name, line and column where the text is not JSON.
nlohmann::json parse_json(std::string_view text, std::string_view file);

}  // namespace normcheck
