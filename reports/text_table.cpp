// The report as text for a terminal; see text_table.hpp.
#include "reports/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/escape.hpp"
#include "reports/layout.hpp"
#include "reports/numbers.hpp"
#include "reports/summary.hpp"
#include "reports/text_blocks.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

/// How a case is rerun where that takes options; each way once.
std::string rerun_text(const Report& report, const Page& page) {
    std::set<std::string> ways;
    for (const KernelReport& kernel : report.kernels)
        if (!kernel.options.empty()) ways.insert(kernel.options);
    std::string result;
    for (const std::string& way : ways) result += paragraph("a case    ", "normcheck case 'LINE' " + way, page);
    return result;
}

std::string context_text(const Report& report, const Page& page) {
    const Context& context = report.context;
    const std::string machine = fmt::format("{}, {}", context.cpu, show_count(context.cores, "core", "cores"));
    const std::string seed = context.seed ? fmt::format(", seed {}", *context.seed) : "";
    return paragraph("command   ", context.command, page) + rerun_text(report, page) +
           paragraph("normcheck ", context.version + seed, page) + paragraph("machine   ", machine, page) +
           paragraph("compiler  ", fmt::format("{}, {}", context.compiler, context.flags), page) +
           paragraph("started   ", fmt::format("{}, took {:.1f} s", context.started, context.seconds), page);
}

std::string findings_text(const Report& report, const Page& page) {
    const int64_t found = finding_count(report);
    if (found == 0) return "";
    const int64_t shown = static_cast<int64_t>(report.findings.size());
    const std::string some =
        shown < found ? fmt::format(", the {} most telling of each kernel and format shown", report.finding_cap) : "";
    std::string result = paint(show_count(found, "finding", "findings"), Style::bold, page) + some + "\n\n";
    for (const Finding& finding : report.findings) result += finding_text(finding, page) + '\n';
    return result;
}

std::string row_totals(const VerdictCounts& counts) {
    std::string result;
    for (int i = 0; i < verdict_count; ++i) {
        const Verdict verdict = static_cast<Verdict>(i);
        const bool always = verdict == Verdict::pass || verdict == Verdict::fail;
        if (verdict == Verdict::unsupported || (!always && count(counts, verdict) == 0)) continue;
        result += fmt::format("{}{} {}", result.empty() ? "" : ", ", count(counts, verdict), name(verdict));
    }
    return result;
}

std::string total_text(const Report& report, const Page& page) {
    const VerdictCounts counts = totals(report);
    const int64_t refused = count(counts, Verdict::unsupported);
    const std::string refusals = refused > 0 ? fmt::format(" ({} more unsupported)", refused) : "";
    const auto counted = [](int64_t number, const char* one, const char* many) {
        return show_count(static_cast<uint64_t>(number), one, many);
    };
    const auto worse = std::ranges::count(report.changes, Trend::worse, &Change::trend);
    const std::string worsened = worse > 0 ? fmt::format("; {} worse than before", worse) : "";
    const std::string text = fmt::format(
        "{}{}; rows: {}; {}{}; exit status {}", counted(case_count(report), "case", "cases"), refusals,
        row_totals(counts), counted(finding_count(report), "finding", "findings"), worsened, exit_status(report));
    const Verdict all = verdict(report);
    const bool only_worse = all == Verdict::pass && worse > 0;  // than before: all that it does is admissible
    const std::string word = only_worse ? "worse" : name(all);
    return paint_first(paragraph(word + "  ", text, page), word, only_worse ? Verdict::fail : all, page);
}

std::string without_pass_text(const Report& report, const Page& page) {
    std::string names;
    for (const std::string& kernel : kernels_without_pass(report)) names += (names.empty() ? "" : ", ") + kernel;
    return names.empty() ? "" : paragraph("no pass at all: ", names, page);
}

}  // namespace

std::string to_text(const Report& raw, int columns, bool color) {
    const Report report = printable(raw);
    const Page page{std::max(columns, 40), color};
    std::string result = context_text(report, page) + '\n';
    for (const KernelReport& kernel : report.kernels)
        result += kernel_text(kernel, findings_of(report, kernel), page) + '\n';
    return result + findings_text(report, page) + changes_text(report, page) + without_pass_text(report, page) +
           total_text(report, page);
}

}  // namespace normcheck
