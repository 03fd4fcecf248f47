// The verb `verify`: runs the plan of cases of every selected kernel and reports.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "harness/cases/plan.hpp"
#include "harness/check/abi_format.hpp"
#include "harness/check/run_plan.hpp"
#include "harness/cli/baselines.hpp"
#include "harness/cli/interruption.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/plan_words.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/kernels/cuda/device_kernels.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/properties/property_stage.hpp"
#include "oracles/error.hpp"
#include "reports/context.hpp"
#include "reports/numbers.hpp"

namespace normcheck {
namespace {

struct VerifyOptions {
    std::vector<std::string> patterns;
    PlanWords plan;
    double seconds = 0;
    int jobs = 0;
    std::vector<const PropertyInfo*> properties = read_properties("all");
    OutsideOptions outside;
    ReportOptions report;
    BaselineOptions baseline;
};

void add_options(CLI::App& app, VerifyOptions& options) {
    app.add_option("GLOB", options.patterns, "kernels, as in 'cpu/rms*' (default: all, or those from outside)");
    add_plan_options(app, options.plan, "all that the kernel takes");
    app.add_option("--time", options.seconds, "begin no case after so many seconds, or as in 90s, 10m, 8h")
        ->type_name("S")
        ->transform(time_span());
    add_jobs_option(app, options.jobs);
    app.add_option_function<std::string>(
           "--properties", [&options](const std::string& list) { options.properties = read_properties(list); },
           "properties asked of some small cases: all (default), none, or names (see: list properties)")
        ->type_name("LIST")
        ->take_last();
    add_outside_options(app, options.outside);
    add_report_options(app, options.report);
    add_report_files(app, options.report);
    add_baseline_options(app, options.baseline);
}

std::vector<Job> jobs_of(const VerifyOptions& options) {
    const PlanOptions narrowed = plan_options(options.plan);
    std::vector<Job> jobs;
    for (const nc_kernel* kernel : kernels_matching(options.patterns))
        for (Job& job : planned_jobs(*kernel, narrowed)) jobs.push_back(std::move(job));
    return jobs;
}

int threads(const VerifyOptions& options) {
    return jobs_or_default(options.jobs, options.outside);
}

RunOptions run_options(const VerifyOptions& options, std::span<const Job> jobs) {
    RunOptions result;
    result.threads = threads(options);
    result.oracle = options.report.oracle;
    result.time_limit_seconds = options.seconds;
    result.after_case = property_stage(jobs, options.properties);
    result.is_interrupted = [] { return interruption() != 0; };
    if (!options.report.quiet) result.progress = make_progress(jobs, is_terminal(STDERR_FILENO));
    return result;
}

/// Where all kernels are asked for and no device is there, those for a device are missing: that is said, not passed.
void tell_skipped(const VerifyOptions& options) {
    const bool all = options.patterns.empty() && outside_kernels().empty();
    if (!all || options.report.quiet || why_no_device_kernels().empty()) return;
    fmt::print(stderr, "skipped: cuda/*: {}\n", why_no_device_kernels());
}

/// Witnesses are judged like the cases of the run, and asked nothing more.
void compare(Report& report, const VerifyOptions& options) {
    RunOptions run;
    run.threads = threads(options);
    run.oracle = options.report.oracle;
    hold_against_baselines(report, {options.patterns, read_formats(options.plan.formats)}, options.baseline, run);
}

void tell_not_asked(const VerifyOptions& options, std::span<const Job> jobs) {
    const std::string why = why_not_asked(jobs);
    if (!why.empty() && !options.properties.empty() && !options.report.quiet) fmt::print(stderr, "{}\n", why);
}

int64_t skipped_cases(const Report& report) {
    int64_t skipped = 0;
    for (const KernelReport& kernel : report.kernels) skipped += kernel.skipped_cases;
    return skipped;
}

/// What a run exits with that was interrupted, once its report is written.
int exit_interrupted(int64_t skipped) {
    fmt::print(stderr, "normcheck: interrupted; {} not begun\n",
               show_count(static_cast<uint64_t>(skipped), "case was", "cases were"));
    return 128 + interruption();
}

int verify(const VerifyOptions& options, const std::string& command) {
    require_one_standard_output(options.report);
    require_baselines(options.baseline);
    const auto begin = std::chrono::steady_clock::now();
    Context context = make_context(options.plan.seed, command);
    load_outside(options.outside);
    const std::vector<Job> jobs = jobs_of(options);
    tell_not_asked(options, jobs);
    note_interruption();
    Report report = run_plan(jobs, run_options(options, jobs));
    if (options.baseline.compare && interruption() == 0) compare(report, options);
    context.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (KernelReport& kernel : report.kernels) kernel.options = outside_words(options.outside);
    report.context = std::move(context);
    tell_skipped(options);
    const int64_t skipped = skipped_cases(report);
    const int status = deliver(std::move(report), options.report);
    return interruption() == 0 ? status : exit_interrupted(skipped);
}

constexpr Example examples[] = {
    {"normcheck verify", "all built-in kernels in all of their formats: half a minute"},
    {"normcheck verify cpu/rms --formats bf16 --cols 768,1025 --rows 3 --fills gaussian,eps_grid --eps 1e-6,0",
     "one kernel where it is suspected; lists are a product"},
    {"normcheck verify 'cpu/rms*' --cases 20 --properties batch_independence,sign_symmetry",
     "few cases of several kernels, asked for two properties"},
    {"normcheck verify cpu/rms --formats f32 --json rms.json --report rms.html",
     "the report kept for programs, and as a page with figures"},
    {"normcheck verify --plugin ./librms.so", "all kernels of a library of yours"},
};

}  // namespace

Verb add_verify(CLI::App& app) {
    const auto options = std::make_shared<VerifyOptions>();
    CLI::App* verb = app.add_subcommand("verify", "run cases on kernels and judge every output; lists are a product");
    add_options(*verb, *options);
    return {verb, [options](const std::string& command) { return verify(*options, command); }, examples};
}

}  // namespace normcheck
