// The one kernel that a fuzz target was built for.
#pragma once

#include "harness/abi/normcheck.h"

namespace normcheck {

/// Null in the target of all kernels.
const nc_kernel* fixed_kernel();

}  // namespace normcheck
