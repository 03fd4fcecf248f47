// What the search climbs: how much of the admissible error a row has used, per regime and format of x.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "harness/fuzz/execute.hpp"
#include "oracles/regime.hpp"

namespace normcheck {

/// Steps of slack: quarters of a power of two from 2^-8 up to 1, above which a row has failed.
constexpr int slack_steps = 32;
constexpr int slack_counter_count = regime_count * format_count * slack_steps;

/// The step of a slack: 0 for less than 2^-8, the last for 1 and more.
int slack_step(double slack);

/// Marks each row's steps up to its own: a byte per regime, format and step. A search that keeps inputs by the bytes
/// they set keeps one for every step that it climbs. `counters` has slack_counter_count bytes.
void mark_slack(const Execution& execution, std::span<uint8_t> counters);

/// The largest slack that a passing row has had in each regime; negative where none was met.
using LargestSlack = std::array<double, regime_count>;
LargestSlack no_slack();
/// Calls `larger` with each regime whose largest slack this execution raises.
void note_slack(const Execution& execution, LargestSlack& largest, const std::function<void(Regime)>& larger);

}  // namespace normcheck
