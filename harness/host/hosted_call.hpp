// One call of a kernel in a host process: tensors go into shared memory and come back, whatever becomes of the host.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"

namespace normcheck::host {

/// Memory that a call's tensors lie in; its bytes are copied back after the call.
struct Block {
    std::byte* data;
    size_t bytes;
};

struct HostedRun {
    bool finished = false;               // the kernel returned
    std::optional<std::string> refusal;  // why it does not take the call
    std::vector<std::string> broken_rules;
};

/// Makes the call of a built-in or faulty kernel in this thread's host process, which is started where there is none.
/// Rules:
/// - the host is given 2 s and 1 us per element of x; one that takes longer is stopped: the kernel hangs;
/// - a call on which the host dies is a broken rule. The first time that a kernel's host dies the call is repeated in a
///   fresh host, and where that one returns the rule says so;
/// - a kernel that has hung `hang_limit` times is not called again, and every further call breaks a rule.
/// Every tensor of `call` must lie in one of the blocks. Throws InputError where no host can be started.
HostedRun run_in_host(const std::string& kernel, const nc_call& call, std::span<const Block> blocks);

constexpr int hang_limit = 3;

/// While it lives, calls of this thread are given 0.2 s instead of 2, hosts that are lost are no reason to call again,
/// and a kernel may hang as often as it likes: for shrinking a case, where most calls are expected to end badly.
class ShortCalls {
  public:
    ShortCalls();
    ~ShortCalls();
    ShortCalls(const ShortCalls&) = delete;
    ShortCalls& operator=(const ShortCalls&) = delete;
};

}  // namespace normcheck::host
