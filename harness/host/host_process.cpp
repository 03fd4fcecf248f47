// Starting, asking and burying a host process.
#include "harness/host/host_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>

#include "harness/host/start_host.hpp"
#include "oracles/error.hpp"

namespace normcheck::host {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what, int error) {
    throw InputError(fmt::format("cannot {}: {}", what, std::generic_category().message(error)));
}

/// Closes a descriptor when it goes out of scope.
struct Descriptor {
    int value = -1;
    explicit Descriptor(int opened) : value(opened) {}
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int release() { return std::exchange(value, -1); }
};

/// A descriptor above those with which a host is started, so that giving it out cannot overwrite another.
int moved_up(int descriptor) {
    const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 16);
    const int error = errno;
    ::close(descriptor);
    if (moved < 0) fail("start a host process", error);
    return moved;
}

/// A file without a name that nobody can make shorter: reading what was cut off would end this process.
int make_memory_file() {
    const int file = ::memfd_create("normcheck", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) != 0)
        fail("make memory to share with a host process", errno);
    return file;
}

std::string signal_text(int number) {
    const char* name = sigabbrev_np(number);
    return name == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", name);
}

int wait_for(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/// True where the process ends within so many ms. It is not reaped, so that its number stays its own.
bool ends_within(int milliseconds, pid_t process) {
    for (int wait = 0; wait < milliseconds; ++wait) {
        siginfo_t information{};
        if (::waitid(P_PID, static_cast<id_t>(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            information.si_pid == process)
            return true;
        ::usleep(1000);
    }
    return false;
}

Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// What is wrong with a message, other than its absence.
std::string nonsense(const Header& header, size_t received, size_t expected, Kind kind) {
    if (received != expected) return fmt::format("a message of {} bytes, where {} were expected", received, expected);
    if (header.protocol != protocol_version)
        return fmt::format("version {} of the protocol, where {} was expected", header.protocol, protocol_version);
    if (header.kind != kind)
        return fmt::format("a message of kind {}, where {} was expected", static_cast<uint32_t>(header.kind),
                           static_cast<uint32_t>(kind));
    return "";
}

template <size_t size>
bool is_ended(const char (&text)[size]) {
    return std::memchr(text, 0, size) != nullptr;
}

}  // namespace

/// How the end of a process is told, of one that was started and of one that was called.
struct HostProcess::Manner {
    const char *crashed, *exited, *closed;
    static constexpr Manner start() {
        return {"its process crashed", "its process ended with exit status",
                "its process closed a descriptor that it needs"};
    }
    static constexpr Manner call() {
        return {"the kernel crashed", "the kernel ended its process with exit status",
                "the kernel closed a descriptor that its process needs"};
    }
};

HostProcess::HostProcess(const HostCommand& command) : command_(command) {
    try {
        start();
        read_hello();
    } catch (...) {
        stop();
        throw;
    }
}

// A host that is waiting ends by itself when its socket is closed, and may have something to write before.
HostProcess::~HostProcess() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
    if (is_alive()) ends_within(500, process_);
    stop();
}

void HostProcess::start() {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) fail("start a host process", errno);
    Descriptor ours(moved_up(sockets[0])), theirs(moved_up(sockets[1]));
    Descriptor shared(moved_up(make_memory_file()));
    const Descriptor output(moved_up(output_.open()));
    process_ = start_host(command_, {theirs.value, shared.value, output.value});
    socket_ = ours.release();
    memory_file_ = shared.release();
}

/// Ends the process and all that it has started in its group, and gives back what it shared.
void HostProcess::stop() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
    if (is_alive()) {
        if (command_.supervised) {
            ::kill(process_, SIGTERM);
            ends_within(1000, process_);
        }
        ::kill(-process_, SIGKILL);
        wait_for(std::exchange(process_, -1));
    }
    output_.read();  // what came after the last reply
    if (memory_ != nullptr) ::munmap(std::exchange(memory_, nullptr), std::exchange(memory_bytes_, 0));
    if (memory_file_ >= 0) ::close(std::exchange(memory_file_, -1));
}

HostProcess::Waited HostProcess::wait_readable(Clock::time_point end) {
    while (true) {
        const std::chrono::duration<double, std::milli> left = end - Clock::now();
        pollfd entries[] = {{socket_, POLLIN, 0}, {output_.descriptor(), POLLIN, 0}};  // a poll skips -1
        const int found = ::poll(entries, 2, static_cast<int>(std::ceil(std::clamp(left.count(), 0.0, 1e9))));
        if (found < 0 && errno != EINTR) fail("wait for a host process", errno);
        if (found > 0 && entries[0].revents != 0) return Waited::readable;
        if (found > 0 && entries[1].revents != 0) output_.read();
        if (left.count() <= 0) return Waited::late;
    }
}

