// One call of a kernel in a host process: tensors go into shared memory and come back, whatever becomes of the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/host/host_command.hpp"
#include "harness/host/kernel_run.hpp"
#include "harness/host/message.hpp"

namespace normcheck::host {

/// Memory that a call's tensors lie in; its bytes are copied back after the call.
struct Block {
    std::byte* data;
    size_t bytes;
};

/// What a host says of itself when it is started.
struct HostKernels {
    std::string name;  // of all of them, may be empty
    std::vector<KernelInfo> kernels;
};

/// Starts this thread's host of that number, where there is none, and returns what it has. Throws InputError where it
/// cannot be started.
HostKernels kernels_of_host(int host);

/// Makes the call of kernel number `kernel` in this thread's host of that number, which is started where there is none.
/// README.md states the rules of time, repetition and giving up. Every tensor of `call` must lie in one of the blocks.
/// Throws InputError where the very first host cannot be started.
KernelRun run_in_host(int host, uint32_t kernel, const nc_call& call, std::span<const Block> blocks);

/// A kernel that has hung so often is not called again, nor one whose host has died on so many calls in a row.
constexpr int hang_limit = 3;
constexpr int death_limit = 50;

/// While it lives, calls of this thread are given the host's short time, hosts that are lost are no reason to call
/// again, and a kernel may hang as often as it likes: for shrinking a case, where most calls are expected to end badly.
class ShortCalls {
  public:
    ShortCalls();
    ~ShortCalls();
    ShortCalls(const ShortCalls&) = delete;
    ShortCalls& operator=(const ShortCalls&) = delete;
};

}  // namespace normcheck::host
