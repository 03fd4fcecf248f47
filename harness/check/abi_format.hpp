// The interface's name of a format.
#pragma once

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

}  // namespace normcheck
