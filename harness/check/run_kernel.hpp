// The bare call of a kernel: in the default floating-point environment, and with whatever it throws caught.
#pragma once

#include <string>
#include <vector>

#include "harness/abi/normcheck.h"

namespace normcheck {

struct KernelRun {
    const char* refusal = nullptr;          // why the kernel does not take the call
    std::vector<std::string> broken_rules;  // an exception thrown, the environment changed
};

/// What the kernel throws is its failure, not ours.
KernelRun run_kernel(const nc_kernel& kernel, const nc_call& call);

}  // namespace normcheck
