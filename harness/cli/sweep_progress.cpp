// Progress of a sweep; see sweep_progress.hpp.
#include "harness/cli/sweep_progress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

namespace normcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int bar_width = 30;
constexpr double seconds_between_lines = 10;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Told so far.
struct Telling {
    uint64_t start;  // place at which this process began
    bool terminal;
    Clock::time_point begin = Clock::now();
    double last = 0;  // seconds after which the last line was told
};

std::string told(const Telling& telling, const SweepState& state) {
    const double passed = seconds_since(telling.begin);
    const double rate = static_cast<double>(state.done - telling.start) / passed;
    const double share = static_cast<double>(state.done - state.range.first) / static_cast<double>(state.range.size());
    const double left = static_cast<double>(state.range.end - state.done) / rate;
    return fmt::format("{:5.1f} % of {} rows, {:.3g} million/s, {} left", 100 * share, state.range.size(), rate / 1e6,
                       show_duration(left));
}

void tell_bar(const Telling& telling, const SweepState& state) {
    if (state.is_complete()) {
        fmt::print(stderr, "\r\x1b[K");
        return;
    }
    const auto full = static_cast<size_t>(bar_width * (state.done - state.range.first) / state.range.size());
    fmt::print(stderr, "\r[{:<{}}] {}\x1b[K", std::string(full, '#'), bar_width, told(telling, state));
}

void tell_line(Telling& telling, const SweepState& state) {
    const double passed = seconds_since(telling.begin);
    if (passed - telling.last < seconds_between_lines) return;
    telling.last = passed;
    fmt::print(stderr, "{}\n", told(telling, state));
}

}  // namespace

std::string show_duration(double seconds) {
    if (!(seconds < 1e9)) return "unknown time";
    const auto whole = static_cast<int64_t>(seconds + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::function<void(const SweepState& state)> make_sweep_progress(const SweepState& start, bool terminal) {
    return [telling = Telling{start.done, terminal}](const SweepState& state) mutable {
        telling.terminal ? tell_bar(telling, state) : tell_line(telling, state);
    };
}

}  // namespace normcheck
