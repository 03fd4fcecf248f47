// Kernels from outside, added to the registry: those of plug-in libraries and of commands that speak the protocol of
// hosts. To the rest of the harness each is an nc_kernel as any other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace normcheck {

struct OutsideKernels {
    std::vector<std::string> plugins = {};   // PATH, or NAME=PATH to choose the namespace of its kernels
    std::vector<std::string> commands = {};  // run by sh
    bool in_process = false;                 // libraries are loaded here, with no host: fast, and at your own risk
    std::optional<double> start_seconds = {}, call_seconds = {};  // in place of those of the host's kind
    std::optional<int64_t> memory_mib = {};                       // in place of that of all hosts
};

/// Loads each and adds its kernels, named NAMESPACE/NAME. The namespace of a plug-in is the library's name, without
/// `lib` and what follows the first dot; that of a command is what it calls itself, else `exec`. Throws InputError
/// naming plug-in or command and what is wrong: it cannot be started, a contract cannot be read, a name is another's.
void add_outside_kernels(const OutsideKernels& outside);

}  // namespace normcheck
