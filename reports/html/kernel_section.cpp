// The part of a page about one kernel; see kernel_section.hpp.
#include "reports/html/kernel_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "reports/escape.hpp"
#include "reports/html/svg.hpp"
#include "reports/html/tables.hpp"
#include "reports/numbers.hpp"
#include "reports/text_blocks.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

constexpr size_t findings_open = 3;  // of each format, each of another kind; the others are folded away
constexpr size_t reasons_shown = 8;

std::string peak_text(const std::optional<Peak>& peak) {
    return peak ? show_error(peak->value) : "-";
}

const char* format_name(const KernelReport& report) {
    return format(report.format).name;
}

// What it promises and what ran.

std::string facts(const KernelFormats& kernel) {
    std::string result = "<dl>\n";
    for (const KernelReport* one : kernel.formats) {
        const std::string asked = asked_sentence(*one);
        result += fmt::format("<dt>{} {}</dt><dd><code>{}</code><br><small>{}{}</small></dd>\n", format_name(*one),
                              verdict_word(verdict(*one)), escape_html(one->contract), escape_html(ran_sentence(*one)),
                              asked.empty() ? "" : "; " + escape_html(asked));
    }
    return result + "</dl>\n";
}

// Findings.

std::string numbers_list(const Finding& finding) {
    if (!finding.numbers) return "";
    const Comparison& numbers = *finding.numbers;
    const int digits = format(finding.format).bits() / 4;
    const auto coded = [&](const CodedValue& v) {
        return fmt::format("<code>{}</code> <small>({:0{}x})</small>", escape_html(v.value), v.code, digits);
    };
    return fmt::format(
        "<dl><dt>got</dt><dd>{}, error {} ulp</dd><dt>target</dt><dd>{}</dd><dt>admissible</dt><dd>{} to "
        "{}</dd></dl>\n",
        coded(numbers.got), show_error(numbers.error), coded(numbers.target), coded(numbers.lowest),
        coded(numbers.highest));
}

std::string finding_html(const Finding& finding, const std::string& options) {
    const std::string regime = finding.regime ? fmt::format(", {} row", name(*finding.regime)) : ", whole call";
    const std::string place = place_of(finding);
    return fmt::format("<div class=\"finding {}\">\n<p><span class=\"word\">{}</span> {}{}: {}{}</p>\n{}{}</div>\n",
                       name(finding.verdict), verdict_word(finding.verdict), format(finding.format).name, regime,
                       escape_html(finding.reason),
                       place.empty() ? "" : fmt::format(" <small>({})</small>", escape_html(place)),
                       numbers_list(finding), copy_block(finding.case_line, options));
}

/// The first findings of every kind (reason and regime), as many as are shown unfolded.
std::vector<const Finding*> most_telling(const std::vector<const Finding*>& found) {
    std::set<std::pair<std::string, std::optional<Regime>>> kinds;
    std::vector<const Finding*> result;
    for (const Finding* one : found)
        if (kinds.emplace(one->reason, one->regime).second && result.size() < findings_open) result.push_back(one);
    return result;
}

/// Where there are more findings than are kept, or than are unfolded.
std::string further_findings(const std::string& folded, size_t folded_count, int64_t not_kept, int64_t cap) {
    std::string result;
    if (folded_count > 0)
        result += html_details(fmt::format("{} more", show_count(folded_count, "finding", "findings")), folded);
    if (not_kept > 0)
        result +=
            fmt::format("<p><small>{} are counted and not kept: the {} most telling of each format are.</small></p>\n",
                        not_kept, cap);
    return result;
}

std::string findings_html(const Report& report, const KernelFormats& kernel) {
    std::string open, folded;
    int64_t all = 0;
    size_t kept = 0, shown = 0;
    for (const KernelReport* one : kernel.formats) {
        const std::vector<const Finding*> found = findings_of(report, *one);
        const std::vector<const Finding*> first = most_telling(found);
        all += finding_count(*one);
        kept += found.size();
        shown += first.size();
        for (const Finding* finding : found)
            (std::ranges::find(first, finding) == first.end() ? folded : open) +=
                finding_html(*finding, options_of(report, *finding));
    }
    if (all == 0) return "";
    return fmt::format("<h3>{}</h3>\n", show_count(static_cast<uint64_t>(all), "finding", "findings")) + open +
           further_findings(folded, kept - shown, all - static_cast<int64_t>(kept), report.finding_cap);
}

