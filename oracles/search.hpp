// Whether one pair of stored statistics explains a whole row.
#pragma once

#include "oracles/judge_state.hpp"

namespace normcheck {

/// The scenario of an rstd in the search's range and a shift (folded) or mean (centred) that goes with it, such that
/// every output of the row is admissible; nothing where there is none. `target` is the target's scenario.
std::optional<Scenario> explaining_pair(const JudgeState& state, const Row& row, const RowOutputs& outputs,
                                        const Scenario& target, const StoredSearch& search);

/// Bits it takes to state the pair once the target's is known: log2(1 + 2 distance) of both.
double pair_bits(const Contract& contract, const Scenario& target, const Scenario& pair);

}  // namespace normcheck
