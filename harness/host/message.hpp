// What the harness and a host process say to each other: one request and one reply per call, over a socket that keeps
// messages whole. The tensors lie in memory that both have mapped; a message gives their places.
#pragma once

#include <cstdint>

#include "harness/abi/normcheck.h"

namespace normcheck::host {

constexpr uint32_t protocol_version = 1;

/// The descriptors with which a host is started.
constexpr int socket_descriptor = 3;
constexpr int memory_descriptor = 4;

/// All tensors of a call: both sides translate these and no others.
constexpr nc_tensor nc_call::* tensors[] = {&nc_call::x, &nc_call::residual,     &nc_call::gamma, &nc_call::beta,
                                            &nc_call::y, &nc_call::residual_out, &nc_call::mean,  &nc_call::rstd};

struct Request {
    uint32_t protocol = protocol_version;
    char kernel[256] = {};
    uint64_t memory_bytes = 0;  // of the shared memory, which may have grown
    nc_call call{};             // data: the place in the shared memory plus 1, or null
};

enum class Status : uint32_t { returned, refused, unknown_kernel };

/// `text` is the refusal; `rules` holds broken rules, one a line. Longer texts are cut.
struct Reply {
    uint32_t protocol = protocol_version;
    Status status = Status::returned;
    char text[512] = {};
    char rules[2048] = {};
};

/// Exit status of a host that cannot go on, because a kernel has closed its socket or its memory.
constexpr int exit_lost_socket = 122;

}  // namespace normcheck::host
