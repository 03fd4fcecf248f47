// The kernels that are built in: an explicit ordered list, made from kernels.def.
#pragma once

#include <span>
#include <string_view>

#include "harness/abi/normcheck.h"

namespace normcheck {

/// All built-in kernels, in the order of kernels.def.
std::span<const nc_kernel* const> built_in_kernels();

/// The built-in or faulty kernel of that name; null where there is none.
const nc_kernel* find_kernel(std::string_view name);

}  // namespace normcheck
