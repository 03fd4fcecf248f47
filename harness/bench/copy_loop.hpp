// A plain copy, the yardstick of kernels: every byte is loaded once and stored once, by ordinary stores. One copy of
// the loop per instruction set; `plain_copy` is what others call. The C library's memcpy would not do: past a size it
// stores around the cache, which no kernel that is written without intrinsics does.
#pragma once

#include <cstddef>

namespace normcheck {

using CopyLoop = void (*)(const std::byte* from, std::byte* to, size_t bytes);

/// The loop in the widest registers that this machine has.
CopyLoop plain_copy();

namespace baseline {
extern const CopyLoop copy_loop;
}
namespace avx2 {
extern const CopyLoop copy_loop;
}
namespace avx512 {
extern const CopyLoop copy_loop;
}

}  // namespace normcheck
