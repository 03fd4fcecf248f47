// Binds a thread to its core; Linux only.
#include "harness/bench/pinning.hpp"

#include <sched.h>

namespace normcheck {

std::optional<int> pin_to_current_core() {
    const int core = sched_getcpu();
    if (core < 0) return std::nullopt;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(core), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) return std::nullopt;
    return core;
}

}  // namespace normcheck
