// Baselines as documents; see baseline.hpp.
#include "reports/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "oracles/error.hpp"
#include "reports/escape.hpp"
#include "reports/json.hpp"
#include "reports/json_node.hpp"
#include "reports/json_text.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;
using Node = JsonNode;

// Writing.

/// A peak is at least 0; what is no number as JSON has them is a word.
Json decimal_json(double value) {
    return std::isfinite(value) ? Json(value) : Json("inf");
}

Json place_json(int64_t place) {
    return place < 0 ? Json() : Json(place);
}

Json witness_json(const Peak& peak) {
    return {{"value", decimal_json(peak.value)},
            {"case", peak.case_line},
            {"row", peak.row},
            {"element", place_json(peak.element)}};
}

Json verdicts_json(const VerdictCounts& counts) {
    Json result = Json::object();
    for (int i = 0; i < verdict_count; ++i)
        if (counts[static_cast<size_t>(i)] > 0) result[name(static_cast<Verdict>(i))] = counts[static_cast<size_t>(i)];
    return result;
}

constexpr struct {
    const char* key;
    std::optional<Peak> Cell::* peak;
} witnesses[] = {{"row_error", &Cell::row_error}, {"absolute_error", &Cell::absolute_error}, {"slack", &Cell::slack}};

Json cell_json(const Cell& cell, Regime regime) {
    Json result{{"regime", name(regime)},
                {"rows", verdicts_json(cell.rows)},
                {"outputs", cell.outputs},
                {"correctly_rounded", cell.correctly_rounded}};
    for (const auto& [key, peak] : witnesses)
        if (cell.*peak) result[key] = witness_json(*(cell.*peak));
    return result;
}

Json record_json(const KernelReport& record) {
    Json result{{"format", format(record.format).name}, {"contract", record.contract}, {"inputs", record.inputs},
                {"verdict", name(verdict(record))},     {"cases", record.cases},       {"regimes", Json::array()},
                {"properties", Json::array()}};
    for (const RegimeInfo& info : regimes()) {
        const Cell& cell = record.cells[static_cast<size_t>(info.regime)];
        if (row_count(cell) > 0) result["regimes"].push_back(cell_json(cell, info.regime));
    }
    for (const auto& [property, counts] : record.properties)
        if (counts.held > 0) result["properties"].push_back(property);
    if (!record.broken_rules.empty()) result["broken_rules"] = Json(record.broken_rules);
    const ReasonCounts& refusals = record.reasons[static_cast<size_t>(Verdict::unsupported)];
    if (!refusals.empty()) result["refusals"] = Json(refusals);
    return result;
}

// Reading.

double decimal(const Node& node) {
    if (node.value == "inf") return INFINITY;
    if (!node.value.is_number() || node.value < 0) refuse(node, "a number from 0 on, or \"inf\"");
    return node.value.get<double>();
}

Peak witness(const Node& node) {
    return {decimal(at(node, "value")), text(at(node, "case")), 0, number(at(node, "row")), place(at(node, "element"))};
}

VerdictCounts verdicts(const Node& node) {
    VerdictCounts result{};
    int64_t known = 0;
    const ReasonCounts counted = counts_by_name(node);
    for (int i = 0; i < verdict_count; ++i) {
        const auto found = counted.find(name(static_cast<Verdict>(i)));
        if (found == counted.end()) continue;
        result[static_cast<size_t>(i)] = found->second;
        ++known;
    }
    if (known != std::ssize(counted)) refuse(node, "counts by verdict");
    return result;
}

void read_cell(KernelReport& record, const Node& node) {
    Cell& cell = record.cells[static_cast<size_t>(regime_of(at(node, "regime")))];
    if (row_count(cell) > 0) refuse(at(node, "regime"), "each regime once");
    cell.rows = verdicts(at(node, "rows"));
    cell.outputs = number(at(node, "outputs"));
    cell.correctly_rounded = number(at(node, "correctly_rounded"));
    if (cell.correctly_rounded > cell.outputs)
        refuse(at(node, "correctly_rounded"), fmt::format("at most {}, the number of outputs", cell.outputs));
    for (const auto& [key, peak] : witnesses)
        if (node.value.contains(key)) cell.*peak = witness(at(node, key));
}