// Figures.

std::string heat_key() {
    std::string result = "<ul class=\"key\" aria-label=\"colours, by row error in ulp\">";
    for (size_t i = 0; i < static_cast<size_t>(heat_count); ++i)
        result += fmt::format("<li><i class=\"f-{}\"></i>{} ulp</li>",
                              class_of(static_cast<Ink>(static_cast<size_t>(Ink::heat0) + i)), heat_label(i));
    return result + "<li>&#215; rows that fail</li></ul>\n";
}

std::string figure_html(const Figure& figure, const std::string& svg) {
    return fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}{}{}</figure>\n", escape_html(figure.title), svg,
                       figure.colours && !svg.empty() ? heat_key() : "", html_details("Numbers", figure.table));
}

std::string figures_html(const std::vector<Figure>& figures, const std::vector<std::string>& svgs) {
    if (figures.empty()) return "";
    std::string result = "<div class=\"figures\">\n";
    for (size_t i = 0; i < figures.size(); ++i) result += figure_html(figures[i], svgs.empty() ? "" : svgs[i]);
    return result + "</div>\n";
}

// Tables.

std::vector<Verdict> verdicts_with_rows(const KernelReport& report) {
    std::vector<Verdict> result;
    const Cell all = whole(report);
    for (int i = 0; i < verdict_count; ++i)
        if (all.rows[static_cast<size_t>(i)] > 0) result.push_back(static_cast<Verdict>(i));
    return result;
}

std::string worst_html(const Cell& cell) {
    if (!cell.row_error) return "";
    const Peak& peak = *cell.row_error;
    const std::string place = peak.element < 0 ? "" : fmt::format(", y[{}]", peak.element);
    return fmt::format("<span class=\"line\"><code>{}</code> <small>row {}{}</small></span>",
                       escape_html(peak.case_line), peak.row, place);
}

std::vector<std::string> regime_row(const KernelReport& report, const RegimeInfo& info,
                                    const std::vector<Verdict>& verdicts) {
    const Cell& cell = report.cells[static_cast<size_t>(info.regime)];
    std::vector<std::string> row{fmt::format("<span title=\"{}\">{}</span>", escape_html(info.meaning), info.name),
                                 fmt::to_string(row_count(cell))};
    for (const Verdict one : verdicts) {
        const int64_t rows = count(cell.rows, one);
        row.push_back(rows > 0 && one != Verdict::pass ? fmt::format("<span class=\"{}\">{}</span>", name(one), rows)
                                                       : fmt::to_string(rows));
    }
    row.insert(row.end(),
               {peak_text(cell.row_error), peak_text(cell.element_error),
                show_percent(cell.correctly_rounded, cell.outputs), peak_text(cell.slack), worst_html(cell)});
    return row;
}

std::string regime_table(const KernelReport& report) {
    const std::vector<Verdict> verdicts = verdicts_with_rows(report);
    HtmlTable table{fmt::format("{} {}, by regime", report.kernel, format_name(report)), {"regime", "rows"}, {}};
    for (const Verdict one : verdicts) table.heads.emplace_back(name(one));
    table.heads.insert(table.heads.end(), {"row error [ulp]", "element error [ulp]", "correctly rounded [%]", "slack",
                                           "largest row error in"});
    table.numbers_to = table.heads.size() - 1;
    for (const RegimeInfo& info : regimes()) table.rows.push_back(regime_row(report, info, verdicts));
    return html_table(table);
}

