// The table of passes of one instruction set, in the namespace NORMCHECK_ISA.
#include "oracles/certified/passes_elements.hpp"
#include "oracles/certified/passes_rows.hpp"
#include "oracles/certified/passes_short.hpp"

namespace normcheck::certified::NORMCHECK_ISA {

extern const Passes table;
const Passes table = {squares_pass,  sums_pass,       centred_pass,   lowest_bit_pass,
                      elements_pass, first_from_pass, short_rows_pass};

}  // namespace normcheck::certified::NORMCHECK_ISA
