// The verb `bench`: what the oracles cost beside what people use instead, how many whole cases a second has, and how
// fast kernels are.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "harness/bench/case_rates.hpp"
#include "harness/bench/isolation.hpp"
#include "harness/bench/kernel_speed.hpp"
#include "harness/bench/oracle_text.hpp"
#include "harness/bench/pinning.hpp"
#include "harness/cases/words.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "oracles/error.hpp"
#include "oracles/instruction_sets.hpp"
#include "reports/context.hpp"

namespace normcheck {
namespace {

struct BenchOptions {
    std::vector<std::string> words;
    std::string formats, rows, cols, threads;  // of kernels
    OutsideOptions outside;
    ReportOptions documents;
    uint64_t seed = 1;
    bool quick = false;
    int width = 0;
};

/// What a subject of measurement returns: the text and, where it is asked for, the document.
struct Measured {
    std::string text;
    nlohmann::json document;
};

MeasureOptions measure_options(const BenchOptions& options) {
    return options.quick ? MeasureOptions{.repetitions = 3, .seconds = 1e-4} : MeasureOptions{};
}

Measured bench_oracle(const BenchOptions& options, const Context& context, const Page& page) {
    OracleBenchOptions bench{.seed = options.seed, .measure = measure_options(options)};
    if (options.quick) bench.judged = 1;
    const std::vector<OracleCosts> costs = measure_oracle_costs(bench);
    return {oracle_text(costs, !options.quick, page), oracle_json(costs, context)};
}

Measured bench_sweep(const BenchOptions& options, const Context& context, const Page& page) {
    const MeasureOptions measure = measure_options(options);
    const SweepBench bench{measure_case_rates(measure), measure_sweep_rates(measure)};
    return {sweep_bench_text(bench, !options.quick, page), sweep_bench_json(bench, context)};
}

Measured bench_isolation(const BenchOptions& options, const Context& context, const Page& page) {
    const std::vector<IsolationCost> costs = measure_isolation(measure_options(options));
    return {isolation_text(costs, !options.quick, page), isolation_json(costs, context)};
}

struct Subject {
    const char* name;
    const char* meaning;
    Measured (*measure)(const BenchOptions& options, const Context& context, const Page& page);
};
constexpr Subject subjects[] = {
    {"oracle", "a kernel and all that can check its outputs, in time per element (about a minute)", bench_oracle},
    {"sweep", "whole cases and rows of sweeps per second (about half a minute)", bench_sweep},
    {"isolation", "what it costs to call kernels in a host process (some seconds)", bench_isolation}};

std::string subject_names() {
    std::string names;
    for (const Subject& subject : subjects) names += (names.empty() ? "" : " or ") + std::string(subject.name);
    return names;
}

std::string subjects_help() {
    std::string text;
    for (const Subject& subject : subjects)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", subject.name, subject.meaning);
    return text;
}

/// An option that was given and is for kernels alone; null where there is none.
const char* option_of_kernels(const BenchOptions& options) {
    if (!options.formats.empty()) return "--formats";
    if (!options.rows.empty()) return "--rows";
    if (!options.cols.empty()) return "--cols";
    if (!options.threads.empty()) return "--threads";
    if (!options.documents.files.empty()) return "--report";
    if (!outside_words(options.outside).empty()) return "--plugin";
    return nullptr;
}

/// The subject that the words name; null where they are to be kernels.
const Subject* subject_of(const BenchOptions& options) {
    const std::vector<std::string>& words = options.words;
    if (words.empty())
        throw InputError(fmt::format("bench: nothing is named; expected {}, or kernels", subject_names()));
    const auto* found = std::ranges::find(subjects, words[0], &Subject::name);
    if (found == std::end(subjects)) return nullptr;
    if (words.size() > 1)
        throw InputError(fmt::format("bench: '{}' is one too many; expected {} alone", words[1], subject_names()));
    if (const char* option = option_of_kernels(options); option != nullptr)
        throw InputError(fmt::format("bench: {} is for kernels; expected {} without it", option, words[0]));
    return found;
}

/// The numbers of threads in a comma list.
std::vector<int64_t> read_threads(std::string_view list) {
    std::vector<int64_t> threads;
    for (const std::string& word : read_list(list)) threads.push_back(read_integer("--threads", word, 1, 4096));
    return threads;
}

std::string heading(const Context& context, const std::string& place, const Page& page) {
    const std::string machine = fmt::format("{}, {}, {}", context.cpu, name(best_instruction_set()), place);
    return paragraph("command   ", context.command, page) + paragraph("machine   ", machine, page) +
           paragraph("compiler  ", fmt::format("{}, {}", context.compiler, context.flags), page) + '\n';
}

int bench_subject(const Subject& subject, const BenchOptions& options, const Context& context, const Page& page) {
    const std::optional<int> core = pin_to_current_core();
    if (is_terminal(STDERR_FILENO)) fmt::print(stderr, "measuring {}: {}\n", subject.name, subject.meaning);
    const Measured measured = subject.measure(options, context, page);
    const std::string place =
        core ? fmt::format("on core {} alone", *core) : "on no fixed core, since the system allows none";
    if (!options.documents.json.empty()) write_document(options.documents.json, measured.document.dump(2) + '\n');
    if (options.documents.json != "-") write_output(heading(context, place, page) + measured.text);
    return 0;
}

/// The kernels that the words name. Those from outside are called in this process, as those that are built in.
std::vector<const nc_kernel*> kernels_named(const BenchOptions& options) {
    if (!options.outside.kernels.commands.empty())
        throw InputError("bench: --exec: a command's kernels run in a process of their own; expected --plugin");
    OutsideOptions here = options.outside;
    here.kernels.in_process = true;
    load_outside(here);
    try {
        return kernels_matching(options.words);
    } catch (const InputError& error) {
        throw InputError(fmt::format("bench: {}; beside kernels there are {}", error.what(), subject_names()));
    }
}

/// Memory that kernels give back stays the process's, so that a call's time is not that of the system making pages.
void keep_memory() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
}

int bench_kernels(const BenchOptions& options, Context context, const Page& page) {
    require_one_standard_output(options.documents);
    SpeedOptions speeds{.kernels = kernels_named(options),
                        .formats = read_formats(options.formats),
                        .rows = read_extents("--rows", options.rows),
                        .cols = read_extents("--cols", options.cols),
                        .seed = options.seed,
                        .quick = options.quick,
                        .measure = measure_options(options)};
    if (!options.threads.empty()) speeds.threads = read_threads(options.threads);
    keep_memory();
    const std::vector<SpeedGroup> groups = measure_kernel_speeds(speeds);
    Report report = kernel_speed_report(groups);
    const std::string head = heading(context, "each thread on a core of its own as far as there are enough", page);
    report.context = std::move(context);
    write_report_document(report, options.documents);
    if (!takes_standard_output(options.documents)) write_output(head + kernel_speed_text(groups, !options.quick, page));
    return 0;
}

int bench(const BenchOptions& options, const std::string& command) {
    const Subject* subject = subject_of(options);
    const Page page = output_page(options.width);
    Context context = make_context(options.seed, command);
    return subject != nullptr ? bench_subject(*subject, options, context, page)
                              : bench_kernels(options, std::move(context), page);
}

void add_kernel_options(CLI::App& app, BenchOptions& options) {
    app.add_option("--formats,--format", options.formats, "formats of x, of kernels (default: f32,bf16)")
        ->type_name("LIST");
    app.add_option("--rows", options.rows, "rows, of kernels, as in 1,64 (default: a warm and a cold shape)")
        ->type_name("LIST");
    app.add_option("--cols", options.cols, "columns, of kernels, as in 768,4096")->type_name("LIST");
    app.add_option("--threads", options.threads, "threads, of kernels, as in 1,2 (default 1)")->type_name("LIST");
    add_outside_options(app, options.outside);
    add_report_files(app, options.documents);
}

constexpr Example examples[] = {
    {"normcheck bench cpu/rms 'cpu/layer*' --threads 1,2",
     "kernels beside a plain copy, in cache and out of memory; rms against layer"},
    {"normcheck bench oracle --json oracle.json",
     "what judging an element costs beside a plain double reference and 256-bit arithmetic"},
    {"normcheck bench sweep --quick", "whether it runs; measures nothing"},
};

}  // namespace

Verb add_bench(CLI::App& app) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* verb = app.add_subcommand("bench", "measure how fast kernels are, or what judging costs");
    verb->add_option("WHAT", options->words,
                     "kernels, as in 'cpu/layer*': beside a plain copy, warm and out of memory; or " + subjects_help());
    add_kernel_options(*verb, *options);
    verb->add_option("--json,--output", options->documents.json,
                     "write the numbers as JSON to this file; - is standard output")
        ->type_name("FILE")
        ->take_last()
        ->check(can_be_written);
    verb->add_option("--seed", options->seed, "seed of the inputs (default 1)")->type_name("N")->check(seed_number());
    verb->add_flag("--quick", options->quick, "a few short repetitions: shows that it runs, measures nothing");
    add_width_option(*verb, options->width);
    return {verb, [options](const std::string& command) { return bench(*options, command); }, examples};
}

}  // namespace normcheck
