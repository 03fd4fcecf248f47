// The tables of all instruction sets.
#include "oracles/certified/passes.hpp"

namespace normcheck::certified {

namespace baseline {
extern const Passes table;
}
#ifdef NORMCHECK_PER_ISA
namespace avx2 {
extern const Passes table;
}
namespace avx512 {
extern const Passes table;
}
#endif

const Passes& passes(InstructionSet set) {
#ifdef NORMCHECK_PER_ISA
    if (set == InstructionSet::avx2) return avx2::table;
    if (set == InstructionSet::avx512) return avx512::table;
#endif
    static_cast<void>(set);
    return baseline::table;
}

const Passes& passes() {
    static const Passes& best = passes(best_instruction_set());
    return best;
}

}  // namespace normcheck::certified
