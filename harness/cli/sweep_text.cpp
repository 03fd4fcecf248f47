// The block of text of a sweep; see sweep_text.hpp.
#include "harness/cli/sweep_text.hpp"

#include <fmt/format.h>

#include "harness/cases/case.hpp"
#include "harness/check/check.hpp"
#include "harness/cli/selection.hpp"
#include "harness/sweep/symmetries.hpp"
#include "reports/numbers.hpp"
#include "reports/text_blocks.hpp"

namespace normcheck {
namespace {

constexpr const char* class_words[] = {"correctly rounded", "admissible", "special, as ruled",
                                       "outside",           "doubtful",   "fail"};

std::string line(const char* lead, const std::string& text, const Page& page) {
    return paragraph(fmt::format("  {:<18} ", lead), text, page);
}

std::string domain_text(const Domain& domain) {
    const char* rows = domain.cols == 1 ? "bit patterns" : "pairs";
    return fmt::format("{}, {} {} of {}", show_count(domain.cols, "column", "columns"),
                       show_grouped(whole_rows(domain)), rows, format(domain.format).name);
}

std::string symmetry_text(const SweepIdentity& identity) {
    const Symmetry& symmetry = identity.domain.symmetry;
    if (symmetry == Symmetry{}) return "none used";
    return fmt::format("{}, proven because {}", name(symmetry), proof_of(identity.kernel, symmetry));
}

std::string range_text(const SweepResult& result) {
    const SweepState& state = result.state;
    const uint64_t run = total(state.tally.run), domain = total(state.tally.rows);
    const std::string stand = run == domain ? "" : fmt::format(", which stand for {}", show_grouped(domain));
    const std::string part =
        is_whole(result) ? "" : fmt::format(": a part, places {} to {}", state.range.first, state.range.end - 1);
    return fmt::format("{} run{}{}", show_grouped(run), stand, part);
}

/// Why a row is outside or doubtful, or nothing where its case is not: results keep counts and no reasons, so the case
/// is run again.
std::string reason_of(const std::string& line, RowClass row_class) {
    const Case c = parse_case(line);
    const CaseResult result = check_case(kernel_named(c.kernel), c);
    const Verdict expected = row_class == RowClass::outside ? Verdict::outside : Verdict::doubtful;
    return result.rows.size() == 1 && result.rows[0].verdict == expected ? result.rows[0].reason : "";
}

std::string first_text(const SweepIdentity& identity, uint64_t index, RowClass row_class) {
    const std::string line = case_line(identity, index);
    const std::string reason = reason_of(line, row_class);
    return fmt::format(", first '{}'{}{}", line, reason.empty() ? "" : ": ", reason);
}

std::string class_line(const SweepResult& result, size_t i, const Page& page) {
    const Tally& tally = result.state.tally;
    std::string text = fmt::format("{} rows", show_grouped(tally.rows[i]));
    const auto row_class = static_cast<RowClass>(i);
    const bool notable = row_class == RowClass::outside || row_class == RowClass::doubtful;
    if (notable && tally.run[i] > 0) text += first_text(result.identity, tally.first[i], row_class);
    return line(class_words[i], text, page);
}

std::string classes_text(const SweepResult& result, const Page& page) {
    std::string text;
    for (size_t i = 0; i < result.state.tally.rows.size(); ++i)
        if (result.state.tally.rows[i] > 0) text += class_line(result, i, page);
    return text;
}

std::string failing_text(const SweepResult& result, const Page& page) {
    std::string text;
    const Tally& tally = result.state.tally;
    for (const uint64_t index : tally.failing)
        text += line("", fmt::format("'{}'", case_line(result.identity, index)), page);
    const uint64_t more = count(tally.run, RowClass::fail) - tally.failing.size();
    if (more > 0) text += line("", fmt::format("and {} more of the rows that were run", show_grouped(more)), page);
    return text;
}

std::string peak_line(const char* lead, const char* unit, const SweepResult& result, const SweepPeak& peak,
                      const Page& page) {
    if (peak.value < 0) return "";
    return line(lead, fmt::format("{}{} at '{}'", show_error(peak.value), unit, case_line(result.identity, peak.index)),
                page);
}

std::string errors_text(const SweepResult& result, const Page& page) {
    const Tally& tally = result.state.tally;
    std::string text = peak_line("row error", " ulp", result, tally.row_error, page);
    if (result.identity.domain.cols > 1) text += peak_line("element error", " ulp", result, tally.element_error, page);
    return text + peak_line("absolute error", " where the exact y is 0,", result, tally.absolute_error, page);
}

std::string outputs_text(const SweepResult& result, const Page& page) {
    const RoundedShare share = rounded_share(result);
    const std::string percent = show_percent(static_cast<int64_t>(share.rounded), static_cast<int64_t>(share.outputs));
    return line("outputs", fmt::format("{} % of {} are correctly rounded", percent, show_grouped(share.outputs)), page);
}

/// `run` is the number of rows that the result is about.
std::string timing_line(const SweepTiming& timing, uint64_t run, const Page& page) {
    if (timing.rows == 0) return line("took", "nothing: this sweep was finished already", page);
    const std::string share = timing.rows == run ? "" : fmt::format("this run {} rows in ", show_grouped(timing.rows));
    const double rate = timing.seconds > 0 ? static_cast<double>(timing.rows) / timing.seconds : 0;
    const std::string pace = fmt::format("{:.2f} s, {:.3g} million rows run per second", timing.seconds, rate / 1e6);
    return line("took", share + pace, page);
}

}  // namespace

std::string show_grouped(uint64_t number) {
    std::string text = fmt::format("{}", number);
    for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string sweep_text(const SweepResult& result, const std::optional<SweepTiming>& timing, const Page& page) {
    const Verdict said = verdict(result);
    std::string text =
        paint_first(paragraph(fmt::format("{}  ", name(said)),
                              fmt::format("{}, {}", result.identity.kernel, domain_text(result.identity.domain)), page),
                    name(said), said, page);
    text += line("contract", print(result.identity.contract), page);
    text += line("symmetry", symmetry_text(result.identity), page);
    text += line("rows", range_text(result), page);
    text += classes_text(result, page) + failing_text(result, page);
    text += outputs_text(result, page) + errors_text(result, page);
    return timing ? text + timing_line(*timing, total(result.state.tally.run), page) : text;
}

}  // namespace normcheck
