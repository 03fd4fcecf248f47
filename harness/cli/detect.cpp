// The verb `detect`: measures the harness by its fault zoo, and by the correct kernels that it must not accuse.
#include "harness/detect/detect.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <omp.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>

#include "harness/cases/plan.hpp"
#include "harness/cases/random.hpp"
#include "harness/check/run_plan.hpp"
#include "harness/cli/detect_report.hpp"
#include "harness/cli/fuzz.hpp"
#include "harness/cli/obeyed.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/properties/property_stage.hpp"
#include "oracles/error.hpp"
#include "reports/collect.hpp"
#include "reports/context.hpp"
#include "reports/finding_order.hpp"

namespace normcheck {
namespace {

struct EngineName {
    const char* name;
    std::optional<DetectEngine> engine;  // nothing: a search with a fuzz target
    const char* search;                  // of `fuzz --engine`
};
constexpr EngineName engines[] = {{"verify", DetectEngine::verify, ""},         {"cases", DetectEngine::cases, ""},
                                  {"properties", DetectEngine::properties, ""}, {"fuzz", std::nullopt, "guided"},
                                  {"unguided", std::nullopt, "unguided"},       {"random", std::nullopt, "random"}};

struct DetectVerb {
    std::vector<std::string> patterns;
    std::string engine = "verify", json;
    uint64_t seed = 1;
    double seconds = 10;
    int64_t alarm_seeds = 1, budget = 1;
    bool only_faults = false, only_correct = false, quick = false;
    int jobs = 0, width = 0;
    OutsideOptions outside;
};

std::string engine_names() {
    std::string names;
    for (const EngineName& engine : engines) names += (names.empty() ? "" : " | ") + std::string(engine.name);
    return names;
}

void add_options(CLI::App& app, DetectVerb& options) {
    app.add_option("GLOB", options.patterns,
                   "faults, as in 'faulty/rms_eps*', or kernels from outside (default: all of these, or all faults; "
                   "see: list faults)");
    app.add_option("--engine", options.engine,
                   engine_names() + " (default verify); the last three are searches with fuzz targets")
        ->type_name("NAME");
    app.add_option("--seed", options.seed, "seed of all cases (default 1)")->type_name("N")->check(seed_number());
    app.add_option("--time", options.seconds, "begin no case of a fault or kernel after so many seconds (default 10)")
        ->type_name("S")
        ->transform(time_span());
    app.add_flag("--only-faults", options.only_faults, "leave the correct kernels out");
    app.add_flag("--only-correct", options.only_correct, "leave the faults out");
    app.add_option("--seeds", options.alarm_seeds, "seeds with which the correct kernels run (default 1)")
        ->type_name("N")
        ->check(whole_number(1, 1000000));
    app.add_option("--budget", options.budget, "default plans that each of these seeds runs (default 1)")
        ->type_name("N")
        ->check(whole_number(1, 1000000));
    app.add_flag("--quick", options.quick, "neither shrink cases nor infer contracts");
    app.add_option("--json,--output", options.json, "write the results to this file")->type_name("FILE");
    app.add_option("--jobs", options.jobs, "faults or kernels at a time (default: one per core)")
        ->type_name("N")
        ->check(whole_number(1, 4096));
    add_width_option(app, options.width);
    add_outside_options(app, options.outside);
}

const EngineName& engine_named(const std::string& wanted) {
    for (const EngineName& engine : engines)
        if (engine.name == wanted) return engine;
    throw InputError(fmt::format("--engine: '{}' is unknown; expected {}", wanted, engine_names()));
}

/// Kernels from outside, examined as faults are: what is to be caught is not known. They live as long as the program.
std::span<const FaultInfo> outside_faults() {
    static const std::vector<FaultInfo> all = [] {
        std::vector<FaultInfo> made;
        for (const nc_kernel* kernel : outside_kernels()) made.push_back({kernel, kind_outside, ShownBy::any});
        return made;
    }();
    return all;
}

std::vector<const FaultInfo*> all_faults() {
    std::vector<const FaultInfo*> all;
    for (const auto faults_there : {outside_faults(), faults()})
        for (const FaultInfo& fault : faults_there) all.push_back(&fault);
    return all;
}

/// Where no pattern is given: the kernels from outside, or all faults where there are none.
std::vector<const FaultInfo*> faults_matching(const std::vector<std::string>& patterns) {
    const bool is_outside = !outside_faults().empty();
    std::vector<const FaultInfo*> chosen;
    std::vector<char> used(patterns.size());
    for (const FaultInfo* fault : all_faults()) {
        bool is_chosen = patterns.empty() && (fault->kind == kind_outside || !is_outside);
        for (size_t i = 0; i < patterns.size(); ++i) {
            if (fnmatch(patterns[i].c_str(), fault->kernel->name, 0) != 0) continue;
            is_chosen = true;
            used[i] = 1;
        }
        if (is_chosen) chosen.push_back(fault);
    }
    for (size_t i = 0; i < patterns.size(); ++i)
        if (used[i] == 0)
            throw InputError(fmt::format("no fault {}matches '{}'; normcheck list faults shows them",
                                         is_outside ? "and no kernel from outside " : "", patterns[i]));
    return chosen;
}

int jobs_of(const DetectVerb& options) {
    return options.jobs > 0 ? options.jobs : default_jobs(options.outside);
}

/// A search with a fuzz target, which shrinks what it finds by itself.
Detection search(const nc_kernel& kernel, const char* how, const DetectVerb& options) {
    const FuzzLog log = search_afresh(kernel.name, how, options.seconds,
                                      static_cast<uint32_t>(options.seed % 4000000000), options.outside);
    Detection found;
    found.cases = log.executions;
    found.seconds = log.seconds;
    if (!log.finding) return found;
    found.caught = true;
    found.kind = rule_without_place(log.finding->reason);
    found.first = parse_case(log.finding->found_as);
    found.smallest = parse_case(log.finding->line);
    found.cases = log.finding->executions;
    found.seconds = log.finding->seconds;
    return found;
}

FaultRecord examine(const FaultInfo& fault, const DetectVerb& options, const EngineName& engine) {
    FaultRecord record{&fault, {}, ""};
    record.detection = engine.engine ? detect(*fault.kernel, {.engine = *engine.engine,
                                                              .seed = options.seed,
                                                              .seconds = options.seconds,
                                                              .minimize = !options.quick,
                                                              .retry = fault.shown_by == ShownBy::threads})
                                     : search(*fault.kernel, engine.search, options);
    if (!options.quick && fault.shown_by == ShownBy::any) record.obeys = obeyed_contract(*fault.kernel);
    return record;
}

/// Whether a fuzz target can show it, which makes one call a time, in one thread, and compares nothing.
bool is_shown_by_one_call(const FaultInfo& fault) {
    return fault.shown_by == ShownBy::any || fault.shown_by == ShownBy::process;
}

/// Every fault, several at a time, each told as soon as it and all before it are done.
std::vector<FaultRecord> examine_all(const DetectVerb& options, const EngineName& engine, const Page& page) {
    std::vector<const FaultInfo*> chosen = faults_matching(options.patterns);
    if (!engine.engine && options.patterns.empty())
        std::erase_if(chosen, [](const FaultInfo* fault) { return !is_shown_by_one_call(*fault); });
    std::vector<FaultRecord> records(chosen.size());
    std::vector<char> done(chosen.size());
    size_t told = 0;
    std::mutex mutex;
    std::exception_ptr thrown;
    omp_set_max_active_levels(3);
#pragma omp parallel for schedule(dynamic) num_threads(jobs_of(options))
    for (size_t i = 0; i < chosen.size(); ++i) {
        try {
            FaultRecord record = examine(*chosen[i], options, engine);
            const std::lock_guard lock(mutex);
            records[i] = std::move(record);
            done[i] = 1;
            for (; told < chosen.size() && done[told] != 0; ++told) write_output(fault_text(records[told], page));
        } catch (...) {
            const std::lock_guard lock(mutex);
            thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
    return records;
}

/// The default run of `verify` on all built-in kernels with a seed.
Report run_correct(uint64_t seed, int threads) {
    std::vector<Job> jobs;
    for (const nc_kernel* kernel : kernels_matching({}))
        for (Job& job : planned_jobs(*kernel, {.seed = seed})) jobs.push_back(std::move(job));
    RunOptions options;
    options.threads = threads;
    options.after_case = property_stage(jobs, read_properties("all"));
    return run_plan(jobs, options);
}

Report run_correct_kernels(const DetectVerb& options) {
    constexpr uint64_t stream = uint64_t{7} << 60;  // of the seeds of plans
    Report report;
    for (int64_t i = 0; i < options.alarm_seeds * options.budget; ++i) {
        const uint64_t seed =
            i == 0 ? options.seed : random_value(options.seed, stream, static_cast<uint64_t>(i)) % 1000000000;
        Report part = run_correct(seed, jobs_of(options));
        if (i == 0)
            report = std::move(part);
        else
            merge(report, std::move(part));
    }
    return report;
}

int run(const DetectVerb& options, const std::string& command) {
    if (options.only_faults && options.only_correct)
        throw InputError("--only-faults and --only-correct leave nothing to do");
    load_outside(options.outside);
    const bool is_outside = !outside_kernels().empty();  // which are faults, or correct, but not both
    const Page page = output_page(options.width);
    DetectionReport report;
    report.context = make_context(options.seed, command);
    const EngineName& engine = engine_named(options.engine);
    report.engine = engine.name;
    report.seconds_per_fault = options.seconds;
    if (!options.only_correct) report.faults = examine_all(options, engine, page);
    if (!options.only_faults && (!is_outside || options.only_correct)) {
        report.alarm_seeds = options.alarm_seeds;
        report.correct = run_correct_kernels(options);
    }
    if (!options.json.empty()) write_document(options.json, detection_json(report));
    write_output((report.faults.empty() ? "" : "\n") + score_text(report, page));
    return missed(report) + accused(report) > 0 ? 1 : 0;
}

constexpr Example examples[] = {
    {"normcheck detect 'faulty/rms_eps*' --only-faults", "how soon these faults are caught, and by what"},
    {"normcheck detect faulty/rms_order_by_run --only-faults --engine properties", "by properties alone"},
    {"normcheck detect --only-correct --seeds 10",
     "whether a correct kernel is accused: ten seeds of the default plan"},
};

}  // namespace

Verb add_detect(CLI::App& app) {
    const auto options = std::make_shared<DetectVerb>();
    CLI::App* verb = app.add_subcommand("detect", "measure what is caught: every fault of the zoo, no correct kernel");
    add_options(*verb, *options);
    return {verb, [options](const std::string& command) { return run(*options, command); }, examples};
}

}  // namespace normcheck