void add_reasons(std::string& list, const char* word, const ReasonCounts& reasons, const char* one, const char* many,
                 const std::vector<const Finding*>& findings) {
    std::vector<std::pair<int64_t, std::string>> sorted;
    for (const auto& [reason, times] : reasons) sorted.emplace_back(-times, reason);
    std::ranges::sort(sorted);
    for (size_t i = 0; i < std::min(sorted.size(), reasons_shown); ++i)
        list += fmt::format("<dt class=\"{0}\">{0}</dt><dd>{1}</dd>\n", word,
                            escape_html(counted_reason(-sorted[i].first, one, many, sorted[i].second, findings)));
    if (sorted.size() > reasons_shown)
        list += fmt::format("<dt>{}</dt><dd>and {} rarer reasons</dd>\n", word, sorted.size() - reasons_shown);
}

std::string reasons_html(const KernelReport& report, const std::vector<const Finding*>& findings) {
    std::string list;
    add_reasons(list, "fail", report.broken_rules, "call", "calls", findings);
    for (int i = 0; i < verdict_count; ++i) {
        const Verdict one = static_cast<Verdict>(i);
        const bool calls = one == Verdict::unsupported;
        add_reasons(list, name(one), report.reasons[static_cast<size_t>(i)], calls ? "call" : "row",
                    calls ? "calls" : "rows", {});
    }
    return list.empty() ? "" : fmt::format("<dl>\n{}</dl>\n", list);
}

std::string properties_html(const KernelReport& report) {
    if (report.properties.empty()) return "";
    HtmlTable table{fmt::format("{} {}, properties", report.kernel, format_name(report)),
                    {"property", "held", "violated", "did not apply"},
                    {}};
    for (const auto& [property, counts] : report.properties)
        table.rows.push_back({escape_html(property), fmt::to_string(counts.held), fmt::to_string(counts.violated),
                              fmt::to_string(counts.not_applicable)});
    return html_details("Properties", html_table(table));
}

std::string speeds_html(const KernelReport& report) {
    if (report.speeds.empty()) return "";
    HtmlTable table{
        fmt::format("{} {}, speed", report.kernel, format_name(report)),
        {"rows x columns", "threads", "median [us]", "fastest to slowest [us]", "GB/s", "of a copy [%]", "conditions"},
        {}};
    table.numbers_to = 6;
    for (const Speed& one : report.speeds)
        table.rows.push_back({fmt::format("{} x {}", one.rows, one.cols), fmt::to_string(one.threads),
                              fmt::format("{:.1f}", 1e6 * one.seconds),
                              fmt::format("{:.1f} to {:.1f}", 1e6 * one.fastest, 1e6 * one.slowest),
                              fmt::format("{:.2f}", 1e-9 * static_cast<double>(one.bytes) / one.seconds),
                              fmt::format("{:.0f}", 100 * one.copy_seconds / one.seconds),
                              escape_html(one.conditions)});
    return fmt::format("<h3>Speed, {}</h3>\n", format_name(report)) + html_table(table);
}

std::string format_html(const Report& whole, const KernelReport& report) {
    const std::string content =
        regime_table(report) + reasons_html(report, findings_of(whole, report)) + properties_html(report);
    const std::string summary = fmt::format("{} by regime: {}", format_name(report), name(verdict(report)));
    return html_details(summary, content, verdict(report) != Verdict::pass) + speeds_html(report);
}

}  // namespace

std::string verdict_word(Verdict verdict) {
    return fmt::format("<span class=\"word {0}\">{0}</span>", name(verdict));
}

std::string copy_block(const std::string& case_line, const std::string& options) {
    if (case_line.empty()) return "";
    return fmt::format("<pre class=\"copy\">{}</pre>\n", escape_html(rerun_command(case_line, options)));
}

std::string kernel_section(const Report& report, const KernelFormats& kernel, const std::vector<Figure>& figures,
                           const std::vector<std::string>& svgs, const std::string& id) {
    std::string result = fmt::format("<section class=\"kernel\" id=\"{}\">\n<h2>{} {}</h2>\n", id,
                                     escape_html(kernel.kernel), verdict_word(kernel.verdict));
    result += facts(kernel) + findings_html(report, kernel) + figures_html(figures, svgs);
    for (const KernelReport* one : kernel.formats) result += format_html(report, *one);
    return result + "</section>\n";
}

}  // namespace normcheck
