// Tables of measurements; see table.hpp.
#include "harness/bench/table.hpp"

#include <fmt/format.h>

namespace normcheck {

std::string table_text(const Column& first, const std::vector<Columns>& groups, const Page& page) {
    std::string text;
    for (const Columns& table : fold(first, groups, page.columns)) {
        text += head_lines(table, page);
        for (size_t i = 0; i < first.entries.size(); ++i) text += row_line(table, i, page) + '\n';
    }
    return text;
}

std::string show_three_digits(double value) {
    if (value >= 100) return fmt::format("{:.0f}", value);
    if (value >= 10) return fmt::format("{:.1f}", value);
    if (value >= 1) return fmt::format("{:.2f}", value);
    return value >= 1e-3 ? fmt::format("{:.3f}", value) : fmt::format("{:.2e}", value);
}

std::string targets_heading(bool judged, const Page& page) {
    return paint("targets", Style::bold, page) + (judged ? "\n" : ", not judged: a quick run is no measurement\n");
}

std::string target_line(std::optional<bool> met, const std::string& text, const std::string& got, const Page& page) {
    if (!met) return paragraph("  -  ", fmt::format("{}: {}", text, got), page);
    const std::string word = fmt::format("{:<6}", *met ? "met" : "missed");
    const std::string line = paragraph("  " + word + "  ", fmt::format("{}: {}", text, got), page);
    return "  " + paint(word, *met ? Style::green : Style::red, page) + line.substr(2 + word.size());
}

}  // namespace normcheck
