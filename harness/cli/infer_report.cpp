// Writers of inference; see infer_report.hpp.
#include "harness/cli/infer_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/hex_float.hpp"
#include "reports/numbers.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

constexpr int weaker_groups_shown = 10;
constexpr size_t unproven_shown = 5;
constexpr size_t tied_shown = 12;

int64_t count_of(std::span<const Candidate> candidates, Standing standing) {
    return std::ranges::count(candidates, standing, &Candidate::standing);
}

std::vector<std::span<const Candidate>> groups_of(std::span<const Candidate> candidates) {
    std::vector<std::span<const Candidate>> groups;
    for (size_t begin = 0; begin < candidates.size() && candidates[begin].group >= 0;) {
        size_t end = begin;
        while (end < candidates.size() && candidates[end].group == candidates[begin].group) ++end;
        groups.push_back(candidates.subspan(begin, end - begin));
        begin = end;
    }
    return groups;
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
    return fmt::format("rows: {}; leaves {} bits open per output", counts_text(candidate),
                       show_error(candidate.open_bits / outputs));
}

std::string group_text(std::span<const Candidate> group, const Tensors& tensors, const Page& page) {
    const Candidate& first = group.front();
    std::string text = paragraph("  ", first.text, page) + paragraph("    ", measure_text(first, tensors), page);
    if (group.size() == 1) return text;
    text += "    indistinguishable on these rows:\n";
    for (size_t i = 1; i < std::min(group.size(), tied_shown + 1); ++i)
        text += paragraph("      ", group[i].text, page);
    if (group.size() > tied_shown + 1) text += fmt::format("      and {} more\n", group.size() - tied_shown - 1);
    return text;
}

std::string obeyed_text(std::span<const Candidate> candidates, const Tensors& tensors, const Page& page) {
    const auto groups = groups_of(candidates);
    if (groups.empty()) return paint("none of the contracts that were tried is obeyed\n", Style::red, page);
    std::string text = paint("the tightest promise that these outputs keep:\n", Style::bold, page);
    text += group_text(groups[0], tensors, page);
    if (groups.size() > 1) text += paint("\nweaker promises that they keep too:\n", Style::bold, page);
    for (size_t i = 1; i < groups.size() && i <= weaker_groups_shown; ++i) text += group_text(groups[i], tensors, page);
    if (groups.size() > weaker_groups_shown + 1)
        text += fmt::format("  and {} more\n", groups.size() - weaker_groups_shown - 1);
    return text;
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

/// The closest ones, and the defaults wherever they stand.
std::vector<const Candidate*> shown_refuted(std::span<const Candidate> candidates) {
    std::vector<const Candidate*> shown;
    size_t passed_over = 0;
    for (const Candidate& candidate : candidates) {
        if (candidate.standing != Standing::refuted) continue;
        if (passed_over++ < refuted_shown || candidate.is_default) shown.push_back(&candidate);
    }
    return shown;
}

std::string refuted_text(std::span<const Candidate> candidates, const Page& page) {
    const std::vector<const Candidate*> shown = shown_refuted(candidates);
    if (shown.empty()) return "";
    const int64_t rest = count_of(candidates, Standing::refuted) - std::ssize(shown);
    std::string text = paint("\nrefuted, the closest first, and the defaults:\n", Style::bold, page);
    for (const Candidate* candidate : shown) text += refutation_text(*candidate, page);
    return rest > 0 ? text + fmt::format("  and {} more\n", rest) : text;
}

Json counts_json(const Candidate& candidate) {
    Json result = Json::object();
    for (int i = 0; i < verdict_count; ++i)
        result[name(static_cast<Verdict>(i))] = candidate.rows[static_cast<size_t>(i)];
    return result;
}

Json coded_json(const ElementStory& story, uint64_t code) {
    return {{"value", hex_float(decode_double(format(story.format), code))}, {"code", fmt::format("0x{:x}", code)}};
}

Json story_json(const ElementStory& story) {
    return {{"output", name(story.output)},
            {"element", story.index},
            {"got", coded_json(story, story.got)},
            {"target", coded_json(story, story.target)},
            {"lowest", coded_json(story, story.lowest)},
            {"highest", coded_json(story, story.highest)},
            {"error", hex_float(story.error)}};
}

Json refuted_json(const Candidate& candidate) {
    const Refutation& refutation = candidate.refutation;
    return {{"contract", candidate.text},  {"default", candidate.is_default},
            {"row", refutation.row},       {"rows_passed", refutation.rows_passed},
            {"reason", refutation.reason}, {"numbers", refutation.story ? story_json(*refutation.story) : Json()}};
}

Json group_json(std::span<const Candidate> group) {
    Json contracts = Json::array();
    for (const Candidate& candidate : group) contracts.push_back(candidate.text);
    return {{"contracts", contracts},
            {"open_bits", hex_float(group.front().open_bits)},
            {"rows", counts_json(group.front())}};
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

std::string inference_json(std::span<const Candidate> candidates, const Tensors& tensors) {
    Json document{{"schema", 1},
                  {"file", tensors.name},
                  {"rows", tensors.rows},
                  {"cols", tensors.cols},
                  {"tried", candidates.size()},
                  {"obeyed", Json::array()},
                  {"unproven", Json::array()},
                  {"refuted", Json::array()}};
    for (const auto& group : groups_of(candidates)) document["obeyed"].push_back(group_json(group));
    for (const Candidate& candidate : candidates)
        if (candidate.standing == Standing::unproven) document["unproven"].push_back(candidate.text);
    for (const Candidate* candidate : shown_refuted(candidates))
        document["refuted"].push_back(refuted_json(*candidate));
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace normcheck
