// The report as a page that needs nothing else: it opens on the verdict, then has a table of the kernels, then a
// section for each. Nothing is fetched and no script runs; the policy in its head forbids both.
#include <fmt/format.h>

#include <algorithm>

#include "reports/escape.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/gnuplot.hpp"
#include "reports/html/kernel_section.hpp"
#include "reports/html/style.hpp"
#include "reports/html/svg.hpp"
#include "reports/html/tables.hpp"
#include "reports/numbers.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

/// The largest value over the regimes, and the regime.
std::string peak_and_regime(const KernelReport& report, std::optional<Peak> Cell::* peak) {
    const RegimeInfo* largest = nullptr;
    const auto value = [&](const RegimeInfo& info) { return report.cells[static_cast<size_t>(info.regime)].*peak; };
    for (const RegimeInfo& info : regimes())
        if (value(info) && (largest == nullptr || value(info)->value > value(*largest)->value)) largest = &info;
    if (largest == nullptr) return "-";
    return fmt::format("<small>{}</small> {}", largest->name, show_error(value(*largest)->value));
}

std::string head(const Report& report) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<title>Normcheck: {}</title>\n<style>{}</style>\n</head>\n<body>\n",
        name(verdict(report)), page_style);
}

std::string opening(const Report& report) {
    const Context& context = report.context;
    return fmt::format(
        "<header>\n<h1 class=\"{}\">{}</h1>\n<p>{}</p>\n<p class=\"soft\"><code>{}</code><br>{}, {:.1f} s, exit status "
        "{}</p>\n</header>\n",
        exit_status(report) == 0 ? name(verdict(report)) : "fail", escape_html(verdict_sentence(report)),
        escape_html(counts_sentence(report)), escape_html(context.command), escape_html(context.started),
        context.seconds, exit_status(report));
}

std::string change_html(const Change& change, const std::string& options) {
    return fmt::format("<div class=\"finding {0}\"><p><span class=\"word {0}\">{0}</span> {1}: {2}</p>\n{3}</div>\n",
                       name(change.trend), escape_html(subject(change)), escape_html(change.what),
                       copy_block(change.case_line, options));
}

std::string changes_html(const Report& report) {
    if (report.changes.empty()) return "";
    const std::vector<const Change*> sorted = changes_by_trend(report);
    std::string result = "<h2>Changes</h2>\n";
    for (const Change* one : sorted) result += change_html(*one, options_of(report, one->kernel));
    return result;
}

std::string section_id(size_t index) {
    return fmt::format("kernel-{}", index + 1);
}

std::vector<std::string> kernel_row(const KernelReport& report, const std::string& id) {
    const Cell all = whole(report);
    const int64_t findings = finding_count(report);
    return {fmt::format("<a href=\"#{}\">{}</a>", id, escape_html(report.kernel)),
            format(report.format).name,
            verdict_word(verdict(report)),
            findings > 0 ? fmt::format("<span class=\"fail\">{}</span>", findings) : "0",
            peak_and_regime(report, &Cell::row_error),
            show_percent(all.correctly_rounded, all.outputs),
            peak_and_regime(report, &Cell::slack),
            show_thousands(row_count(all)),
            show_thousands(report.cases)};
}

std::string kernels_table(const std::vector<KernelFormats>& kernels) {
    HtmlTable table{"Kernels",
                    {"kernel", "format", "verdict", "findings", "row error [ulp]", "correctly rounded [%]", "slack",
                     "rows", "cases"},
                    {},
                    3};
    for (size_t i = 0; i < kernels.size(); ++i)
        for (const KernelReport* one : kernels[i].formats) table.rows.push_back(kernel_row(*one, section_id(i)));
    return "<h2>Kernels</h2>\n" + html_table(table);
}

std::string reading_html() {
    std::string regime_list;
    for (const RegimeInfo& info : regimes())
        regime_list += fmt::format("<dt>{}</dt><dd>{}</dd>\n", info.name, escape_html(info.meaning));
    std::string verdict_list;
    for (int i = 0; i < verdict_count; ++i)
        verdict_list += fmt::format("<dt>{}</dt><dd>{}</dd>\n", verdict_word(static_cast<Verdict>(i)),
                                    escape_html(meaning(static_cast<Verdict>(i))));
    return html_details("How to read this page",
                        "<dl><dt>row error</dt><dd>largest error in a row, in ulp of the row's largest exact output; "
                        "0.5 is the best that "
                        "rounding allows</dd>\n<dt>element error</dt><dd>largest error of one output, in its own ulp, "
                        "over outputs that are not "
                        "cancelled</dd>\n<dt>slack</dt><dd>share used of the room that the contract leaves: 0 is "
                        "correctly rounded, 1 the edge of "
                        "what is admissible</dd></dl>\n<p class=\"soft\">Verdicts</p><dl>" +
                            verdict_list + "</dl>\n<p class=\"soft\">Regimes, the first that applies</p><dl>" +
                            regime_list + "</dl>\n");
}

std::string closing(const Report& report) {
    const Context& context = report.context;
    const std::string seed = context.seed ? fmt::format("<dt>seed</dt><dd>{}</dd>", *context.seed) : "";
    return fmt::format(
        "<footer>\n{}<dl><dt>normcheck</dt><dd>{}</dd>{}<dt>machine</dt><dd>{}, {}</dd><dt>compiler</dt><dd>{}, {}</dd>"
        "<dt>record schema</dt><dd>{}</dd></dl>\n</footer>\n</body>\n</html>\n",
        reading_html(), escape_html(context.version), seed, escape_html(context.cpu),
        show_count(static_cast<uint64_t>(context.cores), "core", "cores"), escape_html(context.compiler),
        escape_html(context.flags), context.schema);
}

/// The figures of all kernels, drawn in one run.
struct Gallery {
    std::vector<std::vector<Figure>> figures;
    std::vector<std::vector<std::string>> svgs;  // empty for each kernel where nothing was drawn
    std::string problem;

    explicit Gallery(const std::vector<KernelFormats>& kernels) {
        std::vector<Sketch> sketches;
        for (const KernelFormats& kernel : kernels) {
            for (const Figure& one : figures.emplace_back(figures_of(kernel))) sketches.push_back(one.sketch);
        }
        const Drawings drawings = draw(sketches);
        problem = drawings.problem;
        size_t next = 0;
        for (const std::vector<Figure>& own : figures) {
            std::vector<std::string>& drawn = svgs.emplace_back();
            for (const Figure& one : own) {
                if (!problem.empty()) continue;
                drawn.push_back(
                    inline_svg(drawings.files[next], fmt::format("figure-{}", next + 1), one.title, one.description));
                ++next;
            }
        }
    }
};

}  // namespace

std::string to_html(const Report& raw) {
    const Report report = printable(raw);
    const std::vector<KernelFormats> kernels = kernels_of(report);
    const Gallery gallery(kernels);
    std::string result = head(report) + opening(report) + changes_html(report) + kernels_table(kernels);
    if (!gallery.problem.empty())
        result += fmt::format(
            "<p class=\"note\">This page has no figures: {}. The tables under each caption hold their numbers.</p>\n",
            escape_html(gallery.problem));
    for (size_t i = 0; i < kernels.size(); ++i)
        result += kernel_section(report, kernels[i], gallery.figures[i], gallery.svgs[i], section_id(i));
    return result + closing(report);
}

}  // namespace normcheck
