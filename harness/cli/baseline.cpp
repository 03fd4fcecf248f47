// The verb `baseline`: runs the plan of `verify` on kernels and writes down what they do, as what later runs are held
// to.
#include "reports/baseline.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/cli/baselines.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/properties/property_stage.hpp"
#include "oracles/error.hpp"
#include "reports/numbers.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

struct WriteOptions {
    std::vector<std::string> patterns;
    std::string folder = baseline_folder;
    uint64_t seed = 1;
    int64_t max_cases = 0;
    int jobs = 0;
    bool quiet = false;
    OutsideOptions outside;
};

void add_options(CLI::App& app, WriteOptions& options) {
    app.add_option("GLOB", options.patterns, "kernels, as in 'cpu/rms*' (default: all, or those from outside)");
    app.add_option("--baselines", options.folder, fmt::format("where to (default {})", baseline_folder))
        ->type_name("FOLDER")
        ->take_last();
    app.add_option("--seed", options.seed, "seed of all random inputs (default 1)")
        ->type_name("N")
        ->check(seed_number());
    app.add_option("--cases", options.max_cases, "at most so many cases per kernel and format")
        ->type_name("N")
        ->check(whole_number(1, INT64_MAX));
    add_jobs_option(app, options.jobs);
    app.add_flag("--quiet", options.quiet, "print nothing");
    add_outside_options(app, options.outside);
}

/// Where a witness gives another error than it gave before, the kernel depends on more than its inputs.
void require_same_again(const KernelReport& record, const KernelReport& again) {
    for (size_t i = 0; i < record.cells.size(); ++i) {
        const auto &before = record.cells[i].row_error, &after = again.cells[i].row_error;
        if (!before || (after && after->value == before->value)) continue;
        throw InputError(fmt::format(
            "{} {} has no baseline, since it does not repeat itself: the row error of '{}' was {} ulp, then {}",
            record.kernel, format(record.format).name, before->case_line, show_error(before->value),
            after ? show_error(after->value) + " ulp" : "none"));
    }
}

std::string line_of(const Baseline& baseline, Written written) {
    int64_t regimes = 0;
    Verdict gravest = Verdict::pass;
    for (const KernelReport& one : baseline.formats) {
        for (const Cell& cell : one.cells) regimes += row_count(cell) > 0 ? 1 : 0;
        if (verdict(one) != Verdict::pass) gravest = verdict(one);
    }
    constexpr const char* words[] = {"unchanged", "new", "replaced"};
    return fmt::format("{:<5} {:<36} {}, {}: {}\n", name(gravest), baseline.kernel,
                       show_count(baseline.formats.size(), "format", "formats"),
                       show_count(static_cast<uint64_t>(regimes), "regime", "regimes"),
                       words[static_cast<size_t>(written)]);
}

int write_baselines(const WriteOptions& options) {
    load_outside(options.outside);
    std::vector<Job> jobs;
    for (const nc_kernel* kernel : kernels_matching(options.patterns))
        for (Job& job : planned_jobs(*kernel, {.seed = options.seed, .max_cases = options.max_cases}))
            jobs.push_back(std::move(job));
    RunOptions run;
    run.threads = jobs_or_default(options.jobs, options.outside);
    RunOptions again = run;
    run.after_case = property_stage(jobs, read_properties("all"));
    if (!options.quiet) run.progress = make_progress(jobs, is_terminal(STDERR_FILENO));
    const Report report = run_plan(jobs, run);
    for (const KernelReport& one : rerun_witnesses(report.kernels, again))
        for (const KernelReport& record : report.kernels)
            if (record.kernel == one.kernel && record.format == one.format) require_same_again(record, one);
    std::string text;
    for (const Baseline& baseline : baselines_of(report.kernels))
        text += line_of(baseline, write_baseline(options.folder, baseline));
    if (!options.quiet) write_output(text + fmt::format("in {}\n", options.folder));
    return 0;
}

constexpr Example examples[] = {
    {"normcheck baseline cpu/rms --cases 40 --baselines kept",
     "what the kernel does now, to be held to from now on, in kept/cpu/rms.json"},
    {"normcheck baseline", "all built-in kernels, in reports/baselines"},
};

}  // namespace

Verb add_baseline(CLI::App& app) {
    const auto options = std::make_shared<WriteOptions>();
    CLI::App* verb = app.add_subcommand("baseline", "write down what kernels do, to hold later runs to it");
    add_options(*verb, *options);
    return {verb, [options](const std::string&) { return write_baselines(*options); }, examples};
}

}  // namespace normcheck
