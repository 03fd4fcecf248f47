// Threads take blocks in order, so what a step has done is always one range. See sweep.hpp.
#include "harness/sweep/sweep.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "harness/check/float_environment.hpp"
#include "harness/sweep/judge_block.hpp"

namespace normcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t block_rows = 1 << 14;  // all arrays of a block together stay in the second-level cache

/// What one thread works with.
struct Worker {
    BlockCall call;
    BlockVerdicts verdicts;
    Tally tally{};
    explicit Worker(const SweepSubject& subject) : call(subject, block_rows), verdicts(block_rows) {}
};

/// What the threads of one step share.
struct Step {
    const SweepSubject& subject;
    const BlockJudge& judge;
    uint64_t end;
    const Tally& before;  // of places before this step's
    Clock::time_point deadline;
    std::atomic<uint64_t> next;  // place of the next block
    std::atomic<bool> failed = false;
    std::mutex mutex{};
    std::optional<BlockFault> fault{};  // that of lowest index
    std::exception_ptr exception{};

    void keep(BlockFault found) {
        const std::lock_guard lock(mutex);
        if (!fault || found.index < fault->index) fault = std::move(found);
        failed = true;
    }
    void keep(std::exception_ptr found) {
        const std::lock_guard lock(mutex);
        exception = std::move(found);
        failed = true;
    }
};

/// Errors of rows with lower indices: larger ones alone, or equal ones of still lower indices, would be peaks.
ErrorFloors floors_of(const Tally& before, const Tally& own) {
    return {std::max(before.row_error.value, own.row_error.value),
            std::max(before.absolute_error.value, own.absolute_error.value),
            std::max(before.element_error.value, own.element_error.value)};
}

void run_block(Step& step, Worker& worker, uint64_t first) {
    const int64_t rows = static_cast<int64_t>(std::min<uint64_t>(block_rows, step.end - first));
    if (auto fault = worker.call.run(first, rows)) return step.keep(*std::move(fault));
    step.judge.judge({worker.call.x(), worker.call.y(), rows}, floors_of(step.before, worker.tally), worker.verdicts);
    add_block(worker.tally,
              {step.subject.identity.domain, worker.call.x(), worker.call.weights(), worker.verdicts, rows});
}

void take_blocks(Step& step, Worker& worker) {
    const DefaultFloatEnvironment environment;  // the oracle computes in floating point too
    try {
        do {
            const uint64_t first = step.next.fetch_add(block_rows);
            if (first >= step.end) return;
            run_block(step, worker, first);
        } while (!step.failed && Clock::now() < step.deadline);
    } catch (...) {
        step.keep(std::current_exception());
    }
}

void run_step(Step& step, std::vector<std::unique_ptr<Worker>>& workers) {
    const int threads = static_cast<int>(workers.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < threads; ++i) take_blocks(step, *workers[static_cast<size_t>(i)]);
    if (step.exception) std::rethrow_exception(step.exception);
}

void gather(SweepState& state, const Step& step, std::vector<std::unique_ptr<Worker>>& workers) {
    for (auto& worker : workers) merge(state.tally, std::exchange(worker->tally, Tally{}));
    state.done = std::min(step.next.load(), state.range.end);
}

Clock::time_point deadline_of(const SweepOptions& options) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.step_seconds));
}

std::vector<std::unique_ptr<Worker>> make_workers(const SweepSubject& subject, int threads) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < std::max(threads, 1); ++i) workers.push_back(std::make_unique<Worker>(subject));
    return workers;
}

}  // namespace

std::optional<BlockFault> run_sweep(const SweepSubject& subject, SweepState& state, const SweepOptions& options) {
    const BlockJudge judge(subject.identity.contract, subject.identity.domain.cols);
    auto workers = make_workers(subject, options.threads);
    while (!state.is_complete()) {
        Step step{subject, judge, state.range.end, state.tally, deadline_of(options), state.done};
        run_step(step, workers);
        if (step.fault) return step.fault;
        gather(state, step, workers);
        if (!options.go_on(state)) break;
    }
    return std::nullopt;
}

}  // namespace normcheck
