// JSON as text; see json_text.hpp. Bytes that are not UTF-8 become U+FFFD.
#include "reports/json_text.hpp"

#include <algorithm>

namespace normcheck {
namespace {

using Json = nlohmann::json;

constexpr size_t page_width = 120;

bool is_flat(const Json& value) {
    return std::ranges::none_of(value, [](const Json& member) { return member.is_structured(); });
}

std::string key_text(const std::string& key) {
    return json_line(Json(key)) + ": ";
}

/// The members between brackets, each after `before`.
template <typename Member>
std::string joined(const Json& value, const std::string& before, const std::string& between, Member member) {
    std::string result;
    for (auto at = value.begin(); at != value.end(); ++at) {
        result += (result.empty() ? before : between);
        if (value.is_object()) result += key_text(at.key());
        result += member(*at);
    }
    return result;
}

std::string indented(const Json& value, size_t indent) {
    if (!value.is_structured() || value.empty()) return json_line(value);
    const char open = value.is_object() ? '{' : '[', close = value.is_object() ? '}' : ']';
    if (is_flat(value)) {
        const std::string line = open + joined(value, "", ", ", json_line) + close;
        if (indent + line.size() <= page_width) return line;
    }
    const std::string before = '\n' + std::string(indent + 2, ' ');
    const auto member = [&](const Json& one) { return indented(one, indent + 2); };
    return open + joined(value, before, ',' + before, member) + '\n' + std::string(indent, ' ') + close;
}

}  // namespace

std::string json_line(const Json& document) {
    return document.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string json_text(const Json& document) {
    return indented(document, 0) + '\n';
}

}  // namespace normcheck