KernelReport record(const Node& node, const std::string& kernel) {
    KernelReport result;
    result.kernel = kernel;
    result.format = format_id(at(node, "format"));
    result.contract = text(at(node, "contract"));
    result.inputs = text(at(node, "inputs"));
    result.cases = number(at(node, "cases"));
    for (const Node& one : elements(at(node, "regimes"))) read_cell(result, one);
    for (const Node& property : elements(at(node, "properties"))) result.properties[text(property)].held = 1;
    if (node.value.contains("broken_rules")) result.broken_rules = counts_by_name(at(node, "broken_rules"));
    if (node.value.contains("refusals"))
        result.reasons[static_cast<size_t>(Verdict::unsupported)] = counts_by_name(at(node, "refusals"));
    const Node stated = at(node, "verdict");
    if (text(stated) != name(verdict(result)))
        refuse(stated, fmt::format("\"{}\", as follows from the rows", name(verdict(result))));
    return result;
}

Baseline read(const Node& root) {
    const Node version = at(root, "baseline");
    if (version.value != baseline_version)
        refuse(version, fmt::format("version {} (`normcheck baseline` makes it anew)", baseline_version));
    Baseline result{text(at(root, "kernel")), {}};
    for (const Node& node : elements(at(root, "formats"))) {
        KernelReport one = record(node, result.kernel);
        const auto same = [&](const KernelReport& other) { return other.format == one.format; };
        if (std::ranges::any_of(result.formats, same)) refuse(at(node, "format"), "each format once");
        result.formats.push_back(std::move(one));
    }
    if (result.formats.empty()) refuse(at(root, "formats"), "a format at least");
    return result;
}

Baseline read(const Json& document, std::string_view file) {
    try {
        return read(Node{document, ""});
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", printable(file), error.what()));
    }
}

/// A report has no such key.
bool is_baseline(const Json& document) {
    return document.is_object() && document.contains("baseline");
}

}  // namespace

std::vector<Baseline> baselines_of(const std::vector<KernelReport>& records) {
    std::vector<Baseline> result;
    for (const KernelReport& one : records) {
        auto found = std::ranges::find(result, one.kernel, &Baseline::kernel);
        if (found == result.end()) found = result.insert(result.end(), {one.kernel, {}});
        found->formats.push_back(one);
    }
    return result;
}

std::string to_baseline_text(const Baseline& baseline) {
    Json result{{"baseline", baseline_version}, {"kernel", baseline.kernel}, {"formats", Json::array()}};
    for (const KernelReport& one : baseline.formats) result["formats"].push_back(record_json(one));
    return json_text(result);
}

Baseline parse_baseline(std::string_view text, std::string_view file) {
    const Json document = parse_json(text, file);
    if (is_baseline(document)) return read(document, file);
    throw InputError(fmt::format("{}: expected a baseline, as `normcheck baseline` writes it, found {}",
                                 printable(file),
                                 document.is_object() && document.contains("schema") ? "a report" : "something else"));
}

std::vector<KernelReport> parse_records(std::string_view text, std::string_view file) {
    const Json document = parse_json(text, file);
    return is_baseline(document) ? read(document, file).formats : from_json(document, file).kernels;
}

std::vector<std::string> witnesses_of(const KernelReport& record) {
    std::vector<std::string> result;
    for (const Cell& cell : record.cells)
        for (const auto& [key, peak] : witnesses)
            if (cell.*peak && std::ranges::find(result, (cell.*peak)->case_line) == result.end())
                result.push_back((cell.*peak)->case_line);
    return result;
}

}  // namespace normcheck
