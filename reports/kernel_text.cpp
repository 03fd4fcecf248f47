// One kernel and format as text: what it promises, a table with one line per regime, and the reasons behind the counts.
#include <fmt/format.h>

#include <algorithm>

#include "reports/numbers.hpp"
#include "reports/summary.hpp"
#include "reports/text_blocks.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

Column regime_column() {
    Column column{"regime", {}, true};
    for (const RegimeInfo& info : regimes()) column.entries.push_back({info.name});
    return column;
}

template <typename Show>
Column column_of(const KernelReport& report, const char* head, Show show) {
    Column column{head, {}};
    for (const Cell& cell : report.cells) column.entries.push_back(show(cell));
    return column;
}

bool any_rows(const KernelReport& report, Verdict verdict) {
    return std::ranges::any_of(report.cells, [&](const Cell& cell) { return count(cell.rows, verdict) > 0; });
}

Columns count_columns(const KernelReport& report) {
    Columns columns{column_of(report, "rows", [](const Cell& cell) { return Entry{fmt::to_string(row_count(cell))}; })};
    for (const Verdict verdict :
         {Verdict::pass, Verdict::fail, Verdict::suspect, Verdict::outside, Verdict::doubtful}) {
        if (!any_rows(report, verdict)) continue;
        columns.push_back(column_of(report, name(verdict), [&](const Cell& cell) {
            const int64_t rows = count(cell.rows, verdict);
            return Entry{fmt::to_string(rows), rows > 0 ? style_of(verdict) : Style::dim};
        }));
    }
    return columns;
}

Entry peak_entry(const std::optional<Peak>& peak) {
    return {peak ? show_error(peak->value) : "-"};
}

bool any_absolute(const KernelReport& report) {
    return std::ranges::any_of(report.cells,
                               [](const Cell& cell) { return cell.absolute_error && cell.absolute_error->value > 0; });
}

Columns error_columns(const KernelReport& report) {
    Columns columns{
        column_of(report, "row\nerror\n[ulp]", [](const Cell& cell) { return peak_entry(cell.row_error); }),
        column_of(report, "element\nerror\n[ulp]", [](const Cell& cell) { return peak_entry(cell.element_error); }),
        column_of(report, "correctly\nrounded\n[%]",
                  [](const Cell& cell) { return Entry{show_percent(cell.correctly_rounded, cell.outputs)}; }),
        column_of(report, "slack", [](const Cell& cell) { return peak_entry(cell.slack); })};
    if (any_absolute(report))
        columns.push_back(column_of(report, "error\nnear 0\n[absolute]",
                                    [](const Cell& cell) { return peak_entry(cell.absolute_error); }));
    return columns;
}

std::string witness(const Cell& cell) {
    if (!cell.row_error) return "";
    const Peak& peak = *cell.row_error;
    return quoted(peak.case_line, peak.row, "y", peak.element);
}

constexpr std::string_view note_head = "largest row error in";

// Whether every note stands beside its row in one line; else all stand below, where a line is broken only at the page's
// end.
bool notes_fit(const Columns& table, const std::vector<std::string>& notes, const Page& page) {
    size_t longest = note_head.size();
    for (const std::string& note : notes) longest = std::max(longest, note.size());
    return width(table) + 2 + static_cast<int>(longest) <= page.columns;
}

std::string head_with_notes(const Columns& table, const Page& page) {
    std::string head = head_lines(table, page);
    head.pop_back();
    return head + paint(fmt::format("  {}", note_head), Style::bold, page) + '\n';
}

std::string row_with_note(const Columns& table, size_t index, const std::string& note, bool beside, const Page& page) {
    const std::string row = row_line(table, index, page);
    if (note.empty()) return row + '\n';
    if (beside) return row + "  " + paint(note, Style::dim, page) + '\n';
    return row + '\n' + paint_lines(paragraph("      worst ", note, page), Style::dim, page);
}

std::string empty_row(const Columns& table, size_t index, const Page& page) {
    const std::string regime = row_line({table.front()}, index, {page.columns, false});
    return paint(regime + "  no rows", Style::dim, page) + '\n';
}

