// A smaller case that still fails.
#pragma once

#include "harness/abi/normcheck.h"
#include "harness/cases/case.hpp"

namespace normcheck {

/// The case with fewer rows and columns, plainer layout and fills, as far as it still fails or breaks a rule.
Case minimised(const nc_kernel& kernel, const Case& c);

}  // namespace normcheck
