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

/// True where the kernel may crash, hang or end its process, so that it is called in a host process only.
bool needs_host(const nc_kernel& kernel);

}  // namespace normcheck
