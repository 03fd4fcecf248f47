// Which contract a kernel obeys, whatever it declares.
#pragma once

#include <string>

#include "harness/abi/normcheck.h"

namespace normcheck {

/// The contract that explains best what the kernel returns on rows round eps, ordinary rows and rows far from zero, as
/// text; empty where none that is tried does, or where the kernel returns nothing. The kernel's own contract where the
/// rows do not tell it from the best one.
std::string obeyed_contract(const nc_kernel& kernel);

}  // namespace normcheck
