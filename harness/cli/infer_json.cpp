// Inference as JSON; see infer_report.hpp.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/infer_ranking.hpp"
#include "harness/cli/infer_report.hpp"
#include "reports/hex_float.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

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
            {"bits", hex_float(group.front().bits)},
            {"correctly_rounded", group.front().correctly_rounded},
            {"rows", counts_json(group.front())}};
}

}  // namespace

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
