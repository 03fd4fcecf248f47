// A host that speaks the protocol well or badly, as its argument says: for tests of --exec.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "harness/host/message.hpp"

namespace {

using namespace normcheck::host;

int socket_number() {
    return std::atoi(std::getenv(socket_variable));
}

template <class Message>
void send_message(const Message& message, size_t bytes = sizeof(Message)) {
    if (::send(socket_number(), &message, bytes, MSG_NOSIGNAL) < 0) std::exit(1);
}

KernelInfo kernel_info() {
    KernelInfo info;
    info.supports = NC_TAKES(NC_F32) | NC_NO_STATISTICS;
    std::strcpy(info.name, "rms");
    std::strcpy(info.contract, "rms gamma=none acc=f64");
    return info;
}

void say_hello(std::string_view how) {
    Hello hello;
    hello.kernel_count = how == "absurd_count" ? 1000000 : how == "no_kernels" ? 0 : 1;
    std::strcpy(hello.name, how == "hostile_space" ? "a b/c" : "planted");
    if (how == "wrong_version") hello.header.protocol = 77;
    if (how == "endless_text") std::memset(hello.text, 'a', sizeof hello.text);
    if (how == "failed") {
        hello.status = Hello::Status::failed;
        std::strcpy(hello.text, "the moon is in the wrong phase");
    }
    send_message(hello, how == "short_hello" ? 17 : sizeof hello);
    if (how != "no_kernel_message") send_message(kernel_info());
}

void rms(const Call& call, std::byte* memory) {
    const PlacedTensor &x = call.tensors[0], &y = call.tensors[4];
    for (int64_t row = 0; row < x.shape[0]; ++row) {
        const auto* from = reinterpret_cast<const float*>(memory + x.offset) + row * x.strides[0];
        auto* to = reinterpret_cast<float*>(memory + y.offset) + row * y.strides[0];
        double squares = 0;
        for (int64_t i = 0; i < x.shape[1]; ++i)
            squares += static_cast<double>(from[i * x.strides[1]]) * from[i * x.strides[1]];
        const double root = std::sqrt(squares / static_cast<double>(x.shape[1]) + call.eps);
        for (int64_t i = 0; i < x.shape[1]; ++i)
            to[i * y.strides[1]] = static_cast<float>(from[i * x.strides[1]] / root);
    }
}

void answer(const Call& call, std::byte* memory, std::string_view how) {
    const bool bad = call.tensors[0].shape[1] == 257;
    Reply reply;
    if (!bad || how == "good") rms(call, memory);
    if (bad && how == "silent_reply") return;
    if (bad && how == "dies") std::exit(4);
    if (bad && how == "hangs") std::system("sleep 1000");  // so that a process below this one must be ended too
    if (bad && how == "raises") {
        reply.status = Reply::Status::failed;
        std::strcpy(reply.rules, "the kernel raised ValueError: no\nand more");
    }
    if (bad && how == "garbage_status") reply.status = static_cast<Reply::Status>(99);
    if (bad && how == "garbage_kind") reply.header.kind = Kind::hello;
    send_message(reply, bad && how == "short_reply" ? 3 : sizeof reply);
    if (bad && how == "two_replies") send_message(reply);
}

void serve(std::string_view how) {
    Call call;
    void* memory = nullptr;
    size_t mapped = 0;
    while (::recv(socket_number(), &call, sizeof call, 0) == sizeof call) {
        if (call.memory_bytes > mapped) {
            if (memory != nullptr) ::munmap(memory, mapped);
            mapped = call.memory_bytes;
            memory =
                ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(std::getenv(memory_variable)), 0);
        }
        answer(call, static_cast<std::byte*>(memory), how);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view how = argc > 1 ? argv[1] : "good";
    if (how == "dies_at_start") {
        std::puts(
            "Traceback (most recent call last):\n  File \"my_kernel.py\", line 1\nImportError: no module named tort");
        return 1;
    }
    if (how == "silent") ::pause();
    say_hello(how);
    serve(how);
    return 0;
}
