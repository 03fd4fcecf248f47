// The storage type of a format's codes.
#pragma once

#include <cstdint>

#include "oracles/format.hpp"

namespace normcheck {

/// Calls function with a 0 of the storage type of the format's codes: uint16_t, uint32_t or uint64_t.
template <class Function>
auto with_code_type(FormatId id, Function function) {
    const int bytes = format(id).bytes();
    if (bytes == 2) return function(uint16_t{});
    return bytes == 4 ? function(uint32_t{}) : function(uint64_t{});
}

}  // namespace normcheck
