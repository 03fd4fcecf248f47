// Draws and roundings of whole rows in vector registers. They give the same bits as random.hpp and fill_row.hpp do
// value by value, on every machine; only the time differs.
#pragma once

#include <cstdint>
#include <span>

#include "harness/cases/bulk_loops.hpp"
#include "harness/cases/random.hpp"
#include "oracles/contract.hpp"
#include "oracles/format.hpp"
#include "oracles/instruction_sets.hpp"

namespace normcheck {

/// As many draws of gaussian(stream) as there are values.
void draw_gaussians(Stream& stream, std::span<double> values, InstructionSet set = best_instruction_set());

/// codes[i] = round_finite(format, values[i]).
void round_finite(const Format& format, std::span<const double> values, std::span<uint64_t> codes,
                  InstructionSet set = best_instruction_set());

/// How near the output of an element of `value` (gamma 1, beta 0) comes to a midpoint of the contract's y for each of
/// the neighbours of a row of `cols` columns: distances in spacings, 0 to 0.5; 0.5 too for zero and what is not finite.
void midpoint_distances(const Contract& contract, int64_t cols, double value, const NeighbourSums& sums,
                        std::span<double> distances, InstructionSet set = best_instruction_set());

}  // namespace normcheck
