// Starts the program of a host with the descriptors that the protocol promises it.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "harness/host/host_command.hpp"

namespace normcheck::host {

/// What a host is given; all above those that it will have them as.
struct HostDescriptors {
    int socket, memory_file, output;
};

/// The process, which leads a group of its own. Throws InputError where it cannot be started.
pid_t start_host(const HostCommand& command, const HostDescriptors& descriptors);

}  // namespace normcheck::host
