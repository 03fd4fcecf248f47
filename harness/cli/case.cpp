// The verb `case`: reruns one case from its line, and tells more of it than a report does.
#include "harness/cases/case.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/check/check.hpp"
#include "harness/cli/judged_report.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/tensors.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/properties/property_stage.hpp"
#include "oracles/error.hpp"
#include "reports/context.hpp"
#include "reports/numbers.hpp"
#include "reports/text_blocks.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

constexpr int64_t rows_shown = 16;

struct CaseOptions {
    std::string line, kernel, dump;
    bool explain = false;
    std::vector<const PropertyInfo*> properties;
    OutsideOptions outside;
    ReportOptions report;
};

void add_options(CLI::App& app, CaseOptions& options) {
    app.add_option("LINE", options.line, "the case, as reports print it")->required();
    app.add_option("--kernel", options.kernel, "run this kernel, whatever the line names")->type_name("NAME");
    app.add_flag("--explain", options.explain, "show failing and worst elements in full");
    app.add_option("--dump", options.dump, "write inputs and outputs to this .safetensors file")->type_name("FILE");
    app.add_option_function<std::string>(
           "--properties", [&options](const std::string& list) { options.properties = read_properties(list); },
           "ask these properties of the case: all, or names (see: list properties)")
        ->type_name("LIST")
        ->take_last();
    add_outside_options(app, options.outside);
    add_report_options(app, options.report);
}

Case read_case(const CaseOptions& options) {
    Case c = parse_case(options.line);
    if (!options.kernel.empty()) c.kernel = options.kernel;
    if (!c.kernel.empty()) return c;
    throw InputError(fmt::format(
        "case '{}' names no kernel; expected kernel=NAME in it, or --kernel NAME (see: normcheck list kernels)",
        options.line));
}

std::string row_text(const RowResult& row, int64_t index, const Page& page) {
    const std::string word = name(row.verdict);
    std::string text = fmt::format("{}, {} row", word, name(row.regime));
    if (!row.reason.empty()) text += ": " + row.reason;
    if (row.verdict != Verdict::outside) {
        const std::string error = row.row_error ? show_error(*row.row_error) + " ulp" : "none";
        text += fmt::format("; row error {}, element error {} ulp, slack {}, correctly rounded {} %", error,
                            show_error(row.element_error), show_error(row.slack),
                            show_percent(row.correctly_rounded, row.outputs));
    }
    return paragraph(fmt::format("row {:<3} ", index), text, page);
}

/// All rows where they are few; else those that did not pass, as far as there is room.
std::string rows_text(const std::vector<RowResult>& rows, const Page& page) {
    const bool all = std::ssize(rows) <= rows_shown;
    std::string text;
    int64_t shown = 0;
    for (int64_t i = 0; i < std::ssize(rows) && shown < rows_shown; ++i) {
        const RowResult& row = rows[static_cast<size_t>(i)];
        if (!all && row.verdict == Verdict::pass) continue;
        text += row_text(row, i, page);
        ++shown;
    }
    if (shown < std::ssize(rows)) text += fmt::format("{} rows are not shown\n", std::ssize(rows) - shown);
    return text;
}

/// The call that breaks a property beside the case's own. One with many inline values is a long line.
std::string witness_text(const Case& witness, bool whole) {
    constexpr size_t longest = 240;
    const std::string line = print(witness);
    if (whole || line.size() <= longest) return fmt::format("'{}'", line);
    return fmt::format("a call of {} x {} whose line has {} characters (--explain shows it)", witness.rows,
                       witness.cols, line.size());
}

