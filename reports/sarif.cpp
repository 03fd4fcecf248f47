// The report as SARIF 2.1.0. Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. Kernels are
// logical locations: a report knows no source files.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/escape.hpp"
#include "reports/json_text.hpp"
#include "reports/problems.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

struct Rule {
    ProblemKind kind;
    const char* id;
    const char* title;
    const char* text;
};
constexpr Rule rules[] = {
    {ProblemKind::fail, "fail", "NotAdmissible",
     "An output is not one that a correct implementation of the contract may return, or a rule of the call is broken."},
    {ProblemKind::suspect, "suspect", "BeyondRandomErrors",
     "Admissible, but beyond what random rounding errors make likely."},
    {ProblemKind::unproven, "unproven", "NoRowPasses", "No row of the kernel passes in any format: nothing is proven."},
    {ProblemKind::worse, "worse", "WorseThanBefore", "The kernel is worse than in the report it is compared with."},
};

size_t rule_index(ProblemKind kind) {
    return static_cast<size_t>(std::ranges::find(rules, kind, &Rule::kind) - std::begin(rules));
}

Json rules_json() {
    Json result = Json::array();
    for (const Rule& rule : rules)
        result.push_back({{"id", rule.id}, {"name", rule.title}, {"shortDescription", {{"text", rule.text}}}});
    return result;
}

Json result_json(const Problem& problem) {
    const size_t index = rule_index(problem.kind);
    const std::string place = problem.place.empty() ? "" : fmt::format(" ({})", problem.place);
    const std::string rerun = problem.case_line.empty() ? "" : "\n" + rerun_command(problem.case_line, problem.options);
    const Json location{{"name", problem.kernel}, {"fullyQualifiedName", problem.subject}, {"kind", "function"}};
    Json result{{"ruleId", rules[index].id},
                {"ruleIndex", index},
                {"level", problem.counts ? "error" : "warning"},
                {"message", {{"text", fmt::format("{}: {}{}{}", problem.subject, problem.message, place, rerun)}}},
                {"locations", Json::array({{{"logicalLocations", Json::array({location})}}})},
                {"partialFingerprints", {{"normcheckCase/v1", problem.subject + " | " + problem.case_line + place}}}};
    if (!problem.case_line.empty()) result["properties"] = {{"case", problem.case_line}};
    return result;
}

Json invocation_json(const Report& report) {
    Json result{
        {"executionSuccessful", true}, {"exitCode", exit_status(report)}, {"commandLine", report.context.command}};
    if (!report.context.started.empty()) result["startTimeUtc"] = report.context.started;
    return result;
}

}  // namespace

std::string to_sarif(const Report& raw) {
    const Report report = printable(raw);
    Json results = Json::array();
    for (const Problem& problem : problems_of(report)) results.push_back(result_json(problem));
    const Json driver{{"name", "normcheck"}, {"version", report.context.version}, {"rules", rules_json()}};
    const Json run{
        {"tool", {{"driver", driver}}},
        {"invocations", Json::array({invocation_json(report)})},
        {"results", results},
        {"properties", {{"verdict", verdict_sentence(report)}, {"findingsLeftOut", findings_left_out(report)}}}};
    return json_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}});
}

}  // namespace normcheck
