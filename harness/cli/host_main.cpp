// The host process: says which kernels it has, then makes the calls that the harness asks for, on tensors in memory
// that both have mapped, until the harness closes the socket. It has the faults that end their process, or the kernels
// of a plug-in, or starts a command that is the host.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/run_kernel.hpp"
#include "harness/cli/supervise.hpp"
#include "harness/host/message.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/outside/library.hpp"
#include "oracles/error.hpp"

namespace normcheck::host {
namespace {

/// The descriptors that the environment names.
struct Channel {
    int socket = -1, memory_file = -1;
};

std::optional<int> descriptor_named(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    int number = -1;
    const char* const end = text + std::strlen(text);
    if (std::from_chars(text, end, number).ptr != end || ::fcntl(number, F_GETFD) < 0) return std::nullopt;
    return number;
}

/// The memory shared with the harness, mapped anew where it has grown.
class SharedMemory {
  public:
    explicit SharedMemory(int file) : file_(file) {}
    std::byte* at_least(size_t bytes) {
        if (bytes <= bytes_) return data_;
        if (data_ != nullptr) ::munmap(data_, bytes_);
        void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        if (mapped == MAP_FAILED) std::_Exit(exit_lost_socket);
        data_ = static_cast<std::byte*>(mapped);
        bytes_ = bytes;
        return data_;
    }

  private:
    int file_;
    std::byte* data_ = nullptr;
    size_t bytes_ = 0;
};

/// Cuts what does not fit; the rest of `to` is zero already.
template <size_t size>
void copy_text(std::string_view text, char (&to)[size]) {
    text.copy(to, size - 1);
}

nc_tensor tensor_at(const PlacedTensor& placed, std::byte* memory) {
    nc_tensor tensor{};
    if (placed.offset < 0) return tensor;
    tensor.data = memory + placed.offset;
    std::ranges::copy(placed.shape, tensor.shape);
    std::ranges::copy(placed.strides, tensor.strides);
    tensor.format = static_cast<nc_format>(placed.format);
    tensor.device = {NC_CPU, 0};
    return tensor;
}

nc_call call_of(const Call& message, std::byte* memory) {
    nc_call call{};
    for (size_t i = 0; i < tensor_count; ++i) call.*tensors[i] = tensor_at(message.tensors[i], memory);
    call.eps = message.eps;
    call.threads = message.threads;
    return call;
}

Reply reply_of(const KernelRun& run) {
    Reply reply;
    if (run.refusal) copy_text(*run.refusal, reply.text);
    if (run.refusal) reply.status = Reply::Status::refused;
    if (!run.returned) reply.status = Reply::Status::failed;
    std::string rules;
    for (const std::string& rule : run.broken_rules) rules += (rules.empty() ? "" : "\n") + rule;
    copy_text(rules, reply.rules);
    return reply;
}

class Server {
  public:
    explicit Server(const Channel& channel) : socket_(channel.socket), memory_(channel.memory_file) {}

    void say_hello(const std::vector<nc_kernel>& kernels) {
        Hello hello;
        hello.kernel_count = static_cast<uint32_t>(kernels.size());
        send(hello);
        for (const nc_kernel& kernel : kernels) {
            KernelInfo info;
            info.supports = kernel.supports;
            copy_text(kernel.name, info.name);
            copy_text(kernel.contract, info.contract);
            copy_text(kernel.about, info.about);
            send(info);
        }
    }
    void say_failed(std::string_view why) {
        Hello hello;
        hello.status = Hello::Status::failed;
        copy_text(why, hello.text);
        send(hello);
    }
    void serve(const std::vector<nc_kernel>& kernels) {
        Call call;
        while (receive(call)) {
            if (call.kernel >= kernels.size()) std::_Exit(exit_lost_socket);
            send(reply_of(run_kernel(kernels[call.kernel], call_of(call, memory_.at_least(call.memory_bytes)))));
        }
    }

  private:
    template <class Message>
    void send(const Message& message) {
        if (::send(socket_, &message, sizeof message, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof message))
            std::_Exit(exit_lost_socket);
    }
    /// False where the harness has closed the socket.
    bool receive(Call& call) {
        ssize_t received = -1;
        do received = ::recv(socket_, &call, sizeof call, 0);
        while (received < 0 && errno == EINTR);
        if (received < 0) std::_Exit(exit_lost_socket);
        return received == static_cast<ssize_t>(sizeof call) && call.header.protocol == protocol_version;
    }

    int socket_;
    SharedMemory memory_;
};

/// At most one of these is given; none: the faults.
struct HostArguments {
    std::optional<std::string> plugin, built_in, command;
    int64_t memory_mib = 0;
};

std::vector<nc_kernel> faults_that_end_processes() {
    std::vector<nc_kernel> kernels;
    for (const nc_kernel* fault : hosted_faults()) kernels.push_back(*fault);
    return kernels;
}

/// What a library starts by an exec of its own does not need these.
void keep_to_this_process(const Channel& channel) {
    ::fcntl(channel.socket, F_SETFD, FD_CLOEXEC);
    ::fcntl(channel.memory_file, F_SETFD, FD_CLOEXEC);
}

std::vector<nc_kernel> built_in(const std::string& name) {
    const nc_kernel* kernel = find_kernel(name);
    if (kernel == nullptr) throw InputError("there is no kernel " + name);
    return {*kernel};
}

std::vector<nc_kernel> kernels_to_serve(const HostArguments& arguments) {
    if (arguments.plugin) return load_library(*arguments.plugin);
    return arguments.built_in ? built_in(*arguments.built_in) : faults_that_end_processes();
}

void be_host(const Channel& channel, const HostArguments& arguments) {
    keep_to_this_process(channel);
    Server server(channel);
    std::vector<nc_kernel> kernels;
    try {
        kernels = kernels_to_serve(arguments);
    } catch (const std::exception& error) {
        return server.say_failed(error.what());
    } catch (...) {
        return server.say_failed("it threw an exception when it was loaded");
    }
    server.say_hello(kernels);
    server.serve(kernels);
}

std::optional<std::string> value_of(std::string_view argument, std::string_view option) {
    if (!argument.starts_with(option)) return std::nullopt;
    return std::string(argument.substr(option.size()));
}

HostArguments read_arguments(int argc, char** argv) {
    HostArguments arguments;
    for (int i = 1; i < argc; ++i) {
        if (auto value = value_of(argv[i], "--plugin=")) arguments.plugin = value;
        if (auto value = value_of(argv[i], "--built-in=")) arguments.built_in = value;
        if (auto value = value_of(argv[i], "--exec=")) arguments.command = value;
        if (auto value = value_of(argv[i], "--memory="))
            std::from_chars(value->data(), value->data() + value->size(), arguments.memory_mib);
    }
    return arguments;
}

}  // namespace
}  // namespace normcheck::host

int main(int argc, char** argv) {
    using namespace normcheck::host;
    const auto socket = descriptor_named(socket_variable), memory_file = descriptor_named(memory_variable);
    if (!socket || !memory_file) {
        std::fprintf(stderr, "normcheck-host: is started by normcheck, not by hand\n");
        return 2;
    }
    const HostArguments arguments = read_arguments(argc, argv);
    if (arguments.command) return supervise(*arguments.command, arguments.memory_mib, {*socket, *memory_file});
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit_resources(arguments.memory_mib);
    be_host({*socket, *memory_file}, arguments);
    // What a kernel has left running or locked is nobody's any more.
    std::_Exit(0);
}
