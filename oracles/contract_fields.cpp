// The table of contract fields and the words in it. The alternatives of a field are read from its row, so that the row
// is the one place that spells them.
#include <array>

#include "oracles/contract_words.hpp"
#include "oracles/error.hpp"

namespace normcheck {

namespace {

constexpr std::array<FieldInfo, field_count> table = {{
#define FIELD(id, default_text, values, meaning) {FieldId::id, #id, default_text, values, meaning},
#include "oracles/contract_fields.def"
#undef FIELD
}};

}  // namespace

std::span<const FieldInfo> contract_fields() {
    return table;
}

const FieldInfo& field_info(FieldId id) {
    return table[static_cast<int>(id)];
}

std::optional<FieldId> find_field(std::string_view name) {
    for (const FieldInfo& row : table) {
        if (name == row.name) return row.id;
    }
    return std::nullopt;
}

bool is_contract_field(std::string_view name) {
    return find_field(name).has_value();
}

std::string field_names() {
    std::string names;
    for (const FieldInfo& row : table) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

std::vector<std::string> choices(FieldId id) {
    constexpr std::string_view separator = " | ";
    std::vector<std::string> words;
    std::string_view rest = field_info(id).values;
    for (size_t end; (end = rest.find(separator)) != rest.npos; rest.remove_prefix(end + separator.size())) {
        words.emplace_back(rest.substr(0, end));
    }
    words.emplace_back(rest);
    return words;
}

const char* name(Point point) {
    switch (point) {
        case Point::mean:
            return "mean";
        case Point::var:
            return "var";
        case Point::radicand:
            return "radicand";
        case Point::std:
            return "std";
        case Point::denominator:
            return "denominator";
        case Point::rstd:
            return "rstd";
        case Point::shift:
            return "shift";
        case Point::centred:
            return "centred";
        case Point::scaled:
            return "scaled";
    }
    throw InternalError("internal error: no such point");
}

const char* name(EpsAt eps_at) {
    static const std::vector<std::string> names = choices(FieldId::eps_at);
    return names.at(static_cast<size_t>(eps_at)).c_str();
}

}  // namespace normcheck
