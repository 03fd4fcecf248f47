// The report as Markdown for a pull request: short, since it is read between other comments.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "reports/escape.hpp"
#include "reports/numbers.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

constexpr size_t findings_shown = 5;
constexpr size_t changes_shown = 10;
constexpr size_t rows_shown = 12;  // of the table: beyond, only what did not pass

std::string peak_cell(const std::optional<Peak>& peak) {
    return peak ? show_error(peak->value) : "-";
}

std::string table_row(const KernelReport& kernel) {
    const Cell all = whole(kernel);
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name(verdict(kernel)), cell_code(kernel.kernel),
                       format(kernel.format).name, row_count(all), peak_cell(all.row_error),
                       show_percent(all.correctly_rounded, all.outputs), peak_cell(all.slack), finding_count(kernel));
}

std::string table(const Report& report) {
    if (report.kernels.empty()) return "";
    const bool all = report.kernels.size() <= rows_shown;
    std::string rows;
    size_t left_out = 0;
    for (const KernelFormats& kernel : kernels_of(report)) {
        for (const KernelReport* one : kernel.formats) {
            const bool shown = all || verdict(*one) != Verdict::pass;
            if (shown) rows += table_row(*one);
            left_out += shown ? 0 : 1;
        }
    }
    const std::string head =
        "| verdict | kernel | format | rows | row error [ulp] | correctly rounded [%] | slack | findings |\n"
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n";
    const std::string rest =
        left_out == 0
            ? ""
            : fmt::format("\n{} more passed.\n", show_count(left_out, "kernel and format", "kernels and formats"));
    return (rows.empty() ? "" : head + rows) + rest + '\n';
}

std::string indented(const std::string& block) {
    std::string result = "  ";
    for (size_t i = 0; i < block.size(); ++i) {
        result += block[i];
        if (block[i] == '\n' && i + 1 < block.size()) result += "  ";
    }
    return result;
}

std::string case_block(const std::string& case_line, const std::string& options) {
    return case_line.empty() ? "" : '\n' + indented(code_block(rerun_command(case_line, options), "sh"));
}

std::string change_item(const Change& change, const std::string& options) {
    return fmt::format("- **{}** {}: {}\n{}", name(change.trend), code_span(subject(change)),
                       escape_markdown(change.what), case_block(change.case_line, options));
}

std::string changes_text(const Report& report) {
    const std::vector<const Change*> sorted = changes_by_trend(report);
    std::string result = sorted.empty() ? "" : "#### Changes\n\n";
    for (size_t i = 0; i < std::min(sorted.size(), changes_shown); ++i)
        result += change_item(*sorted[i], options_of(report, sorted[i]->kernel));
    if (sorted.size() > changes_shown) result += fmt::format("- and {} more\n", sorted.size() - changes_shown);
    return result.empty() ? "" : result + '\n';
}

std::string finding_item(const Finding& finding, const std::string& options) {
    const std::string place = place_of(finding);
    const std::string numbers = finding.numbers ? '\n' + indented(escape_markdown(numbers_of(finding))) + '\n' : "";
    return fmt::format("- **{}** {}: {}{}\n{}{}", name(finding.verdict), code_span(subject(finding)),
                       escape_markdown(finding.reason), place.empty() ? "" : " (" + code_span(place) + ")", numbers,
                       case_block(finding.case_line, options));
}

/// One finding of each kernel, format, reason and regime, then the others, as far as there is room.
std::vector<const Finding*> most_telling(const Report& report) {
    std::set<std::tuple<std::string, FormatId, std::string, std::optional<Regime>>> kinds;
    std::vector<const Finding*> first, rest;
    for (const Finding& one : report.findings)
        (kinds.emplace(one.kernel, one.format, one.reason, one.regime).second ? first : rest).push_back(&one);
    first.insert(first.end(), rest.begin(), rest.end());
    first.resize(std::min(first.size(), findings_shown));
    return first;
}

std::string findings_text(const Report& report) {
    const int64_t all = finding_count(report);
    if (all == 0) return "";
    std::string result = "#### Findings\n\n";
    const std::vector<const Finding*> shown = most_telling(report);
    for (const Finding* one : shown) result += finding_item(*one, options_of(report, *one));
    const int64_t more = all - static_cast<int64_t>(shown.size());
    if (more > 0) result += fmt::format("- and {} more\n", more);
    return result + '\n';
}

std::string context_text(const Context& context) {
    const std::string seed = context.seed ? fmt::format(", seed {}", *context.seed) : "";
    return fmt::format("{}, normcheck {}{}, {:.0f} s\n", code_span(context.command), escape_markdown(context.version),
                       seed, context.seconds);
}

}  // namespace

std::string to_markdown(const Report& raw) {
    const Report report = printable(raw);
    return fmt::format("**{}**\n\n{}\n\n", escape_markdown(verdict_sentence(report)), counts_sentence(report)) +
           table(report) + changes_text(report) + findings_text(report) + context_text(report.context);
}

}  // namespace normcheck
