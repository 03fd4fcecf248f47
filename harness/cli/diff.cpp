// The verb `diff`: two kernels on the same cases, for someone who ports one and asks where the two part.
#include "harness/check/diff.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/check/abi_format.hpp"
#include "harness/check/check.hpp"
#include "harness/cli/diff_report.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/plan_words.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "oracles/error.hpp"
#include "reports/context.hpp"

namespace normcheck {
namespace {

struct DiffOptions {
    std::string first, second, line, json;
    PlanWords plan;
    int jobs = 0, width = 0;
    OutsideOptions outside;
};

void add_options(CLI::App& app, DiffOptions& options) {
    app.add_option("FIRST", options.first, "a kernel, whose contract plans the cases")->required();
    app.add_option("SECOND", options.second, "the kernel beside it, called with the same inputs and eps")->required();
    add_plan_options(app, options.plan, "all that both take");
    app.add_option("--case", options.line, "this one case, as a report or diff prints it, instead of a plan")
        ->type_name("LINE");
    add_jobs_option(app, options.jobs);
    app.add_option("--json,--output", options.json, "write the result to this file; - is standard output")
        ->type_name("FILE")
        ->check(can_be_written);
    add_width_option(app, options.width);
    add_outside_options(app, options.outside);
}

void require_taken(const nc_kernel& kernel, FormatId id) {
    if (takes(kernel, id)) return;
    std::string taken;
    for (const FormatId one : formats_of(kernel)) taken += (taken.empty() ? "" : ", ") + std::string(format(one).name);
    throw InputError(fmt::format("{} does not take x in {}; expected one of {}", kernel.name, format(id).name, taken));
}

std::vector<FormatId> shared_formats(const nc_kernel& first, const nc_kernel& second) {
    std::vector<FormatId> shared;
    for (const FormatId id : formats_of(first))
        if (takes(second, id)) shared.push_back(id);
    if (shared.empty()) throw InputError(fmt::format("{} and {} take no format of x alike", first.name, second.name));
    return shared;
}

std::vector<Job> jobs_by_plan(const nc_kernel& first, const nc_kernel& second, const PlanWords& words) {
    PlanOptions narrowed = plan_options(words);
    if (narrowed.formats.empty()) narrowed.formats = shared_formats(first, second);
    for (const FormatId id : narrowed.formats) {
        require_taken(first, id);
        require_taken(second, id);
    }
    return planned_jobs(first, narrowed);
}

std::vector<Job> jobs_of(const nc_kernel& first, const nc_kernel& second, const DiffOptions& options) {
    if (options.line.empty()) return jobs_by_plan(first, second, options.plan);
    const Case c = parse_case(options.line);
    return {{&first, {c}, case_contract(&first, c).x}};
}

/// Nothing that ran is nothing compared: the first reason is the error.
void require_compared(const KernelDiff& diff) {
    int64_t cases = 0;
    for (const FormatDiff& one : diff.formats) cases += one.cases;
    if (cases > 0) return;
    for (const FormatDiff& one : diff.formats)
        for (const auto& [reason, times] : one.left_out_because)
            throw InputError(fmt::format("no case ran on both kernels; {}", reason));
    throw InputError("no case to compare the kernels on; expected --cols and --rows that give one");
}

int run(const DiffOptions& options, const std::string& command) {
    load_outside(options.outside);
    const nc_kernel& first = kernel_named(options.first);
    const nc_kernel& second = kernel_named(options.second);
    KernelDiff diff{make_context(options.plan.seed, command), {first.name, second.name}, {}};
    const int jobs = jobs_or_default(options.jobs, options.outside);
    for (const Job& job : jobs_of(first, second, options)) {
        if (!job.cases.empty()) shared_case(first, second, job.cases.front());  // an error of no one case
        diff.formats.push_back(diff_kernels(first, second, job, jobs, Oracle::certified));
    }
    require_compared(diff);
    if (!options.json.empty()) write_document(options.json, diff_json(diff));
    if (options.json != "-") write_output(diff_text(diff, output_page(options.width)));
    return exit_status(diff);
}

constexpr Example examples[] = {
    {"normcheck diff cpu/layer_two_pass cpu/layer_welford --formats f32,bf16",
     "where two ways to take the variance part, and which is nearer"},
    {"normcheck diff cpu/rms rms/plain --plugin ./librms.so --cases 50",
     "a port of yours beside the kernel that it is to replace"},
    {"normcheck diff cpu/layer_two_pass cpu/rms --fills gaussian,offset --cols 64",
     "two norms on the same rows, without beta"},
    {"normcheck diff cpu/rms faulty/rms_eps_outside --case 'x=bf16 rows=3 cols=64 fill=small'", "one case"},
};

}  // namespace

Verb add_diff(CLI::App& app) {
    const auto options = std::make_shared<DiffOptions>();
    CLI::App* verb = app.add_subcommand("diff", "run two kernels on the same cases and say where their outputs part");
    add_options(*verb, *options);
    return {verb, [options](const std::string& command) { return run(*options, command); }, examples};
}

}  // namespace normcheck
