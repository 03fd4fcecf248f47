// Binds threads to cores; Linux only.
#include "harness/bench/pinning.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <vector>

namespace normcheck {
namespace {

bool pin_to(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(core), &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

/// Those that this process may run on, the present one first.
std::vector<int> allowed_cores() {
    std::vector<int> cores;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(static_cast<unsigned>(core), &set)) cores.push_back(core);
    std::ranges::rotate(cores, std::ranges::lower_bound(cores, sched_getcpu()));
    return cores;
}

}  // namespace

std::optional<int> pin_to_current_core() {
    const int core = sched_getcpu();
    if (core < 0) return std::nullopt;
    if (!pin_to(core)) return std::nullopt;
    return core;
}

void pin_team(int threads) {
    static const std::vector<int> cores = allowed_cores();
    if (cores.empty()) return;
#pragma omp parallel num_threads(threads) if (threads > 1)
    pin_to(cores[static_cast<size_t>(omp_get_thread_num()) % cores.size()]);
}

}  // namespace normcheck