// Regimes without rows stand in the first table only.
std::string rows_text(const KernelReport& report, const Columns& table, const std::vector<std::string>& notes,
                      bool first, const Page& page) {
    const bool beside = !notes.empty() && notes_fit(table, notes, page);
    std::string result = beside ? head_with_notes(table, page) : head_lines(table, page);
    for (size_t i = 0; i < report.cells.size(); ++i) {
        if (row_count(report.cells[i]) > 0) {
            result += row_with_note(table, i, notes.empty() ? "" : notes[i], beside, page);
        } else if (first) {
            result += empty_row(table, i, page);
        }
    }
    return result;
}

std::string table_text(const KernelReport& report, const Page& page) {
    const std::vector<Columns> tables =
        fold(regime_column(), {count_columns(report), error_columns(report)}, page.columns);
    std::vector<std::string> notes;
    for (const Cell& cell : report.cells) notes.push_back(witness(cell));
    std::string result;
    for (const Columns& table : tables) {
        const bool last = &table == &tables.back();
        result += rows_text(report, table, last ? notes : std::vector<std::string>{}, &table == &tables.front(), page);
    }
    return result;
}

std::string asked_text(const KernelReport& report, const Page& page) {
    const std::string asked = asked_sentence(report);
    return asked.empty() ? "" : paragraph("  asked     ", asked, page);
}

}  // namespace

std::string ran_sentence(const KernelReport& report) {
    const VerdictCounts counts = totals(report);
    const int64_t refused = count(counts, Verdict::unsupported);
    int64_t rows = -refused, outputs = 0, cancelled = 0;
    for (const int64_t number : counts) rows += number;
    for (const Cell& cell : report.cells) outputs += cell.outputs, cancelled += cell.cancelled;
    std::string result = show_count(report.cases, "case", "cases");
    if (refused > 0) result += fmt::format(" ({} more unsupported)", refused);
    if (report.skipped_cases > 0) result += fmt::format(" ({} more skipped)", report.skipped_cases);
    result += ", " + show_count(rows, "row", "rows");
    if (report.short_rows > 0) result += fmt::format(" ({} of fewer than 4 columns)", report.short_rows);
    result += ", " + show_count(outputs, "output", "outputs");
    if (cancelled > 0) result += fmt::format(" ({} cancelled)", cancelled);
    if (report.handed_over > 0) result += fmt::format(", {} left to the exact oracle", report.handed_over);
    return result;
}

std::string asked_sentence(const KernelReport& report) {
    PropertyCounts all;
    for (const auto& [property, counts] : report.properties) {
        all.held += counts.held;
        all.violated += counts.violated;
        all.not_applicable += counts.not_applicable;
    }
    const int64_t asked = all.held + all.violated;
    if (asked + all.not_applicable == 0) return "";
    std::string text = fmt::format("{} held", show_count(static_cast<uint64_t>(all.held), "check", "checks"));
    if (all.violated > 0) text += fmt::format(", {} violated", all.violated);
    return fmt::format("{}: {}, {} did not apply", show_count(report.properties.size(), "property", "properties"), text,
                       all.not_applicable);
}

std::string kernel_text(const KernelReport& report, const std::vector<const Finding*>& findings, const Page& page) {
    const Verdict all = verdict(report);
    const std::string lead = fmt::format("{}  ", name(all));
    const std::string title = fmt::format("{} {}", report.kernel, format(report.format).name);
    const bool any = std::ranges::any_of(report.cells, [](const Cell& cell) { return row_count(cell) > 0; });
    return paint_first(paragraph(lead, title, page), name(all), all, page) +
           paragraph("  contract  ", report.contract, page) + paragraph("  ran       ", ran_sentence(report), page) +
           asked_text(report, page) +
           (any ? table_text(report, page) : paint("  no rows in any regime", Style::dim, page) + '\n') +
           reasons_text(report, findings, page);
}

}  // namespace normcheck
