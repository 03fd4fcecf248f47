// The verb `sweep`: one kernel on every row of a small domain, or on a shard of them, resumable.
#include "harness/sweep/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>

#include "harness/cases/words.hpp"
#include "harness/cli/interruption.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sweep_progress.hpp"
#include "harness/cli/sweep_text.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/sweep/result.hpp"
#include "harness/sweep/store.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

using Clock = std::chrono::steady_clock;

struct SweepVerbOptions {
    std::string kernel, format, eps, eps_at, contract, shard, output;
    int64_t cols = 1;
    int threads = 0;
    double save_every = 5;
    bool no_symmetry = false;
    bool quiet = false;
    int width = 0;
    OutsideOptions outside;
};

void add_options(CLI::App& app, SweepVerbOptions& options) {
    app.add_option("KERNEL", options.kernel, "the kernel (see: list kernels)")->required();
    app.add_option("--format,--formats", options.format, "format of x: f16, bf16, or f32 with one column")->required();
    app.add_option("--cols", options.cols, "columns: 1 for all bit patterns, 2 for all pairs (default 1)")
        ->type_name("N")
        ->check(whole_number(1, 2));
    app.add_option("--eps", options.eps, "epsilon (default: the kernel's own)")->type_name("E");
    app.add_option("--eps-at", options.eps_at, "hold the kernel to another placement of epsilon than its own")
        ->type_name("WHERE");
    app.add_option("--contract", options.contract, "further contract words that are laid over the kernel's")
        ->type_name("WORDS");
    app.add_option("--shard", options.shard, "run the i-th of n parts, 1/n to n/n")->type_name("i/n");
    app.add_option("--output,--json", options.output,
                   "write the result to this file, and go on from FILE.part if it is there")
        ->type_name("FILE");
    app.add_option("--save-every", options.save_every, "seconds between saves of progress (default 5)")
        ->type_name("S")
        ->check(number_from_zero());
    app.add_option("--threads,--jobs", options.threads, "threads (default: one per core)")
        ->type_name("N")
        ->check(whole_number(1, 4096));
    app.add_flag("--no-symmetry", options.no_symmetry, "run the whole domain, also where a symmetry is proven");
    app.add_flag("--quiet", options.quiet, "print nothing but errors");
    add_width_option(app, options.width);
    add_outside_options(app, options.outside);
}

std::string contract_words(const SweepVerbOptions& options) {
    if (options.format != "f16" && options.format != "bf16" && options.format != "f32")
        throw InputError(fmt::format("--format {}: expected f16, bf16, or f32 with one column", options.format));
    std::string words = "x=" + options.format;
    if (!options.eps.empty()) words += " eps=" + options.eps;
    if (!options.eps_at.empty()) words += " eps_at=" + options.eps_at;
    return words + ' ' + options.contract;
}

PlaceRange read_shard(const std::string& text, const Domain& domain) {
    if (text.empty()) return {0, run_rows(domain)};
    const size_t slash = std::min(text.find('/'), text.size());
    const auto rows = static_cast<int64_t>(run_rows(domain));
    try {
        const int64_t parts = read_integer("n", text.substr(std::min(slash + 1, text.size())), 1, rows);
        const int64_t number = read_integer("i", text.substr(0, slash), 1, parts);
        return shard(domain, static_cast<uint64_t>(number), static_cast<uint64_t>(parts));
    } catch (const InputError&) {
        throw InputError(fmt::format(
            "--shard {}: expected i/n with n from 1 to {} and i from 1 to n, as in 1/8 for the first of 8 parts", text,
            rows));
    }
}

/// A file that may not grow is an error of writing, not the end of the process.
void set_signals() {
    note_interruption();
    std::signal(SIGXFSZ, SIG_IGN);
}

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// One run of the verb: the sweep, and where it is kept.
struct SweepRun {
    const SweepVerbOptions& options;
    const SweepSubject& subject;
    SweepResult result;
    std::optional<SweepStore> store = std::nullopt;
    SweepTiming timing{};
};

