// Chooses the passes by what the processor can do.
#include "oracles/certified/passes.hpp"

namespace normcheck::certified {

extern const Passes passes_baseline;
#if defined(__x86_64__)
extern const Passes passes_avx2;
extern const Passes passes_avx512;
#endif

const Passes* const* all_passes() {
    static const Passes* found[4] = {};
    static const int count = [] {
        int k = 0;
        found[k++] = &passes_baseline;
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2")) found[k++] = &passes_avx2;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
            found[k++] = &passes_avx512;
#endif
        return k;
    }();
    static_cast<void>(count);
    return found;
}

const Passes& passes() {
    static const Passes& best = [] () -> const Passes& {
        const Passes* const* all = all_passes();
        while (all[1] != nullptr) ++all;
        return **all;
    }();
    return best;
}

}  // namespace normcheck::certified
