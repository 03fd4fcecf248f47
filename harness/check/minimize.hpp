// Makes a case that shows something smaller while it still shows it: fewer rows and columns, plain calls, simple
// numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/abi/normcheck.h"
#include "harness/cases/case.hpp"

namespace normcheck {

/// What is found on a case, without its place: a broken rule, or the reason of the first row that failed. Empty where
/// nothing is found. Throws InputError as check_case does.
std::string kind_of_finding(const nc_kernel& kernel, const Case& c);

/// Whether a case still shows what the first one showed.
using Shows = std::function<bool(const Case&)>;

struct Minimized {
    Case smallest;
    int64_t checks = 0;  // cases that were tried
};

/// The smallest case that was found, by trying at most `budget` others; the same for the same arguments. `c` must show
/// it. A candidate on which `shows` throws InputError does not.
Minimized minimize(const nc_kernel& kernel, const Case& c, const Shows& shows, int64_t budget = 2000);

}  // namespace normcheck
