// The verb `bench`: what the oracles cost beside what people use instead, and how many whole cases a second has.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/bench/case_rates.hpp"
#include "harness/bench/isolation.hpp"
#include "harness/bench/oracle_text.hpp"
#include "harness/bench/pinning.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "oracles/error.hpp"
#include "oracles/instruction_sets.hpp"
#include "reports/context.hpp"

namespace normcheck {
namespace {

struct BenchOptions {
    std::vector<std::string> words;
    std::string json;
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

const Subject& subject_of(const std::vector<std::string>& words) {
    if (words.empty()) throw InputError(fmt::format("bench: nothing is named; expected {}", subject_names()));
    if (words.size() > 1)
        throw InputError(fmt::format("bench: '{}' is one too many; expected {} alone", words[1], subject_names()));
    for (const Subject& subject : subjects)
        if (words[0] == subject.name) return subject;
    throw InputError(fmt::format("bench: there is no '{}'; expected {}", words[0], subject_names()));
}

std::string heading(const Context& context, std::optional<int> core, const Page& page) {
    const std::string place =
        core ? fmt::format("on core {} alone", *core) : "on no fixed core, since the system allows none";
    const std::string machine = fmt::format("{}, {}, {}", context.cpu, name(best_instruction_set()), place);
    return paragraph("command   ", context.command, page) + paragraph("machine   ", machine, page) +
           paragraph("compiler  ", fmt::format("{}, {}", context.compiler, context.flags), page) + '\n';
}

int bench(const BenchOptions& options, const std::string& command) {
    const Subject& subject = subject_of(options.words);
    const Page page = output_page(options.width);
    const Context context = make_context(options.seed, command);
    const std::optional<int> core = pin_to_current_core();
    if (is_terminal(STDERR_FILENO)) fmt::print(stderr, "measuring {}: {}\n", subject.name, subject.meaning);
    const Measured measured = subject.measure(options, context, page);
    if (!options.json.empty()) write_document(options.json, measured.document.dump(2) + '\n');
    if (options.json != "-") write_output(heading(context, core, page) + measured.text);
    return 0;
}

constexpr Example examples[] = {
    {"normcheck bench oracle --json oracle.json",
     "what judging an element costs beside a plain double reference and 256-bit arithmetic"},
    {"normcheck bench sweep isolation", "cases and rows of sweeps per second; what a host process costs"},
    {"normcheck bench --quick", "whether it runs; measures nothing"},
};

}  // namespace

Verb add_bench(CLI::App& app) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* verb = app.add_subcommand("bench", "measure what judging costs, on one core");
    verb->add_option("WHAT", options->words, subjects_help());
    verb->add_option("--json,--output", options->json, "write the numbers as JSON to this file; - is standard output")
        ->type_name("FILE")
        ->take_last()
        ->check(can_be_written);
    verb->add_option("--seed", options->seed, "seed of the inputs (default 1)")->type_name("N")->check(seed_number());
    verb->add_flag("--quick", options->quick, "a few short repetitions: shows that it runs, measures nothing");
    verb->add_option("--width", options->width, "columns of the text (default: the terminal's, 80 elsewhere)")
        ->type_name("N")
        ->check(whole_number(narrowest_page, widest_page));
    return {verb, [options](const std::string& command) { return bench(*options, command); }, examples};
}

}  // namespace normcheck
