// Progress of a run; see progress.hpp.
#include "harness/cli/progress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace normcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int bar_width = 40;
constexpr std::chrono::milliseconds pause{100};

/// A kernel and format with the number of cases up to its end.
struct Milestone {
    std::string name;
    int64_t end;
};

std::vector<Milestone> milestones_of(std::span<const Job> jobs) {
    std::vector<Milestone> milestones;
    int64_t end = 0;
    for (const Job& job : jobs) {
        end += std::ssize(job.cases);
        milestones.push_back({fmt::format("{} {}", job.kernel->name, format(job.format).name), end});
    }
    return milestones;
}

/// What is told so far; shared by the copies of the function.
struct Told {
    std::vector<Milestone> milestones;
    size_t passed = 0;
    Clock::time_point last{};
};

void advance(Told& told, int64_t done) {
    while (told.passed < told.milestones.size() && told.milestones[told.passed].end <= done) ++told.passed;
}

void tell_line(Told& told, int64_t done, int64_t total) {
    const size_t before = told.passed;
    advance(told, done);
    for (size_t i = before; i < told.passed; ++i)
        fmt::print(stderr, "[{}/{}] {}\n", told.milestones[i].end, total, told.milestones[i].name);
}

void tell_bar(Told& told, int64_t done, int64_t total) {
    advance(told, done);
    const Clock::time_point now = Clock::now();
    if (done < total && now - told.last < pause) return;
    told.last = now;
    if (done == total) {
        fmt::print(stderr, "\r\x1b[K");
        return;
    }
    const int full = static_cast<int>(bar_width * done / total);
    const std::string& name = told.milestones[told.passed].name;
    fmt::print(stderr, "\r[{:<{}}] {}/{} {}\x1b[K", std::string(static_cast<size_t>(full), '#'), bar_width, done, total,
               name);
}

}  // namespace

Progress make_progress(std::span<const Job> jobs, bool terminal) {
    const auto told = std::make_shared<Told>(Told{milestones_of(jobs)});
    return [told, terminal](int64_t done, int64_t total) {
        terminal ? tell_bar(*told, done, total) : tell_line(*told, done, total);
    };
}

}  // namespace normcheck
