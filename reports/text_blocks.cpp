// The parts that the blocks of a text report share, findings, and reasons; see text_blocks.hpp.
#include "reports/text_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "reports/finding_order.hpp"
#include "reports/numbers.hpp"
#include "reports/summary.hpp"

namespace normcheck {
namespace {

constexpr size_t reasons_shown = 5;

std::string place_text(int64_t row, const std::string& output, int64_t element) {
    std::string result = row < 0 ? "" : fmt::format(" row {}", row);
    if (output.empty()) return result;
    result += (row < 0 ? " " : ", ") + output;
    return element < 0 ? result : fmt::format("{}[{}]", result, element);
}

std::string reason_lines(Verdict verdict, const ReasonCounts& reasons, const char* one, const char* many,
                         const std::vector<const Finding*>& findings, const Page& page) {
    std::vector<std::pair<int64_t, std::string>> sorted;
    for (const auto& [reason, times] : reasons) sorted.emplace_back(-times, reason);
    std::ranges::sort(sorted);
    const std::string lead = fmt::format("  {:<11} ", name(verdict));
    std::string result;
    for (size_t i = 0; i < std::min(sorted.size(), reasons_shown); ++i) {
        const auto& [negative, reason] = sorted[i];
        result += paragraph(lead, counted_reason(-negative, one, many, reason, findings), page);
    }
    if (sorted.size() > reasons_shown)
        result += paragraph(lead, fmt::format("and {} rarer reasons", sorted.size() - reasons_shown), page);
    return result;
}

std::string numbers_text(const Comparison& numbers, FormatId id, const Page& page) {
    const int digits = format(id).bits() / 4;
    const auto both = [&](const CodedValue& v) { return fmt::format("{} ({:0{}x})", v.value, v.code, digits); };
    const std::string ends = fmt::format("[{}, {}] ({:0{}x} to {:0{}x})", numbers.lowest.value, numbers.highest.value,
                                         numbers.lowest.code, digits, numbers.highest.code, digits);
    return paragraph("  got         ", fmt::format("{}, error {} ulp", both(numbers.got), show_error(numbers.error)),
                     page) +
           paragraph("  target      ", both(numbers.target), page) + paragraph("  admissible  ", ends, page);
}

}  // namespace

Style style_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return Style::green;
        case Verdict::fail:
            return Style::red;
        case Verdict::suspect:
        case Verdict::outside:
        case Verdict::doubtful:
        case Verdict::unsupported:
            return Style::yellow;
    }
    return Style::plain;
}

std::string paint_first(const std::string& text, const std::string& word, Verdict verdict, const Page& page) {
    return paint(word, style_of(verdict), page) + text.substr(word.size());
}

std::string quoted(const std::string& case_line, int64_t row, const std::string& output, int64_t element) {
    return fmt::format("'{}'{}", case_line, place_text(row, output, element));
}

std::string counted_reason(int64_t times, const char* one, const char* many, const std::string& reason,
                           const std::vector<const Finding*>& findings) {
    const std::string count = show_count(static_cast<uint64_t>(times), one, many);
    const Finding* example = example_of(reason, findings);
    if (example == nullptr || example->reason == reason) return fmt::format("{}: {}", count, reason);
    return fmt::format("{}{}: {}", count, times > 1 ? ", the first" : "", example->reason);
}

std::string reasons_text(const KernelReport& report, const std::vector<const Finding*>& findings, const Page& page) {
    std::string result = reason_lines(Verdict::fail, report.broken_rules, "call", "calls", findings, page);
    for (int i = 0; i < verdict_count; ++i) {
        const Verdict verdict = static_cast<Verdict>(i);
        const bool calls = verdict == Verdict::unsupported;
        result += reason_lines(verdict, report.reasons[static_cast<size_t>(i)], calls ? "call" : "row",
                               calls ? "calls" : "rows", {}, page);
    }
    return result;
}

std::string finding_text(const Finding& finding, const Page& page) {
    const std::string regime = finding.regime ? fmt::format(", {} row", name(*finding.regime)) : "";
    const std::string what =
        fmt::format("{} {}{}: {}", finding.kernel, format(finding.format).name, regime, finding.reason);
    const std::string word = name(finding.verdict);
    const std::string place = quoted(finding.case_line, finding.row, finding.output, finding.element);
    return paint_first(paragraph(word + "  ", what, page), word, finding.verdict, page) + paragraph("  ", place, page) +
           (finding.numbers ? numbers_text(*finding.numbers, finding.format, page) : "");
}

std::string changes_text(const Report& report, const Page& page) {
    std::string result;
    for (const Change* one : changes_by_trend(report)) {
        const Change& change = *one;
        result += paragraph(fmt::format("{:<6} ", name(change.trend)),
                            fmt::format("{}: {}", subject(change), change.what), page);
        if (!change.case_line.empty()) result += paragraph("       ", fmt::format("'{}'", change.case_line), page);
    }
    return result.empty() ? "" : result + '\n';
}

}  // namespace normcheck
