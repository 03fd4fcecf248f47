// How far a sweep has come, on standard error: a bar with the time left on a terminal, a line now and then elsewhere.
#pragma once

#include <functional>
#include <string>

#include "harness/sweep/sweep.hpp"

namespace normcheck {

/// To be called after every step of a sweep that begins at `start`.
std::function<void(const SweepState& state)> make_sweep_progress(const SweepState& start, bool terminal);

/// Seconds as "12 s", "3:05 min" or "2:03:05 h".
std::string show_duration(double seconds);

}  // namespace normcheck
