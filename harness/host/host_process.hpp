// A process that runs kernels for the harness, so that a crash, a hang or an exit is the kernel's alone.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/host/message.hpp"

namespace normcheck::host {

/// What came of a request: a reply, or in words how the host was lost ("the kernel crashed (SIGSEGV)").
struct Outcome {
    std::optional<Reply> reply;
    std::string death;
    bool hung = false;
};

/// One host with memory that it shares with the harness. It ends with the object, and by itself when the harness does.
class HostProcess {
  public:
    /// Throws InputError where the host's program is missing or cannot be started.
    HostProcess();
    ~HostProcess();
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    /// Memory of at least so many bytes, aligned to 64, which the host sees too; what an earlier call gave is void.
    std::byte* memory(size_t bytes);

    /// Has the host make the call and waits for it, at most so long. After a death the process is gone.
    Outcome run(Request request, double seconds);

    bool is_alive() const { return process_ > 0; }

  private:
    Outcome lost();
    Outcome stop_hung(double seconds);

    pid_t process_ = -1;
    int socket_ = -1;
    int memory_file_ = -1;
    std::byte* memory_ = nullptr;
    size_t memory_bytes_ = 0;
};

/// The host's program: named by the environment variable NORMCHECK_HOST, else `normcheck-host` beside the running
/// program.
std::filesystem::path host_program();

}  // namespace normcheck::host
