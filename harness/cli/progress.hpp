// How far a run has come, on standard error: a bar on a terminal, a line per finished kernel and format elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "harness/check/run_plan.hpp"

namespace normcheck {

using Progress = std::function<void(int64_t done, int64_t total)>;

/// What run_plan is to call while it runs these jobs. Cases are begun in order but may end out of it, so the lines are
/// late by no more cases than there are threads.
Progress make_progress(std::span<const Job> jobs, bool terminal);

}  // namespace normcheck
