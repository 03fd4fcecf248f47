// The verb `score`: judges what was recorded elsewhere, or finds the contracts that it obeys.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/infer.hpp"
#include "harness/cli/infer_report.hpp"
#include "harness/cli/judged_report.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/tensor_files.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "oracles/error.hpp"
#include "reports/context.hpp"
#include "reports/text_table.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

struct ScoreOptions {
    std::optional<std::string> contract;
    TensorPaths paths;
    std::string eps, expected;
    bool explain = false;
    bool infer = false;
    ReportOptions report;
};

std::string option_name(const char* tensor) {
    const std::string name = std::string("--") + tensor;
    return name == "--residual_out" ? "--residual-out,--residual_out" : name;
}

void add_options(CLI::App& app, ScoreOptions& options) {
    app.add_option("--contract", options.contract, "what the outputs are judged by (default: the metadata's)")
        ->type_name("WORDS");
    app.add_option("--tensors", options.paths.safetensors, "a .safetensors file with x, y and the others by name")
        ->type_name("FILE");
    for (size_t i = 0; i < tensor_names.size(); ++i) {
        app.add_option(option_name(tensor_names[i]), options.paths.npy[i], "this tensor from a .npy file")
            ->type_name("FILE");
    }
    app.add_option("--axis", options.paths.axis, "where the normalised axes begin (default -1)")
        ->type_name("K")
        ->check(whole_number(INT64_MIN, INT64_MAX));
    app.add_flag("--explain", options.explain, "show failing and worst elements in full");
    app.add_flag("--infer", options.infer, "find the contracts that the outputs obey; words of --contract are fixed");
    app.add_option("--eps", options.eps, "further epsilons for --infer, as in 1e-4,3e-5")->type_name("LIST");
    app.add_option("--expect", options.expected, "exit with 0 if this is the verdict, else with 1")
        ->type_name("VERDICT");
    add_report_options(app, options.report);
}

void require_one_source(const TensorPaths& paths) {
    for (size_t i = 0; i < tensor_names.size(); ++i) {
        if (paths.safetensors.empty() || paths.npy[i].empty()) continue;
        throw InputError(fmt::format(
            "--tensors and --{} exclude each other; expected one .safetensors file, or .npy files", tensor_names[i]));
    }
}

std::optional<Verdict> expected_verdict(const std::string& word) {
    if (word.empty()) return std::nullopt;
    std::string names;
    for (int i = 0; i < verdict_count; ++i) {
        const Verdict one = static_cast<Verdict>(i);
        if (word == name(one)) return one;
        names += (i == 0 ? "" : ", ") + std::string(name(one));
    }
    throw InputError(fmt::format("--expect: there is no verdict '{}'; expected one of {}", word, names));
}

/// The contract that was named, or that the file names.
std::string contract_words(const ScoreOptions& options, const Tensors& tensors) {
    if (options.contract) return *options.contract;
    if (const auto found = tensors.metadata.find("contract"); found != tensors.metadata.end()) return found->second;
    throw InputError(
        fmt::format("--contract is missing, and {} names none in its metadata; expected --contract WORDS, as "
                    "in 'layer eps=1e-5 beta=add', or --infer",
                    tensors.name));
}

int judge(const ScoreOptions& options, const Tensors& tensors, const std::string& command) {
    const std::optional<Verdict> expected = expected_verdict(options.expected);
    const Context context = make_context(std::nullopt, command);
    const Contract contract = tensors_contract(contract_words(options, tensors), tensors);
    JudgedCall call{tensors.name, tensors.name, contract, tensors.rows, tensors.cols, unjudged(tensors)};
    judge_rows(call, options.report.oracle);
    Report report = report_of(call);
    report.context = context;
    const Page page = output_page(options.report.width);
    const bool text = !options.report.quiet && options.report.json != "-";
    const Verdict found = verdict(report);
    const int status = deliver(std::move(report), options.report);
    if (options.explain && text) write_output('\n' + explanation(call, page));
    return expected ? (found == *expected ? 0 : 1) : status;
}

InferOptions infer_options(const ScoreOptions& options, const Tensors& tensors) {
    InferOptions result{options.contract.value_or(""), read_list(options.eps)};
    const auto recorded = tensors.metadata.find("eps");
    if (recorded != tensors.metadata.end()) result.eps.push_back(recorded->second);
    return result;
}

int infer_and_tell(const ScoreOptions& options, const Tensors& tensors) {
    if (!options.expected.empty())
        throw InputError("--expect and --infer exclude each other: inference gives no verdict");
    const std::vector<Candidate> candidates = infer(tensors, infer_options(options, tensors));
    if (!options.report.json.empty()) write_document(options.report.json, inference_json(candidates, tensors));
    const Page page = output_page(options.report.width);
    if (!options.report.quiet && options.report.json != "-") write_output(inference_text(candidates, tensors, page));
    const auto obeyed = [](const Candidate& candidate) { return candidate.standing == Standing::obeyed; };
    return std::ranges::any_of(candidates, obeyed) ? 0 : 1;
}

int run(const ScoreOptions& options, const std::string& command) {
    require_one_source(options.paths);
    if (options.contract) canonical_overrides(*options.contract);
    const Tensors tensors = read_tensors(options.paths, options.contract.value_or(""));
    return options.infer ? infer_and_tell(options, tensors) : judge(options, tensors, command);
}

constexpr Example examples[] = {
    {"normcheck score --tensors case.safetensors", "outputs recorded with their contract, as case --dump writes them"},
    {"normcheck score --tensors case.safetensors --contract 'rms reduce=lanes:16 x=f32' --explain",
     "the same held to a contract of your choice"},
    {"normcheck score --tensors case.safetensors --infer --contract x=f32", "the contracts that the outputs obey"},
    {"normcheck score --contract 'rms x=bf16' --x exported/000-case.x.npy --gamma exported/000-case.gamma.npy --y "
     "y.npy",
     "exported inputs and the y that a kernel elsewhere made of them"},
};

}  // namespace

Verb add_score(CLI::App& app) {
    const auto options = std::make_shared<ScoreOptions>();
    CLI::App* verb = app.add_subcommand("score", "judge recorded inputs and outputs, or infer the contract they obey");
    add_options(*verb, *options);
    return {verb, [options](const std::string& command) { return run(*options, command); }, examples};
}

}  // namespace normcheck
