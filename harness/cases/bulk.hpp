// Draws and roundings of whole rows in vector registers. They give the same bits as random.hpp and fill_row.hpp do
// value by value, on every machine; only the time differs.
#pragma once

#include <cstdint>
#include <span>

#include "harness/cases/random.hpp"
#include "oracles/format.hpp"
#include "oracles/instruction_sets.hpp"

namespace normcheck {

/// As many draws of gaussian(stream) as there are values.
void draw_gaussians(Stream& stream, std::span<double> values, InstructionSet set = best_instruction_set());

/// codes[i] = round_finite(format, values[i]).
void round_finite(const Format& format, std::span<const double> values, std::span<uint64_t> codes,
                  InstructionSet set = best_instruction_set());

}  // namespace normcheck
