// Which calls the CPU kernels take, and the polite refusal of all others.
#pragma once

#include "harness/abi/normcheck.h"

namespace normcheck {

/// The formats of x that every CPU kernel takes.
constexpr uint32_t cpu_formats = 1U << NC_F32 | 1U << NC_F16 | 1U << NC_BF16;

/// What a kernel takes and returns beside x, gamma, y and rstd.
struct Signature {
    bool layer = false;     // takes beta and returns the mean
    bool residual = false;  // needs a residual and may return the sum
    nc_format accumulator = NC_F32;
};

/// Null where a kernel of that signature takes the call, else a static text that says why not.
const char* refuse(const nc_call& call, const Signature& signature);

/// True where there is nothing to write.
bool is_empty(const nc_call& call);

}  // namespace normcheck
