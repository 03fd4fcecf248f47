// The certified oracle: judges one row by proven enclosures in double and hands what they cannot decide to the exact
// one.
#pragma once

#include <optional>

#include "oracles/judge_state.hpp"

namespace normcheck::certified {

/// What the exact oracle says of the row; nothing where the enclosures do not reach: the whole row is the exact
/// oracle's. RowResult::bits is left 0, and undecided counts the elements that the exact oracle settled.
std::optional<RowResult> judge(const JudgeState& state, const RowInputs& inputs, const RowOutputs& outputs,
                               const JudgeOptions& options);

/// Whether contracts like this one may be judged here at all.
bool covers(const JudgeState& state);

}  // namespace normcheck::certified
