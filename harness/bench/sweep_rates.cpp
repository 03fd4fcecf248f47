// Times exhaustive sweeps on parts of their domains.
#include <fmt/format.h>

#include "harness/bench/case_rates.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/sweep/sweep.hpp"
#include "oracles/error.hpp"
#include "reports/numbers.hpp"

namespace normcheck {
namespace {

constexpr const char* kernels[] = {"cpu/rms", "cpu/layer_two_pass"};

struct SampledDomain {
    FormatId format;
    int64_t cols;
};
constexpr SampledDomain domains[] = {{FormatId::f32, 1}, {FormatId::f16, 2}};

// A run takes slices from all over the domain, since rows of small values cost other than rows of large ones.
// They are long beside what a sweep takes to begin.
constexpr uint64_t slices = 4, slice_rows = 1 << 20;

/// A sweep of which other slices are run every time.
struct SampledSweep {
    SweepSubject subject;
    uint64_t offset = 0;  // of the slices in their quarters of the domain

    uint64_t rows() const { return run_rows(subject.identity.domain); }
    double run() {
        const uint64_t part = rows() / slices;
        offset = (offset + part / 7 * 3) % (part - slice_rows);
        for (uint64_t slice = 0; slice < slices; ++slice) run_slice(slice * part + offset);
        return static_cast<double>(offset);
    }
    void run_slice(uint64_t place) const {
        SweepState state({place, place + slice_rows});
        const auto fault = run_sweep(subject, state, {.threads = 1});
        require(!fault, "the kernels of the bench keep the rules of a sweep");
    }
};

std::string text_of(const Domain& domain) {
    return fmt::format("{}, {}", format(domain.format).name, show_count(domain.cols, "column", "columns"));
}

SweepRate rate_of(const SampledSweep& sweep, const Timing& timing) {
    return {sweep.subject.kernel->name, text_of(sweep.subject.identity.domain), sweep.rows(),
            divided(timing, static_cast<double>(slices * slice_rows))};
}

}  // namespace

std::vector<SweepRate> measure_sweep_rates(const MeasureOptions& options) {
    std::vector<SampledSweep> sweeps;
    for (const char* kernel : kernels)
        for (const SampledDomain& domain : domains)
            sweeps.push_back({make_subject(*find_kernel(kernel), fmt::format("x={}", format(domain.format).name),
                                           domain.cols, true)});
    std::vector<Work> work;
    for (SampledSweep& sweep : sweeps) work.push_back([&sweep] { return sweep.run(); });
    const std::vector<Timing> timings = measure(work, options);
    std::vector<SweepRate> rates;
    for (size_t i = 0; i < sweeps.size(); ++i) rates.push_back(rate_of(sweeps[i], timings[i]));
    return rates;
}

}  // namespace normcheck
