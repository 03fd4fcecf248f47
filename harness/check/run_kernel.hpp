// The call of a kernel where it belongs: bare, in the default floating-point environment and with whatever it throws
// caught, or the same in its host process.
#pragma once

#include <span>

#include "harness/abi/normcheck.h"
#include "harness/host/hosted_call.hpp"
#include "harness/host/kernel_run.hpp"

namespace normcheck {

/// The bare call, in this process. What the kernel throws is its failure, not ours.
KernelRun run_kernel(const nc_kernel& kernel, const nc_call& call);

/// The call in this process or, for a kernel that may take its process with it, in a host (harness/host). Every tensor
/// lies in one of the blocks.
KernelRun run_in_its_place(const nc_kernel& kernel, const nc_call& call, std::span<const host::Block> blocks);

}  // namespace normcheck
