// How large this machine's last cache is.
#pragma once

#include <cstdint>

namespace normcheck {

/// Bytes of the largest cache that this core has a share in; what is usual (32 MiB) where the system does not tell.
int64_t last_cache_bytes();

}  // namespace normcheck
