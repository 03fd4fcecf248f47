// Properties: what must hold between calls of a kernel, beside the judgement of each. Every property is one function
// and one row of properties.def; README.md says how to add one, and why each is a theorem of a correct kernel.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/abi/normcheck.h"
#include "harness/cases/case.hpp"

namespace normcheck {

/// What a property says of one kernel on one case. `not_applicable` is no pass: nothing was shown.
struct PropertyResult {
    enum class Status : uint8_t { held, violated, not_applicable } status;
    std::string reason;  // of violated: row, element and both values; of not_applicable: which condition does not hold
    Case witness;        // of violated: the call that breaks the property beside the case's own
};

using PropertyFunction = PropertyResult (*)(const nc_kernel& kernel, const Case& c);

/// One row of properties.def.
struct PropertyInfo {
    const char* name;
    const char* meaning;
    PropertyFunction check;
};
std::span<const PropertyInfo> properties();

/// The property of that name. Throws InputError naming it and all that there are.
const PropertyInfo& property_named(std::string_view name);

}  // namespace normcheck
