// Times whole cases and each of their steps.
#include "harness/bench/case_rates.hpp"

#include <memory>

#include "harness/bench/case_runner.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr const char* kernels[] = {"cpu/rms", "cpu/layer_two_pass"};
constexpr FormatId formats[] = {FormatId::f32, FormatId::bf16};

struct Width {
    int64_t cols;
    double wanted;  // cases per second
};
constexpr Width widths[] = {{16, 100000}, {1024, 30000}};

/// Seeds count up, so that no case comes twice. The steps behind the making of a row are timed on one case, in memory
/// of their own, since each needs what the one before left there.
struct Subject {
    CaseRunner runner, settled;
    uint64_t seed = 0;

    Subject(const nc_kernel& kernel, FormatId id, int64_t cols) : runner(kernel, id, cols), settled(kernel, id, cols) {
        settled.run(seed);
    }
    double run() {
        const RowResult result = runner.run(++seed);
        require(result.verdict != Verdict::fail, "the kernels of the bench are correct");
        return result.absolute_error;
    }
};

constexpr size_t step_count = 5;

void append_steps(Subject& subject, std::vector<Work>& work) {
    work.push_back([&] { return subject.run(); });
    work.push_back([&] { return subject.runner.make(++subject.seed), 0; });
    work.push_back([&] { return subject.settled.call(), 0; });
    work.push_back([&] { return subject.settled.prepare(), 0; });
    work.push_back([&] { return subject.settled.judge().absolute_error; });
}

void take(std::span<const Timing> timings, CaseRate& rate) {
    rate.whole = timings[0];
    rate.make = timings[1];
    rate.call = timings[2];
    rate.prepare = timings[3];
    rate.judge = timings[4];
}

}  // namespace

std::vector<CaseRate> measure_case_rates(const MeasureOptions& options) {
    std::vector<std::unique_ptr<Subject>> subjects;
    std::vector<CaseRate> rates;
    std::vector<Work> work;
    for (const char* kernel : kernels) {
        for (const FormatId id : formats) {
            for (const Width& width : widths) {
                subjects.push_back(std::make_unique<Subject>(*find_kernel(kernel), id, width.cols));
                rates.push_back({kernel, id, width.cols, width.wanted, {}, {}, {}, {}, {}});
                append_steps(*subjects.back(), work);
            }
        }
    }
    const std::vector<Timing> timings = measure(work, options);
    for (size_t i = 0; i < rates.size(); ++i) take(std::span(timings).subspan(i * step_count, step_count), rates[i]);
    return rates;
}

}  // namespace normcheck
