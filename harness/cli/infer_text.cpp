// Inference as text; see infer_report.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/cli/infer_ranking.hpp"
#include "harness/cli/infer_report.hpp"
#include "reports/hex_float.hpp"
#include "reports/numbers.hpp"

namespace normcheck {
namespace {

constexpr size_t groups_shown = 10;
constexpr size_t unproven_shown = 5;
constexpr size_t tied_shown = 12;

int64_t count_of(std::span<const Candidate> candidates, Standing standing) {
    return std::ranges::count(candidates, standing, &Candidate::standing);
}

std::string counts_text(const Candidate& candidate) {
    std::string text;
    for (int i = 0; i < verdict_count; ++i) {
        const Verdict verdict = static_cast<Verdict>(i);
        const int64_t rows = count(candidate.rows, verdict);
        if (rows > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rows, name(verdict));
    }
    return text;
}

std::string measure_text(const Candidate& candidate, const Tensors& tensors) {
    const double outputs = static_cast<double>(tensors.rows) * static_cast<double>(tensors.cols);
    return fmt::format("rows: {}; {} bits off target per output; {} % are the target", counts_text(candidate),
                       show_error(candidate.bits / outputs),
                       show_percent(candidate.correctly_rounded, tensors.rows * tensors.cols));
}

std::string group_text(std::span<const Candidate> group, const Tensors& tensors, const Page& page) {
    const Candidate& first = group.front();
    std::string text = paragraph("  ", first.text, page) + paragraph("    ", measure_text(first, tensors), page);
    if (group.size() == 1) return text;
    text += fmt::format("    not told apart by these rows (less than {} bits between them):\n", telling_bits);
    for (size_t i = 1; i < std::min(group.size(), tied_shown + 1); ++i)
        text += paragraph("      ", group[i].text, page);
    if (group.size() > tied_shown + 1) text += fmt::format("      and {} more\n", group.size() - tied_shown - 1);
    return text;
}

/// Groups after the best one, as far as there is room.
std::string more_groups(const Groups& groups, const Tensors& tensors, const Page& page) {
    if (groups.size() < 2) return "";
    std::string text = paint("\nobeyed too, but they explain the outputs less well:\n", Style::bold, page);
    for (size_t i = 1; i < std::min(groups.size(), groups_shown + 1); ++i) text += group_text(groups[i], tensors, page);
    if (groups.size() > groups_shown + 1) text += fmt::format("  and {} more\n", groups.size() - groups_shown - 1);
    return text;
}

/// What else may be tried where no contract is obeyed.
std::string advice(std::span<const Candidate> candidates, const Page& page) {
    std::set<double> epsilons;
    for (const Candidate& candidate : candidates) epsilons.insert(candidate.contract.eps.value);
    return paragraph(
        "",
        fmt::format("tried were epsilons of {:g}; others are tried where --eps names them", fmt::join(epsilons, ", ")),
        page);
}

std::string obeyed_text(std::span<const Candidate> candidates, const Tensors& tensors, const Page& page) {
    const Groups groups = groups_of(candidates);
    if (groups.empty())
        return paint("none of the contracts that were tried is obeyed\n", Style::red, page) + advice(candidates, page);
    return paint("the contract that explains these outputs best:\n", Style::bold, page) +
           group_text(groups[0], tensors, page) + more_groups(groups, tensors, page);
}

std::string unproven_text(std::span<const Candidate> candidates, const Page& page) {
    const int64_t total = count_of(candidates, Standing::unproven);
    if (total == 0) return "";
    std::string text = paint("\nneither kept nor refuted, no row proves anything:\n", Style::bold, page);
    size_t shown = 0;
    for (const Candidate& candidate : candidates) {
        if (candidate.standing != Standing::unproven || shown == unproven_shown) continue;
        ++shown;
        text += paragraph("  ", candidate.text, page) + paragraph("    rows: ", counts_text(candidate), page);
    }
    if (total > static_cast<int64_t>(shown))
        text += fmt::format("  and {} more\n", total - static_cast<int64_t>(shown));
    return text;
}

std::string value_text(const ElementStory& story, uint64_t code) {
    const Format& f = format(story.format);
    return fmt::format("{} ({:0{}x})", hex_float(decode_double(f, code)), code, f.bits() / 4);
}

std::string refutation_text(const Candidate& candidate, const Page& page) {
    const Refutation& refutation = candidate.refutation;
    const std::string after =
        refutation.rows_passed == 0
            ? ""
            : fmt::format(", after {} that passed", show_count(refutation.rows_passed, "row", "rows"));
    std::string text = paragraph("  ", candidate.text, page);
    if (!refutation.story)
        return text + paragraph("    ", fmt::format("row {}{}: {}", refutation.row, after, refutation.reason), page);
    const ElementStory& story = *refutation.story;
    return text + paragraph("    ",
                            fmt::format("row {}{}, y[{}]: got {}, target {}, {} ulp off; admissible {} to {}",
                                        refutation.row, after, story.index, value_text(story, story.got),
                                        value_text(story, story.target), show_error(story.error),
                                        value_text(story, story.lowest), value_text(story, story.highest)),
                            page);
}

std::string refuted_text(std::span<const Candidate> candidates, const Page& page) {
    const std::vector<const Candidate*> shown = shown_refuted(candidates);
    if (shown.empty()) return "";
    const int64_t rest = count_of(candidates, Standing::refuted) - std::ssize(shown);
    std::string text = paint("\nrefuted, the closest first, and the defaults:\n", Style::bold, page);
    for (const Candidate* candidate : shown) text += refutation_text(*candidate, page);
    return rest > 0 ? text + fmt::format("  and {} more\n", rest) : text;
}

}  // namespace

std::string inference_text(std::span<const Candidate> candidates, const Tensors& tensors, const Page& page) {
    const std::string what =
        fmt::format("{}: {} of {}, x {}, y {}", tensors.name, show_count(tensors.rows, "row", "rows"),
                    show_count(tensors.cols, "column", "columns"), format(tensors.x).name, format(tensors.y).name);
    const std::string tried =
        fmt::format("{}: {} obeyed, {} unproven, {} refuted",
                    show_count(std::ssize(candidates), "contract", "contracts"), count_of(candidates, Standing::obeyed),
                    count_of(candidates, Standing::unproven), count_of(candidates, Standing::refuted));
    return paragraph("recorded  ", what, page) + paragraph("tried     ", tried, page) + '\n' +
           obeyed_text(candidates, tensors, page) + unproven_text(candidates, page) + refuted_text(candidates, page);
}

}  // namespace normcheck
