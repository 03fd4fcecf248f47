// The interface's name of a format, and the formats of x that a kernel takes.
#pragma once

#include <vector>

#include "harness/abi/normcheck.h"
#include "oracles/error.hpp"
#include "oracles/format.hpp"

namespace normcheck {

/// Throws InternalError where the interface has no such format.
inline nc_format abi_format(FormatId format) {
    switch (format) {
        case FormatId::f64:
            return NC_F64;
        case FormatId::f32:
            return NC_F32;
        case FormatId::f16:
            return NC_F16;
        case FormatId::bf16:
            return NC_BF16;
    }
    throw InternalError("internal error: a format that the interface does not have");
}

inline bool takes(const nc_kernel& kernel, FormatId x) {
    return (kernel.supports & NC_TAKES(abi_format(x))) != 0;
}

/// The formats of x that the kernel takes, in the order of formats.def.
inline std::vector<FormatId> formats_of(const nc_kernel& kernel) {
    std::vector<FormatId> taken;
    for (int i = 0; i < format_count; ++i)
        if (takes(kernel, static_cast<FormatId>(i))) taken.push_back(static_cast<FormatId>(i));
    return taken;
}

}  // namespace normcheck
