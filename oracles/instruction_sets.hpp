// Code that is compiled once per instruction set, and which of its copies this machine runs. CMake's
// normcheck_add_per_isa compiles a source once for each; the source puts its functions into the namespace
// NORMCHECK_ISA.
#pragma once

#include <cstdint>
#include <span>

namespace normcheck {

enum class InstructionSet : uint8_t { baseline, avx2, avx512 };

const char* name(InstructionSet set);

/// All that this machine runs, slowest first.
std::span<const InstructionSet> instruction_sets();

/// The fastest of them.
InstructionSet best_instruction_set();

}  // namespace normcheck
