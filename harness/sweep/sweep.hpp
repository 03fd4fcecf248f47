// The sweep: block after block through kernel, judge and tally, on several threads, in steps short enough to be saved
// and stopped between them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "harness/sweep/block_call.hpp"
#include "harness/sweep/subject.hpp"
#include "harness/sweep/tally.hpp"

namespace normcheck {

/// How far a sweep has come: the tally of places range.first .. done - 1, neither more nor less.
struct SweepState {
    PlaceRange range;
    uint64_t done = 0;
    Tally tally;

    explicit SweepState(PlaceRange places = {}) : range(places), done(places.first) {}
    bool is_complete() const { return done == range.end; }
    bool operator==(const SweepState&) const = default;
};

struct SweepOptions {
    int threads = 1;
    double step_seconds = 0.5;  // time after which a step begins no further block
    /// Called after every step, by the calling thread; false stops the sweep.
    std::function<bool(const SweepState& state)> go_on = [](const SweepState&) { return true; };
};

/// Runs on from `state` until it is complete or is stopped. Returns the fault that ended it, if one did; the state is
/// then what it was before the step that failed. Throws what the judge throws.
std::optional<BlockFault> run_sweep(const SweepSubject& subject, SweepState& state, const SweepOptions& options);

}  // namespace normcheck
