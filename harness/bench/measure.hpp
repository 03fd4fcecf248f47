// Times pieces of work beside each other in one run: repetitions in random turns, so that what disturbs the machine
// disturbs all alike. A thin layer over Google Benchmark, which decides how often a piece runs in one repetition.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace normcheck {

/// Something to be timed. What it returns is thrown away, but has to be computed.
using Work = std::function<double()>;

/// Time of one run of a piece of work.
struct Timing {
    double seconds = 0;  // median over the repetitions
    double spread = 0;   // half the distance between the quartiles, as a share of the median
    int repetitions = 0;
    double fastest = 0;  // seconds of the quickest and the slowest repetition
    double slowest = 0;
};

struct MeasureOptions {
    int repetitions = 15;
    double seconds = 0.02;  // that one repetition takes at least
    bool wall = false;      // time by the clock, for work on several threads; else this thread's processor time
};

/// One timing per piece. Not for two threads at a time: Google Benchmark keeps its list of benchmarks globally.
std::vector<Timing> measure(std::span<const Work> pieces, const MeasureOptions& options);

/// The timing of samples of a time in seconds, at least one.
Timing timing_of(std::vector<double> samples);

/// The timing of one of `parts` equal parts of the work.
Timing divided(const Timing& timing, double parts);

}  // namespace normcheck
