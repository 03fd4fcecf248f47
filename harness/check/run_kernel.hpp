// The bare call of a kernel: in the default floating-point environment, and with whatever it throws caught.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"

namespace normcheck {

struct KernelRun {
    std::optional<std::string> refusal;     // why the kernel does not take the call
    std::vector<std::string> broken_rules;  // an exception thrown, the environment changed
    bool returned = false;                  // else there are no outputs
};

/// What the kernel throws is its failure, not ours.
KernelRun run_kernel(const nc_kernel& kernel, const nc_call& call);

}  // namespace normcheck
