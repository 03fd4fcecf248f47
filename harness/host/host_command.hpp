// The kinds of hosts: how each is started, and what its processes may take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace normcheck::host {

/// One kind of host. Its processes all have the same kernels.
struct HostCommand {
    std::string what;                         // in messages: "plug-in ./libmine.so"
    std::vector<std::string> arguments = {};  // of the program normcheck-host
    bool supervised = false;                  // the program starts another, and takes it with it when it is told to end
    double start_seconds = 10;                // until it has said hello
    double call_seconds = 2;                  // for a call, and 1 us more for each element of x
    double short_call_seconds = 0.2;          // the same while ShortCalls lives
};

/// Adds a kind and returns its number. Number 0, which is always there, has the faults that end their process. Not
/// while calls are made.
int add_host(HostCommand command);
const HostCommand& host_command(int number);

/// What all hosts share. Set before any is started.
struct HostSettings {
    int64_t memory_mib = 4096;  // each host may take so much beside the tensors; 0: no limit
    int log = -1;               // a descriptor to which what hosts print is copied; -1: nowhere
};
HostSettings& host_settings();

}  // namespace normcheck::host