/// Asks the properties, takes the answers into the report and tells them, each with the witness of a violation.
std::string ask_properties(Report& report, const Case& c, FormatId format, const CaseOptions& options,
                           const Page& page) {
    const Job job{&kernel_named(c.kernel), {c}, format};
    std::string text;
    for (const PropertyInfo* property : options.properties) {
        const PropertyResult answer = property->check(*job.kernel, c);
        record(report, job, c, 0, *property, answer);
        std::string told = "held";
        if (answer.status == PropertyResult::Status::not_applicable) told = "does not apply: " + answer.reason;
        if (answer.status == PropertyResult::Status::violated)
            told = fmt::format("violated: {}; beside {}", answer.reason, witness_text(answer.witness, options.explain));
        text += paragraph("property  ", fmt::format("{}: {}", property->name, told), page);
    }
    return text;
}

std::string total_text(const Report& report, const Page& page) {
    const VerdictCounts counts = totals(report);
    std::string text;
    for (int i = 0; i < verdict_count; ++i) {
        const Verdict one = static_cast<Verdict>(i);
        if (count(counts, one) == 0) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count(counts, one), name(one));
    }
    const std::string word = name(verdict(report));
    if (text.empty()) text = "no rows";
    return paint_first(paragraph(word + "  ", fmt::format("rows: {}; exit status {}", text, exit_status(report)), page),
                       word, verdict(report), page);
}

std::string case_text(const JudgedCall& call, const Report& report, const std::string& properties, bool explain,
                      const Page& page) {
    std::string text =
        paragraph("case      ", call.case_line, page) + paragraph("contract  ", print(call.contract), page) + '\n';
    if (call.result.refusal) text += paragraph("refused   ", *call.result.refusal, page);
    for (const std::string& rule : call.result.broken_rules) text += paragraph("broken    ", rule, page);
    text += rows_text(call.result.rows, page) + properties + '\n';
    if (explain) text += explanation(call, page) + '\n';
    if (!explain)
        for (const Finding& finding : report.findings) text += finding_text(finding, page) + '\n';
    return text + total_text(report, page);
}

JudgedCall run_case(const Case& c, Oracle oracle) {
    const nc_kernel& kernel = kernel_named(c.kernel);
    return {c.kernel, print(c), case_contract(&kernel, c), c.rows, c.cols, check_case(kernel, c, oracle)};
}

void dump(const Case& c, const JudgedCall& call, const std::string& path) {
    if (call.result.refusal)
        throw InputError(fmt::format("--dump: the kernel refused the call: {}", *call.result.refusal));
    write_safetensors(path, to_safetensors(c, call.contract, call.result.inputs, call.result.outputs));
}

int run(const CaseOptions& options, const std::string& command) {
    const Case c = read_case(options);
    Context context = make_context(c.seed, command);
    load_outside(options.outside);
    const JudgedCall call = run_case(c, options.report.oracle);
    if (!options.dump.empty()) dump(c, call, options.dump);
    Report report = report_of(call);
    report.context = context;
    for (KernelReport& kernel : report.kernels) kernel.options = outside_words(options.outside);
    report.strict = options.report.strict;
    const Page page = output_page(options.report.width);
    const std::string properties = ask_properties(report, c, call.contract.x, options, page);
    write_report_document(report, options.report);
    if (!options.report.quiet && options.report.json != "-")
        write_output(case_text(call, report, properties, options.explain, page));
    return exit_status(report);
}

constexpr Example examples[] = {
    {"normcheck case 'kernel=cpu/rms x=bf16 rows=2 cols=8 eps=1e-5' --explain",
     "what is known of the worst elements: target, admissible set, error"},
    {"normcheck case 'kernel=faulty/rms_eps_outside x=bf16 fill=bits:3c80 gamma_fill=absent' --properties eps_response",
     "a case that fails, and what a property says of it"},
    {"normcheck case 'x=f32 cols=64' --kernel cpu/rms --dump case.safetensors",
     "the same inputs for another kernel, and all tensors in a file"},
};

}  // namespace

Verb add_case(CLI::App& app) {
    const auto options = std::make_shared<CaseOptions>();
    CLI::App* verb = app.add_subcommand("case", "rerun one case from its line");
    add_options(*verb, *options);
    return {verb, [options](const std::string& command) { return run(*options, command); }, examples};
}

}  // namespace normcheck
