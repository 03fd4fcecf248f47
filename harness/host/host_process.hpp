// A process that runs kernels for the harness, so that a crash, a hang or an exit is the kernel's alone.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/host/host_command.hpp"
#include "harness/host/host_output.hpp"
#include "harness/host/message.hpp"

namespace normcheck::host {

/// What came of a call: a reply, or in words how the host was lost ("the kernel crashed (SIGSEGV)").
struct Outcome {
    std::optional<Reply> reply;
    std::string death;
    bool hung = false;
};

/// One host with memory that it shares with the harness. It ends with the object, and by itself when the harness does.
class HostProcess {
  public:
    /// Starts it and has it say hello. Throws InputError where the program is missing or cannot be started, where it
    /// ends, is silent or talks nonsense, and where it says that it has no kernels; its last lines of output are
    /// quoted.
    explicit HostProcess(const HostCommand& command);
    ~HostProcess();
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    const Hello& hello() const { return hello_; }
    const std::vector<KernelInfo>& kernels() const { return kernels_; }

    /// Memory of at least so many bytes, aligned to 64, which the host sees too; what an earlier call gave is void.
    std::byte* memory(size_t bytes);

    /// Has the host make the call and waits for it, at most so long. After a death the process is gone.
    Outcome run(Call call, double seconds);

    bool is_alive() const { return process_ > 0; }

  private:
    using Clock = std::chrono::steady_clock;
    enum class Waited { readable, late };
    struct Manner;

    void start();
    void read_hello();
    template <class Message>
    void expect(Message& message, Kind kind, Clock::time_point end);
    [[noreturn]] void fail_to_start(const std::string& why);
    Waited wait_readable(Clock::time_point end);
    /// The bytes of the next message, 0 where the host has closed the socket.
    size_t receive(void* message, size_t bytes);
    std::string how_it_ended(const Manner& manner);
    void stop();
    Outcome death(std::string how, bool hung);

    const HostCommand command_;  // its own, since threads end after what is static
    pid_t process_ = -1;
    int socket_ = -1;
    int memory_file_ = -1;
    HostOutput output_;
    std::byte* memory_ = nullptr;
    size_t memory_bytes_ = 0;
    Hello hello_;
    std::vector<KernelInfo> kernels_;
};

/// The host's program: named by the environment variable NORMCHECK_HOST, else `normcheck-host` beside the running
/// program.
std::filesystem::path host_program();

}  // namespace normcheck::host
