// Asks the processor; only builds for x86-64 have more than the baseline.
#include "oracles/instruction_sets.hpp"

#include <array>

namespace normcheck {
namespace {

constexpr std::array all{InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512};

size_t count_supported() {
#ifdef NORMCHECK_PER_ISA
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 1;
    const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return has_avx512 ? 3 : 2;
#else
    return 1;
#endif
}

}  // namespace

const char* name(InstructionSet set) {
    switch (set) {
        case InstructionSet::baseline:
            return "baseline";
        case InstructionSet::avx2:
            return "avx2";
        case InstructionSet::avx512:
            return "avx512";
    }
    return "";
}

std::span<const InstructionSet> instruction_sets() {
    static const size_t count = count_supported();
    return std::span(all).first(count);
}

InstructionSet best_instruction_set() {
    return instruction_sets().back();
}

}  // namespace normcheck