// Longer messages are cut, and told by MSG_TRUNC in their true size.
size_t HostProcess::receive(void* message, size_t bytes) {
    ssize_t received = -1;
    do received = ::recv(socket_, message, bytes, MSG_TRUNC);
    while (received < 0 && errno == EINTR);
    return received < 0 ? 0 : static_cast<size_t>(received);
}

void HostProcess::fail_to_start(const std::string& why) {
    throw InputError(fmt::format("{}: {}{}", command_.what, why, output_.last_lines()));
}

template <class Message>
void HostProcess::expect(Message& message, Kind kind, Clock::time_point end) {
    if (wait_readable(end) == Waited::late)
        fail_to_start(fmt::format("its process did not say hello within {:.3g} s", command_.start_seconds));
    const size_t received = receive(&message, sizeof message);
    if (received == 0) fail_to_start(fmt::format("before it said hello, {}", how_it_ended(Manner::start())));
    const std::string wrong = nonsense(message.header, received, sizeof message, kind);
    if (!wrong.empty()) fail_to_start("its process does not speak the protocol of hosts: it sent " + wrong);
}

void HostProcess::read_hello() {
    const Clock::time_point end = after(command_.start_seconds);
    expect(hello_, Kind::hello, end);
    if (!is_ended(hello_.name) || !is_ended(hello_.text)) fail_to_start("its hello has a text without an end");
    if (hello_.status != Hello::Status::ready) fail_to_start(hello_.text);
    if (hello_.kernel_count < 1 || hello_.kernel_count > most_kernels)
        fail_to_start(fmt::format("it has {} kernels; expected 1 to {}", hello_.kernel_count, most_kernels));
    kernels_.resize(hello_.kernel_count);
    for (KernelInfo& kernel : kernels_) {
        expect(kernel, Kind::kernel, end);
        if (!is_ended(kernel.name) || !is_ended(kernel.contract) || !is_ended(kernel.about))
            fail_to_start("it describes a kernel by a text without an end");
    }
}

std::byte* HostProcess::memory(size_t bytes) {
    constexpr size_t step = size_t{1} << 20;
    if (bytes <= memory_bytes_) return memory_;
    const size_t rounded = (std::max(bytes, 2 * memory_bytes_) + step - 1) / step * step;
    if (::ftruncate(memory_file_, static_cast<off_t>(rounded)) != 0) fail("grow memory shared with a host", errno);
    if (memory_ != nullptr) ::munmap(memory_, memory_bytes_);
    void* mapped = ::mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file_, 0);
    if (mapped == MAP_FAILED) {
        memory_ = nullptr;
        memory_bytes_ = 0;
        fail("map memory shared with a host", errno);
    }
    memory_ = static_cast<std::byte*>(mapped);
    memory_bytes_ = rounded;
    return memory_;
}

Outcome HostProcess::run(Call call, double seconds) {
    call.memory_bytes = memory_bytes_;
    if (::send(socket_, &call, sizeof call, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof call))
        return death(how_it_ended(Manner::call()), false);
    if (wait_readable(after(seconds)) == Waited::late)
        return death(fmt::format("the kernel did not return within {:.3g} s", seconds), true);
    Reply reply;
    const size_t received = receive(&reply, sizeof reply);
    if (received == 0) return death(how_it_ended(Manner::call()), false);
    const std::string wrong = nonsense(reply.header, received, sizeof reply, Kind::reply);
    if (!wrong.empty()) return death("the process of the kernel sent " + wrong, false);
    if (!is_ended(reply.text) || !is_ended(reply.rules) || reply.status > Reply::Status::failed)
        return death("the process of the kernel sent a reply that makes no sense", false);
    return {reply, "", false};
}

/// How a host that has closed its socket went; it may be ending still.
std::string HostProcess::how_it_ended(const Manner& manner) {
    if (!ends_within(1000, process_)) return manner.closed;
    ::kill(-process_, SIGKILL);  // what it has left in its group
    const int status = wait_for(std::exchange(process_, -1));
    if (WIFSIGNALED(status)) return fmt::format("{} ({})", manner.crashed, signal_text(WTERMSIG(status)));
    const int code = WEXITSTATUS(status);
    if (code == exit_lost_socket) return manner.closed;
    return fmt::format("{} {}", manner.exited, code);
}

Outcome HostProcess::death(std::string how, bool hung) {
    stop();
    return {std::nullopt, std::move(how), hung};
}

}  // namespace normcheck::host
