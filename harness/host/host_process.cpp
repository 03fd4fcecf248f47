// Starting, asking and burying a host process.
#include "harness/host/host_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "oracles/error.hpp"

extern char** environ;

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

pid_t start(const std::filesystem::path& program, int socket, int memory_file) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, socket, socket_descriptor);
    posix_spawn_file_actions_adddup2(&actions, memory_file, memory_descriptor);
    std::string name = program.string();
    char* arguments[] = {name.data(), nullptr};
    pid_t process = -1;
    const int error = ::posix_spawn(&process, name.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw InputError(
            fmt::format("cannot start the host process {}: {}; expected the program normcheck-host there, "
                        "or its path in NORMCHECK_HOST",
                        name, std::generic_category().message(error)));
    return process;
}

constexpr const char* closed_descriptor = "the kernel closed a descriptor that its process needs";

std::string how_it_died(int status) {
    if (WIFSIGNALED(status)) {
        const char* name = sigabbrev_np(WTERMSIG(status));
        return name == nullptr ? fmt::format("the kernel crashed (signal {})", WTERMSIG(status))
                               : fmt::format("the kernel crashed (SIG{})", name);
    }
    const int code = WEXITSTATUS(status);
    if (code == exit_lost_socket) return closed_descriptor;
    return fmt::format("the kernel ended its process with exit status {}", code);
}

int wait_for(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/// The exit status of a process that should be ending; nothing where it goes on for a second.
std::optional<int> wait_briefly(pid_t process) {
    for (int wait = 0; wait < 1000; ++wait) {
        int status = 0;
        if (::waitpid(process, &status, WNOHANG) == process) return status;
        ::usleep(1000);
    }
    return std::nullopt;
}

/// True where the socket has something to read, or is closed, before the time is up.
bool wait_readable(int socket, double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (true) {
        const std::chrono::duration<double, std::milli> left = end - Clock::now();
        pollfd entry{socket, POLLIN, 0};
        const int found = ::poll(&entry, 1, static_cast<int>(std::ceil(std::max(left.count(), 0.0))));
        if (found > 0) return true;
        if (found == 0) return false;
        if (errno != EINTR) fail("wait for a host process", errno);
    }
}

}  // namespace

std::filesystem::path host_program() {
    if (const char* named = std::getenv("NORMCHECK_HOST")) return named;
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "normcheck-host";
}

HostProcess::HostProcess() {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) fail("start a host process", errno);
    Descriptor ours(moved_up(sockets[0])), theirs(moved_up(sockets[1]));
    const int file = ::memfd_create("normcheck", MFD_CLOEXEC);
    if (file < 0) fail("make memory to share with a host process", errno);
    Descriptor shared(moved_up(file));
    process_ = start(host_program(), theirs.value, shared.value);
    socket_ = ours.release();
    memory_file_ = shared.release();
}

HostProcess::~HostProcess() {
    if (socket_ >= 0) ::close(socket_);
    if (is_alive()) {
        ::kill(process_, SIGKILL);
        wait_for(process_);
    }
    if (memory_ != nullptr) ::munmap(memory_, memory_bytes_);
    if (memory_file_ >= 0) ::close(memory_file_);
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

Outcome HostProcess::run(Request request, double seconds) {
    request.memory_bytes = memory_bytes_;
    if (::send(socket_, &request, sizeof request, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof request)) return lost();
    if (!wait_readable(socket_, seconds)) return stop_hung(seconds);
    Reply reply;
    ssize_t received = -1;
    do received = ::recv(socket_, &reply, sizeof reply, 0);
    while (received < 0 && errno == EINTR);
    if (received != static_cast<ssize_t>(sizeof reply) || reply.protocol != protocol_version) return lost();
    return {reply, "", false};
}

Outcome HostProcess::lost() {
    const std::optional<int> status = wait_briefly(process_);
    if (!status) {
        ::kill(process_, SIGKILL);
        wait_for(process_);
    }
    process_ = -1;
    return {std::nullopt, status ? how_it_died(*status) : closed_descriptor, false};
}

Outcome HostProcess::stop_hung(double seconds) {
    ::kill(process_, SIGKILL);
    wait_for(process_);
    process_ = -1;
    return {std::nullopt, fmt::format("the kernel did not return within {:.3g} s", seconds), true};
}

}  // namespace normcheck::host
