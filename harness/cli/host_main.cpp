// The host process: makes the calls that the harness asks for, on tensors in memory that both have mapped, until the
// harness closes the socket.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "harness/check/run_kernel.hpp"
#include "harness/host/message.hpp"
#include "harness/kernels/registry.hpp"

namespace normcheck::host {
namespace {

/// The memory shared with the harness, mapped anew where it has grown.
class SharedMemory {
  public:
    std::byte* at_least(size_t bytes) {
        if (bytes <= bytes_) return data_;
        if (data_ != nullptr) ::munmap(data_, bytes_);
        void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_descriptor, 0);
        if (mapped == MAP_FAILED) std::exit(exit_lost_socket);
        data_ = static_cast<std::byte*>(mapped);
        bytes_ = bytes;
        return data_;
    }

  private:
    std::byte* data_ = nullptr;
    size_t bytes_ = 0;
};

void give_addresses(nc_call& call, std::byte* memory) {
    for (nc_tensor nc_call::* member : tensors) {
        nc_tensor& tensor = call.*member;
        if (tensor.data != nullptr) tensor.data = memory + (reinterpret_cast<size_t>(tensor.data) - 1);
    }
}

/// Cuts what does not fit; the rest of `to` is zero already.
void copy_text(const std::string& text, char* to, size_t size) {
    text.copy(to, size - 1);
}

Reply answer(Request& request, SharedMemory& memory) {
    Reply reply;
    const nc_kernel* kernel = find_kernel(request.kernel);
    if (kernel == nullptr) {
        reply.status = Status::unknown_kernel;
        return reply;
    }
    give_addresses(request.call, memory.at_least(request.memory_bytes));
    const KernelRun run = run_kernel(*kernel, request.call);
    if (run.refusal) {
        reply.status = Status::refused;
        copy_text(*run.refusal, reply.text, sizeof reply.text);
    }
    std::string rules;
    for (const std::string& rule : run.broken_rules) rules += (rules.empty() ? "" : "\n") + rule;
    copy_text(rules, reply.rules, sizeof reply.rules);
    return reply;
}

/// False where the harness has closed the socket.
bool receive(Request& request) {
    ssize_t received = -1;
    do received = ::recv(socket_descriptor, &request, sizeof request, 0);
    while (received < 0 && errno == EINTR);
    return received == static_cast<ssize_t>(sizeof request) && request.protocol == protocol_version;
}

void serve() {
    SharedMemory memory;
    Request request;
    while (receive(request)) {
        const Reply reply = answer(request, memory);
        if (::send(socket_descriptor, &reply, sizeof reply, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof reply))
            std::_Exit(exit_lost_socket);
    }
}

}  // namespace
}  // namespace normcheck::host

int main() {
    if (::fcntl(normcheck::host::socket_descriptor, F_GETFD) < 0) {
        std::fprintf(stderr, "normcheck-host: is started by normcheck, not by hand\n");
        return 2;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    normcheck::host::serve();
    // What a kernel has left running or locked is nobody's any more.
    std::_Exit(0);
}
