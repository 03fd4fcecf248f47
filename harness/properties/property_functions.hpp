// The functions behind the rows of properties.def. Between the files of this folder only.
#pragma once

#include "harness/properties/properties.hpp"

namespace normcheck {

#define PROPERTY(name, meaning) PropertyResult property_##name(const nc_kernel& kernel, const Case& c);
#include "harness/properties/properties.def"
#undef PROPERTY

}  // namespace normcheck