/// Takes up what is kept.
void take_up(SweepRun& run) {
    if (run.options.output == "-")
        throw InputError("--output -: expected the name of a file, since progress is kept beside it");
    run.store.emplace(run.options.output);
    if (const auto kept = run.store->find(run.result)) run.result = *kept;
    if (run.options.quiet || run.result.state.done == run.result.state.range.first) return;
    fmt::print(stderr, "{}: {} of {} rows are done already\n", run.options.output,
               show_grouped(run.result.state.done - run.result.state.range.first),
               show_grouped(run.result.state.range.size()));
}

void keep(const SweepRun& run) {
    if (run.store) run.store->keep(run.result);
}

SweepOptions sweep_options(SweepRun& run) {
    SweepOptions options;
    options.threads = run.options.threads > 0 ? run.options.threads : default_jobs(run.options.outside);
    options.step_seconds = std::min(0.5, run.options.save_every);
    std::function<void(const SweepState&)> tell = [](const SweepState&) {};
    if (!run.options.quiet) tell = make_sweep_progress(run.result.state, is_terminal(STDERR_FILENO));
    options.go_on = [&run, tell, last = Clock::now()](const SweepState& state) mutable {
        tell(state);
        if (interruption() != 0) return false;
        if (state.is_complete() || seconds_since(last) < run.options.save_every) return true;
        keep(run);
        last = Clock::now();
        return true;
    };
    return options;
}

[[noreturn]] void refuse(const SweepRun& run, const BlockFault& fault) {
    throw InputError(fmt::format("{} refuses the calls: {}", run.subject.kernel->name, fault.reason));
}

/// A broken rule ends a sweep: what the kernel returned beside it is worth nothing.
int report_broken(const SweepRun& run, const BlockFault& fault) {
    write_output(fmt::format("fail  {}: {}, in the call that begins with or concerns '{}'\n", run.subject.kernel->name,
                             fault.reason, case_line(run.subject.identity, fault.index)));
    return 1;
}

int report_stopped(const SweepRun& run) {
    keep(run);
    const std::string kept = run.store ? fmt::format("the same command goes on from {}.part", run.options.output)
                                       : "nothing is kept; --output FILE keeps progress";
    fmt::print(stderr, "\nnormcheck: stopped after {} of {} rows; {}\n",
               show_grouped(run.result.state.done - run.result.state.range.first),
               show_grouped(run.result.state.range.size()), kept);
    return 128 + interruption();
}

int finish(const SweepRun& run) {
    keep(run);
    if (!run.options.quiet) write_output(sweep_text(run.result, run.timing, output_page(run.options.width)));
    return exit_status(run.result);
}

int sweep(const SweepVerbOptions& options) {
    load_outside(options.outside);
    set_signals();
    const SweepSubject subject =
        make_subject(kernel_named(options.kernel), contract_words(options), options.cols, !options.no_symmetry);
    const PlaceRange range = read_shard(options.shard, subject.identity.domain);
    SweepRun run{options, subject, {subject.identity, SweepState(range)}};
    if (!options.output.empty()) take_up(run);
    const uint64_t before = run.result.state.done;
    const auto begin = Clock::now();
    const auto fault = run_sweep(subject, run.result.state, sweep_options(run));
    run.timing = {run.result.state.done - before, seconds_since(begin)};
    if (fault) return fault->refused ? (refuse(run, *fault), 2) : report_broken(run, *fault);
    return run.result.state.is_complete() ? finish(run) : report_stopped(run);
}

constexpr Example examples[] = {
    {"normcheck sweep cpu/rms --format f16 --eps 1e-5", "every bit pattern of f16 as a row of one column"},
    {"normcheck sweep cpu/rms --format bf16 --cols 2 --output pairs.json",
     "every pair of bf16 values; taken up again where it was stopped"},
    {"normcheck sweep cpu/rms --format f16 --shard 1/2 --output part1.json",
     "a half of it, for another machine to run the rest"},
    {"normcheck sweep cpu/rms --format f16 --shard 2/2 --output part2.json", "the rest, for `merge`"},
};

}  // namespace

Verb add_sweep(CLI::App& app) {
    const auto options = std::make_shared<SweepVerbOptions>();
    CLI::App* verb = app.add_subcommand("sweep", "run one kernel on every bit pattern, or every pair, of a format");
    add_options(*verb, *options);
    return {verb, [options](const std::string&) { return sweep(*options); }, examples};
}

}  // namespace normcheck
