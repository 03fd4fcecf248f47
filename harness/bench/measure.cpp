// Registers the pieces with Google Benchmark, runs them interleaved, and gathers the repetitions.
#include "harness/bench/measure.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

/// Google Benchmark takes this option from its command line alone.
void ask_for_interleaving() {
    static char program[] = "normcheck", option[] = "--benchmark_enable_random_interleaving=true";
    static char* words[] = {program, option, nullptr};
    int count = 2;
    benchmark::Initialize(&count, words);
}

/// Keeps the seconds per run of every repetition, and prints nothing.
class Gatherer : public benchmark::BenchmarkReporter {
  public:
    Gatherer(size_t pieces, bool wall) : samples(pieces), wall_(wall) {}
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            const size_t piece = std::strtoull(run.run_name.function_name.c_str(), nullptr, 10);
            const double seconds = wall_ ? run.real_accumulated_time : run.cpu_accumulated_time;
            samples[piece].push_back(seconds / static_cast<double>(run.iterations));
        }
    }

    std::vector<std::vector<double>> samples;

  private:
    bool wall_;
};

void add_benchmark(size_t number, const Work& work, const MeasureOptions& options) {
    const auto loop = [&work](benchmark::State& state) {
        for (auto _ : state) benchmark::DoNotOptimize(work());
    };
    auto* added = benchmark::RegisterBenchmark(std::to_string(number).c_str(), loop);
    added->Repetitions(options.repetitions)->MinTime(options.seconds);
    if (options.wall) added->UseRealTime();
}

/// The value below which a share of the sorted samples lies, interpolated.
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

std::vector<Timing> measure(std::span<const Work> pieces, const MeasureOptions& options) {
    ask_for_interleaving();
    benchmark::ClearRegisteredBenchmarks();
    for (size_t i = 0; i < pieces.size(); ++i) add_benchmark(i, pieces[i], options);
    Gatherer gatherer(pieces.size(), options.wall);
    benchmark::RunSpecifiedBenchmarks(&gatherer, ".");
    benchmark::ClearRegisteredBenchmarks();
    std::vector<Timing> timings;
    for (std::vector<double>& samples : gatherer.samples) timings.push_back(timing_of(std::move(samples)));
    return timings;
}

Timing timing_of(std::vector<double> samples) {
    require(!samples.empty(), "a timing needs samples");
    std::ranges::sort(samples);
    const double median = quantile(samples, 0.5);
    const double spread = (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2;
    return {median, median > 0 ? spread / median : 0, static_cast<int>(samples.size()), samples.front(),
            samples.back()};
}

Timing divided(const Timing& timing, double parts) {
    return {timing.seconds / parts, timing.spread, timing.repetitions, timing.fastest / parts, timing.slowest / parts};
}

}  // namespace normcheck
