// A command that is a host: started by normcheck-host, which stays, so that all its processes end with the harness.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace normcheck::host {

/// No core files, and at most so much memory of its own for this process and those that it starts; 0: no limit.
void limit_resources(int64_t memory_mib);

/// Runs `sh -c COMMAND`, to which these descriptors are left, and returns or dies as it does. What the command has left
/// running then is killed, as is all of it where the harness ends or sends SIGTERM.
int supervise(const std::string& command, int64_t memory_mib, const std::vector<int>& descriptors);

}  // namespace normcheck::host
