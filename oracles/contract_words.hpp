// For code that handles contract words one by one: one field at a time as text. A field's default may follow fields
// that stand before it in contract_fields.def, so whoever builds a contract goes through the fields in that order.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracles/contract.hpp"

namespace normcheck {

constexpr int field_count = 0
#define FIELD(id, default_text, values, meaning) +1
#include "oracles/contract_fields.def"
#undef FIELD
    ;

/// The values of a contract text by field; nothing where a field is not named.
using Words = std::array<std::optional<std::string>, field_count>;

const FieldInfo& field_info(FieldId id);
std::optional<FieldId> find_field(std::string_view name);
std::string field_names();

/// The alternatives in the row's column of values, in the order of the field's enumerators.
std::vector<std::string> choices(FieldId id);

/// Throws the InputError for a value that the field does not take.
[[noreturn]] void refuse_value(FieldId id, std::string_view value);

/// Reads one field's value. Throws InputError naming field, value and what was expected.
void set_field(Contract& contract, FieldId id, std::string_view value);
/// One field's value in full; set_field reads it back.
std::string field_text(const Contract& contract, FieldId id);
/// What a field that is not named takes, given the fields before it.
std::string default_value(const Contract& contract, FieldId id);

/// Text before and after the first separator; no tail where there is no separator.
struct Split {
    std::string_view head;
    std::optional<std::string_view> tail;
};
Split split_at(std::string_view text, char separator);

}  // namespace normcheck
