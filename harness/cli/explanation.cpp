// The story of single elements; see judged_report.hpp. Slow, because every element is explained anew from the whole
// row, so only a few are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "harness/check/row_findings.hpp"
#include "harness/cli/judged_report.hpp"
#include "reports/hex_float.hpp"
#include "reports/numbers.hpp"
#include "reports/text_blocks.hpp"

namespace normcheck {
namespace {

constexpr size_t rows_explained = 3;      // of those that failed
constexpr size_t failures_explained = 4;  // in one row
constexpr int64_t elements_searched = 64;

struct Element {
    Output output;
    int64_t index;
    bool operator==(const Element&) const = default;
};

std::string value_text(FormatId id, uint64_t code) {
    const Format& f = format(id);
    const double value = decode_double(f, code);
    const std::string decimal = std::isfinite(value) ? fmt::format("{}", value) : hex_float(value);
    return fmt::format("{} ({:0{}x}) = {}", hex_float(value), code, f.bits() / 4, decimal);
}

bool names_roundings(const Contract& contract) {
    const bool stores = std::ranges::any_of(contract.stored, [](const auto& stored) { return stored.has_value(); });
    return stores || contract.cast == Cast::before_gamma || contract.residual == Residual::rounded;
}

std::string place_text(const ElementStory& story) {
    const bool statistic = story.output == Output::mean || story.output == Output::rstd;
    return statistic ? name(story.output) : fmt::format("{}[{}]", name(story.output), story.index);
}

std::string error_text(const ElementStory& story) {
    return fmt::format("{} ulp of the exact {} = {}, {} from the target; half width {} before the last rounding",
                       show_error(story.error), hex_float(story.exact), story.exact,
                       show_count(story.distance, "value", "values"), show_error(story.half_width));
}

std::string story_text(const ElementStory& story, const Contract& contract, const Page& page) {
    const std::string status = story.admissible ? "admissible" : "not admissible";
    std::string text = paint(fmt::format("  {} in {}: {}", place_text(story), format(story.format).name, status),
                             story.admissible ? Style::plain : Style::red, page);
    text += story.cancelled ? ", cancelled\n" : "\n";
    text += paragraph("    got         ", value_text(story.format, story.got), page);
    text += paragraph("    target      ", value_text(story.format, story.target), page);
    text += paragraph("    admissible  ", value_text(story.format, story.lowest), page);
    text += paragraph("             to ", value_text(story.format, story.highest), page);
    text += paragraph("    error       ", error_text(story), page);
    if (names_roundings(contract) && story.output == Output::y) {
        text += paragraph("    formula     ",
                          show_error(story.formula_distance) + " ulp from the formula without named roundings", page);
    }
    return text + paragraph("    because     ", story.why, page);
}

/// One row with all it takes to explain it.
struct Row {
    const JudgedCall& call;
    const Judge& judge;
    int64_t index;

    const RowResult& result() const { return call.result.rows[static_cast<size_t>(index)]; }
    ElementStory story(const Element& element) const {
        return judge.explain(row_inputs(call.result.inputs, call.cols, index),
                             row_outputs(call.result.outputs, call.cols, index), element.output, element.index);
    }
};

/// The output that broke the row, as findings name it.
std::optional<Element> culprit(const Row& row) {
    Finding finding;
    describe_row(finding, row.judge, row.call.contract, row.call.result, row.call.cols, row.index, true);
    for (const Output output : {Output::y, Output::residual_out, Output::mean, Output::rstd})
        if (finding.output == name(output)) return Element{output, std::max<int64_t>(finding.element, 0)};
    return std::nullopt;
}

/// Further elements of y that are not admissible, from `first` on.
std::vector<Element> failures_after(const Row& row, int64_t first) {
    std::vector<Element> found;
    const int64_t end = std::min(row.call.cols, first + elements_searched);
    for (int64_t i = first + 1; i < end && found.size() + 1 < failures_explained; ++i)
        if (!row.story({Output::y, i}).admissible) found.push_back({Output::y, i});
    return found;
}

std::vector<Element> elements_to_explain(const Row& row) {
    std::vector<Element> elements;
    if (row.result().verdict == Verdict::fail) {
        if (const auto broken = culprit(row)) elements.push_back(*broken);
        if (row.result().inadmissible > 1 && row.result().failing >= 0) {
            for (const Element& element : failures_after(row, row.result().failing)) elements.push_back(element);
        }
    }
    const Element worst{Output::y, row.result().worst};
    if (std::ranges::find(elements, worst) == elements.end()) elements.push_back(worst);
    return elements;
}

std::string row_text(const Row& row, const Page& page) {
    const RowResult& result = row.result();
    const std::string reason = result.reason.empty() ? meaning(result.verdict) : result.reason;
    const std::string lead = fmt::format("row {}  ", row.index);
    std::string text =
        paragraph(lead, fmt::format("{}, {} row: {}", name(result.verdict), name(result.regime), reason), page);
    if (result.inadmissible > 1) text += fmt::format("  {} outputs are not admissible\n", result.inadmissible);
    if (result.verdict == Verdict::outside) return text;
    for (const Element& element : elements_to_explain(row))
        text += story_text(row.story(element), row.call.contract, page);
    return text;
}

double row_error(const RowResult& row) {
    return row.verdict == Verdict::outside ? -1 : row.row_error.value_or(row.absolute_error > 0 ? HUGE_VAL : 0);
}

/// The first rows that failed, and the row with the largest error.
std::vector<int64_t> rows_to_explain(const std::vector<RowResult>& rows) {
    std::vector<int64_t> chosen;
    for (int64_t i = 0; i < std::ssize(rows) && chosen.size() < rows_explained; ++i)
        if (rows[static_cast<size_t>(i)].verdict == Verdict::fail) chosen.push_back(i);
    const auto less = [](const RowResult& a, const RowResult& b) { return row_error(a) < row_error(b); };
    const int64_t worst = std::ranges::max_element(rows, less) - rows.begin();
    if (std::ranges::find(chosen, worst) == chosen.end()) chosen.push_back(worst);
    return chosen;
}

}  // namespace

std::string explanation(const JudgedCall& call, const Page& page) {
    if (call.result.rows.empty() || call.cols == 0) return "no rows to explain\n";
    const Judge judge = make_judge(call.contract, call.cols, call.result.inputs);
    std::string text;
    for (const int64_t row : rows_to_explain(call.result.rows)) text += row_text({call, judge, row}, page);
    return text;
}

}  // namespace normcheck
