// Slack to counters; see feedback.hpp.
#include "harness/fuzz/feedback.hpp"

#include <algorithm>
#include <cmath>

namespace normcheck {
namespace {

constexpr double lowest_power = -8;
constexpr double steps_per_power = 4;

bool is_judged(const RowResult& row) {
    return row.verdict == Verdict::pass || row.verdict == Verdict::fail || row.verdict == Verdict::suspect;
}

}  // namespace

int slack_step(double slack) {
    if (!(slack > 0)) return 0;
    const double step = std::floor((std::log2(slack) - lowest_power) * steps_per_power);
    return static_cast<int>(std::clamp(step, 0.0, slack_steps - 1.0));
}

void mark_slack(const Execution& execution, std::span<uint8_t> counters) {
    for (const RowResult& row : execution.rows) {
        if (!is_judged(row)) continue;
        const auto place = static_cast<size_t>(row.regime) * format_count + static_cast<size_t>(execution.format);
        for (int step = 0; step <= slack_step(row.slack); ++step)
            counters[place * slack_steps + static_cast<size_t>(step)] = 1;
    }
}

LargestSlack no_slack() {
    LargestSlack largest;
    largest.fill(-1);
    return largest;
}

void note_slack(const Execution& execution, LargestSlack& largest, const std::function<void(Regime)>& larger) {
    for (const RowResult& row : execution.rows) {
        double& known = largest[static_cast<size_t>(row.regime)];
        if (row.verdict != Verdict::pass || row.slack <= known) continue;
        known = row.slack;
        larger(row.regime);
    }
}

}  // namespace normcheck
