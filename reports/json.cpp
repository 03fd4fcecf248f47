// Writes the report as JSON; see json.hpp. Places that do not exist (-1 in the records) are null.
#include "reports/json.hpp"

#include <fmt/format.h>

#include "reports/hex_float.hpp"
#include "reports/json_text.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

Json place_json(int64_t place) {
    return place < 0 ? Json() : Json(place);
}

Json seed_json(std::optional<uint64_t> seed) {
    return seed ? Json(*seed) : Json();
}

Json context_json(const Context& context) {
    return {{"version", context.version},   {"cpu", context.cpu},         {"cores", context.cores},
            {"compiler", context.compiler}, {"flags", context.flags},     {"seed", seed_json(context.seed)},
            {"command", context.command},   {"started", context.started}, {"seconds", context.seconds}};
}

Json counts_json(const VerdictCounts& counts) {
    Json result = Json::object();
    for (int i = 0; i < verdict_count; ++i) result[name(static_cast<Verdict>(i))] = counts[static_cast<size_t>(i)];
    return result;
}

Json peak_json(const Peak& peak) {
    return {{"value", hex_float(peak.value)},
            {"case", peak.case_line},
            {"case_index", peak.case_index},
            {"row", peak.row},
            {"element", place_json(peak.element)}};
}

Json peak_json(const std::optional<Peak>& peak) {
    return peak ? peak_json(*peak) : Json();
}

Json cell_json(const Cell& cell, Regime regime) {
    return {{"regime", name(regime)},
            {"rows", counts_json(cell.rows)},
            {"outputs", cell.outputs},
            {"correctly_rounded", cell.correctly_rounded},
            {"cancelled", cell.cancelled},
            {"row_error", peak_json(cell.row_error)},
            {"absolute_error", peak_json(cell.absolute_error)},
            {"element_error", peak_json(cell.element_error)},
            {"slack", peak_json(cell.slack)}};
}

Json cells_json(const KernelReport& report) {
    Json result = Json::array();
    for (const RegimeInfo& info : regimes())
        result.push_back(cell_json(report.cells[static_cast<size_t>(info.regime)], info.regime));
    return result;
}

Json reasons_json(const KernelReport& report) {
    Json result = Json::object();
    for (int i = 0; i < verdict_count; ++i)
        result[name(static_cast<Verdict>(i))] = Json(report.reasons[static_cast<size_t>(i)]);
    return result;
}

Json worst_json(const std::vector<WorstCase>& worst) {
    Json result = Json::array();
    for (const WorstCase& one : worst)
        result.push_back({{"regime", name(one.regime)}, {"row_error", peak_json(one.row_error)}});
    return result;
}

Json properties_json(const KernelReport& report) {
    Json result = Json::object();
    for (const auto& [property, counts] : report.properties)
        result[property] = {
            {"held", counts.held}, {"violated", counts.violated}, {"not_applicable", counts.not_applicable}};
    return result;
}

Json bin_json(const char* end_name, const Json& end, const Bin& bin) {
    return {{end_name, end}, {"rows", bin.rows}, {"failed", bin.failed}, {"row_error", hex_float(bin.row_error)}};
}

Json bins_json(const std::map<int64_t, Bin>& bins) {
    Json result = Json::array();
    for (const auto& [from, bin] : bins) result.push_back(bin_json("from", from, bin));
    return result;
}

Json bins_json(const std::map<double, Bin>& bins) {
    Json result = Json::array();
    for (const auto& [to, bin] : bins) result.push_back(bin_json("to", hex_float(to), bin));
    return result;
}

Json speeds_json(const std::vector<Speed>& speeds) {
    Json result = Json::array();
    for (const Speed& speed : speeds)
        result.push_back({{"rows", speed.rows},
                          {"cols", speed.cols},
                          {"threads", speed.threads},
                          {"conditions", speed.conditions},
                          {"bytes", speed.bytes},
                          {"seconds", hex_float(speed.seconds)},
                          {"fastest", hex_float(speed.fastest)},
                          {"slowest", hex_float(speed.slowest)},
                          {"copy_seconds", hex_float(speed.copy_seconds)}});
    return result;
}

Json kernel_json(const KernelReport& report) {
    return {{"kernel", report.kernel},
            {"contract", report.contract},
            {"format", format(report.format).name},
            {"options", report.options},
            {"inputs", report.inputs},
            {"verdict", name(verdict(report))},
            {"cases", report.cases},
            {"skipped_cases", report.skipped_cases},
            {"short_rows", report.short_rows},
            {"handed_over", report.handed_over},
            {"cells", cells_json(report)},
            {"reasons", reasons_json(report)},
            {"broken_rules", Json(report.broken_rules)},
            {"properties", properties_json(report)},
            {"findings", counts_json(report.findings)},
            {"worst", worst_json(report.worst)},
            {"by_ratio", bins_json(report.by_ratio)},
            {"by_length", bins_json(report.by_length)},
            {"by_error", bins_json(report.by_error)},
            {"speeds", speeds_json(report.speeds)}};
}

Json coded_json(const CodedValue& coded) {
    return {{"value", coded.value}, {"code", fmt::format("0x{:x}", coded.code)}};
}

Json numbers_json(const Comparison& numbers) {
    return {{"target", coded_json(numbers.target)},
            {"lowest", coded_json(numbers.lowest)},
            {"highest", coded_json(numbers.highest)},
            {"got", coded_json(numbers.got)},
            {"error", hex_float(numbers.error)}};
}

Json finding_json(const Finding& finding) {
    return {{"kernel", finding.kernel},
            {"format", format(finding.format).name},
            {"verdict", name(finding.verdict)},
            {"reason", finding.reason},
            {"case", finding.case_line},
            {"case_index", finding.case_index},
            {"row", place_json(finding.row)},
            {"regime", finding.regime ? Json(name(*finding.regime)) : Json()},
            {"output", finding.output.empty() ? Json() : Json(finding.output)},
            {"element", place_json(finding.element)},
            {"numbers", finding.numbers ? numbers_json(*finding.numbers) : Json()}};
}

Json change_json(const Change& change) {
    return {{"kernel", change.kernel},
            {"format", format(change.format).name},
            {"regime", change.regime ? Json(name(*change.regime)) : Json()},
            {"trend", name(change.trend)},
            {"what", change.what},
            {"case", change.case_line.empty() ? Json() : Json(change.case_line)}};
}

}  // namespace

Json to_json(const Report& report) {
    Json result{{"schema", report.context.schema},  {"context", context_json(report.context)},
                {"strict", report.strict},          {"finding_cap", report.finding_cap},
                {"verdict", name(verdict(report))}, {"exit_status", exit_status(report)},
                {"kernels", Json::array()},         {"findings", Json::array()},
                {"changes", Json::array()}};
    for (const KernelReport& kernel : report.kernels) result["kernels"].push_back(kernel_json(kernel));
    for (const Finding& finding : report.findings) result["findings"].push_back(finding_json(finding));
    for (const Change& change : report.changes) result["changes"].push_back(change_json(change));
    return result;
}

std::string to_json_text(const Report& report) {
    return json_text(to_json(report));
}

}  // namespace normcheck
