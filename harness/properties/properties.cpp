// The table of properties.
#include "harness/properties/properties.hpp"

#include <fmt/format.h>

#include "harness/properties/property_functions.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr PropertyInfo all_properties[] = {
#define PROPERTY(name, meaning) {#name, meaning, property_##name},
#include "harness/properties/properties.def"
#undef PROPERTY
};

std::string names() {
    std::string text;
    for (const PropertyInfo& info : all_properties) text += (text.empty() ? "" : ", ") + std::string(info.name);
    return text;
}

}  // namespace

std::span<const PropertyInfo> properties() {
    return all_properties;
}

const PropertyInfo& property_named(std::string_view name) {
    for (const PropertyInfo& info : all_properties)
        if (name == info.name) return info;
    throw InputError(fmt::format("there is no property '{}'; expected some of {}", name, names()));
}

}  // namespace normcheck
