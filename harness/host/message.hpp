// What the harness and a host process say to each other, whole messages of fixed size over a socket; README.md says it
// byte for byte, for hosts in other languages. The tensors lie in memory that both have mapped; a message gives their
// places.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/abi/normcheck.h"

namespace normcheck::host {

constexpr uint32_t protocol_version = 2;

/// The environment variables that tell a host its descriptors: the socket, and the shared memory's file.
constexpr const char* socket_variable = "NORMCHECK_HOST_SOCKET";
constexpr const char* memory_variable = "NORMCHECK_HOST_MEMORY";

/// Lengths of texts, each with the zero that ends it.
constexpr size_t name_bytes = 128;
constexpr size_t contract_bytes = 1024;
constexpr size_t about_bytes = 512;
constexpr size_t refusal_bytes = 512;
constexpr size_t text_bytes = 2048;

/// Kernels of one host, at most.
constexpr uint32_t most_kernels = 1000;

enum class Kind : uint32_t { hello = 1, kernel = 2, call = 3, reply = 4 };

struct Header {
    Kind kind{};
    uint32_t protocol = protocol_version;
};

/// The first message of a host: what it calls itself and how many kernels it has, each of which has a KernelInfo right
/// after; or why it has none.
struct Hello {
    enum class Status : uint32_t { ready = 0, failed = 1 };
    Header header{Kind::hello};
    Status status = Status::ready;
    uint32_t kernel_count = 0;
    char name[name_bytes] = {};  // the namespace of its kernels; may be empty
    char text[text_bytes] = {};  // why it failed
};

struct KernelInfo {
    Header header{Kind::kernel};
    uint32_t supports = 0;  // as in nc_kernel
    uint32_t reserved = 0;
    char name[name_bytes] = {};
    char contract[contract_bytes] = {};
    char about[about_bytes] = {};
};

/// A tensor by its place: `offset` bytes from the start of the shared memory; -1 where the call has no such tensor.
struct PlacedTensor {
    int64_t offset = -1;
    int64_t shape[2] = {};
    int64_t strides[2] = {};
    int32_t format = 0;  // nc_format
    int32_t reserved = 0;
};

/// The tensors of a call in the order of its messages: both sides translate these and no others.
constexpr nc_tensor nc_call::* tensors[] = {&nc_call::x, &nc_call::residual,     &nc_call::gamma, &nc_call::beta,
                                            &nc_call::y, &nc_call::residual_out, &nc_call::mean,  &nc_call::rstd};
constexpr size_t tensor_count = sizeof tensors / sizeof tensors[0];

struct Call {
    Header header{Kind::call};
    uint32_t kernel = 0;  // its place in the hello, from 0
    int32_t threads = 1;
    uint64_t memory_bytes = 0;  // of the shared memory, which may have grown
    double eps = 0;
    PlacedTensor tensors[tensor_count];
};

/// How a call ended: outputs are written, the call is refused (text says why), or it has no outputs, as after an
/// exception. `rules` holds broken rules, one a line. Longer texts are cut.
struct Reply {
    enum class Status : uint32_t { returned = 0, refused = 1, failed = 2 };
    Header header{Kind::reply};
    Status status = Status::returned;
    uint32_t reserved = 0;
    char text[refusal_bytes] = {};
    char rules[text_bytes] = {};
};

// README.md gives these sizes.
static_assert(sizeof(Hello) == 2192 && sizeof(KernelInfo) == 1680 && sizeof(Call) == 416 && sizeof(Reply) == 2576);

/// Exit status of a host that cannot go on, because a kernel has closed its socket or its memory.
constexpr int exit_lost_socket = 122;

}  // namespace normcheck::host
