// A shared library that exports normcheck_plugin(): loading it, and reading its table with suspicion.
#pragma once

#include <string>
#include <vector>

#include "harness/abi/normcheck.h"

namespace normcheck {

/// Loads the library, which stays loaded, in the default floating-point environment, which is put back afterwards
/// whatever its start-up code does to it. The kernels' texts and functions are in the library, checked to be there and
/// to be short enough; what they say is not judged here. Throws InputError saying what is wrong, without the path.
std::vector<nc_kernel> load_library(const std::string& path);

}  // namespace normcheck
