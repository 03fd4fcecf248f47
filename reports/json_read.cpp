// Reads a report back from JSON; every refusal names the place by its JSON pointer.
#include <fmt/format.h>

#include <cstdlib>
#include <limits>

#include "oracles/error.hpp"
#include "reports/json.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

/// A value and where it stands in the document.
struct Node {
    const Json& value;
    std::string path;
};

[[noreturn]] void refuse(const Node& node, std::string_view expected) {
    const std::string found = node.value.dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::string shown = found.size() > 60 ? found.substr(0, 57) + "..." : found;
    throw InputError(
        fmt::format("report: {}: expected {}, found {}", node.path.empty() ? "/" : node.path, expected, shown));
}

Node at(const Node& node, const std::string& key) {
    if (!node.value.is_object()) refuse(node, "an object");
    const auto found = node.value.find(key);
    if (found == node.value.end()) refuse(node, fmt::format("the key \"{}\"", key));
    return {*found, node.path + "/" + key};
}

std::vector<Node> elements(const Node& node) {
    if (!node.value.is_array()) refuse(node, "an array");
    std::vector<Node> result;
    for (const Json& value : node.value) result.push_back({value, fmt::format("{}/{}", node.path, result.size())});
    return result;
}

std::string text(const Node& node) {
    if (!node.value.is_string()) refuse(node, "a string");
    return node.value.get<std::string>();
}

std::string text_or_null(const Node& node) {
    return node.value.is_null() ? "" : text(node);
}

bool flag(const Node& node) {
    if (!node.value.is_boolean()) refuse(node, "true or false");
    return node.value.get<bool>();
}

uint64_t whole(const Node& node, uint64_t largest = std::numeric_limits<int64_t>::max()) {
    const bool natural = node.value.is_number_unsigned() || (node.value.is_number_integer() && node.value >= 0);
    if (!natural || node.value.get<uint64_t>() > largest)
        refuse(node, fmt::format("a whole number from 0 to {}", largest));
    return node.value.get<uint64_t>();
}

int64_t number(const Node& node) {
    return static_cast<int64_t>(whole(node));
}

int64_t place(const Node& node) {
    return node.value.is_null() ? -1 : number(node);
}

double hex_number(const Node& node) {
    const std::string word = text(node);
    const bool hex =
        word.starts_with("0x") || word.starts_with("-0x") || word == "inf" || word == "-inf" || word == "nan";
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (!hex || *end != '\0') refuse(node, "a hex float such as \"0x1.8p+1\", or \"inf\", \"-inf\", \"nan\"");
    return value;
}

uint64_t code(const Node& node) {
    const std::string word = text(node);
    const bool digits =
        word.size() > 2 && word.size() <= 18 && word.find_first_not_of("0123456789abcdef", 2) == std::string::npos;
    if (!word.starts_with("0x") || !digits) refuse(node, "a code such as \"0x3f800000\"");
    return std::strtoull(word.c_str(), nullptr, 16);
}

FormatId format_id(const Node& node) {
    const std::optional<FormatId> found = find_format(text(node));
    if (!found) refuse(node, "a format: " + format_names());
    return *found;
}

Verdict verdict_of(const Node& node) {
    const std::string word = text(node);
    for (int i = 0; i < verdict_count; ++i)
        if (word == name(static_cast<Verdict>(i))) return static_cast<Verdict>(i);
    refuse(node, "a verdict such as \"pass\"");
}

Regime regime_of(const Node& node) {
    const std::string word = text(node);
    for (const RegimeInfo& info : regimes())
        if (word == info.name) return info.regime;
    refuse(node, "a regime such as \"ordinary\"");
}

double seconds(const Node& node) {
    if (!node.value.is_number()) refuse(node, "a number");
    return node.value.get<double>();
}

Context context(const Node& node, int schema) {
    Context result;
    result.schema = schema;
    result.version = text(at(node, "version"));
    result.cpu = text(at(node, "cpu"));
    result.cores = static_cast<int>(whole(at(node, "cores"), std::numeric_limits<int>::max()));
    result.compiler = text(at(node, "compiler"));
    result.flags = text(at(node, "flags"));
    const Node seed = at(node, "seed");
    if (!seed.value.is_null()) result.seed = whole(seed, std::numeric_limits<uint64_t>::max());
    result.command = text(at(node, "command"));
    result.started = text(at(node, "started"));
    result.seconds = seconds(at(node, "seconds"));
    return result;
}

VerdictCounts counts(const Node& node) {
    VerdictCounts result{};
    for (int i = 0; i < verdict_count; ++i)
        result[static_cast<size_t>(i)] = number(at(node, name(static_cast<Verdict>(i))));
    return result;
}

Peak peak(const Node& node) {
    return {hex_number(at(node, "value")), text(at(node, "case")), number(at(node, "case_index")),
            number(at(node, "row")), place(at(node, "element"))};
}

std::optional<Peak> peak_or_null(const Node& node) {
    if (node.value.is_null()) return std::nullopt;
    return peak(node);
}

Cell cell(const Node& node) {
    Cell result;
    result.rows = counts(at(node, "rows"));
    result.outputs = number(at(node, "outputs"));
    result.correctly_rounded = number(at(node, "correctly_rounded"));
    result.cancelled = number(at(node, "cancelled"));
    result.row_error = peak_or_null(at(node, "row_error"));
    result.absolute_error = peak_or_null(at(node, "absolute_error"));
    result.element_error = peak_or_null(at(node, "element_error"));
    result.slack = peak_or_null(at(node, "slack"));
    return result;
}

std::array<Cell, regime_count> cells(const Node& node) {
    const std::vector<Node> list = elements(node);
    if (list.size() != regime_count) refuse(node, fmt::format("{} cells, one per regime", regime_count));
    std::array<Cell, regime_count> result{};
    for (size_t i = 0; i < list.size(); ++i) {
        const Node regime = at(list[i], "regime");
        if (static_cast<size_t>(regime_of(regime)) != i) refuse(regime, "the regimes in order");
        result[i] = cell(list[i]);
    }
    return result;
}

ReasonCounts reasons(const Node& node) {
    if (!node.value.is_object()) refuse(node, "an object of counts");
    ReasonCounts result;
    for (const auto& [reason, times] : node.value.items()) result[reason] = number({times, node.path + "/" + reason});
    return result;
}

std::vector<WorstCase> worst(const Node& node) {
    std::vector<WorstCase> result;
    for (const Node& one : elements(node)) result.push_back({regime_of(at(one, "regime")), peak(at(one, "row_error"))});
    return result;
}

std::map<std::string, PropertyCounts> properties(const Node& node) {
    if (!node.value.is_object()) refuse(node, "an object of counts");
    std::map<std::string, PropertyCounts> result;
    for (const auto& [property, counts] : node.value.items()) {
        const Node at_property{counts, node.path + "/" + property};
        result[property] = {number(at(at_property, "held")), number(at(at_property, "violated")),
                            number(at(at_property, "not_applicable"))};
    }
    return result;
}

KernelReport kernel(const Node& node) {
    KernelReport result;
    result.kernel = text(at(node, "kernel"));
    result.contract = text(at(node, "contract"));
    result.format = format_id(at(node, "format"));
    result.cases = number(at(node, "cases"));
    result.skipped_cases = number(at(node, "skipped_cases"));
    result.short_rows = number(at(node, "short_rows"));
    result.handed_over = number(at(node, "handed_over"));
    result.cells = cells(at(node, "cells"));
    for (int i = 0; i < verdict_count; ++i)
        result.reasons[static_cast<size_t>(i)] = reasons(at(at(node, "reasons"), name(static_cast<Verdict>(i))));
    result.broken_rules = reasons(at(node, "broken_rules"));
    result.properties = properties(at(node, "properties"));
    result.findings = counts(at(node, "findings"));
    result.worst = worst(at(node, "worst"));
    return result;
}

CodedValue coded(const Node& node) {
    const Node value = at(node, "value");
    hex_number(value);
    return {text(value), code(at(node, "code"))};
}

std::optional<Comparison> numbers(const Node& node) {
    if (node.value.is_null()) return std::nullopt;
    return Comparison{coded(at(node, "target")), coded(at(node, "lowest")), coded(at(node, "highest")),
                      coded(at(node, "got")), hex_number(at(node, "error"))};
}

Finding finding(const Node& node) {
    Finding result;
    result.kernel = text(at(node, "kernel"));
    result.format = format_id(at(node, "format"));
    result.verdict = verdict_of(at(node, "verdict"));
    result.reason = text(at(node, "reason"));
    result.case_line = text(at(node, "case"));
    result.case_index = number(at(node, "case_index"));
    result.row = place(at(node, "row"));
    const Node regime = at(node, "regime");
    if (!regime.value.is_null()) result.regime = regime_of(regime);
    result.output = text_or_null(at(node, "output"));
    result.element = place(at(node, "element"));
    result.numbers = numbers(at(node, "numbers"));
    return result;
}

}  // namespace

Report from_json(const Json& document) {
    const Node root{document, ""};
    const Node schema = at(root, "schema");
    if (schema.value != schema_version) refuse(schema, fmt::format("schema {}", schema_version));
    Report result;
    result.context = context(at(root, "context"), schema_version);
    result.strict = flag(at(root, "strict"));
    result.finding_cap = number(at(root, "finding_cap"));
    for (const Node& node : elements(at(root, "kernels"))) result.kernels.push_back(kernel(node));
    for (const Node& node : elements(at(root, "findings"))) result.findings.push_back(finding(node));
    return result;
}

Report parse_report(std::string_view text) {
    try {
        return from_json(Json::parse(text));
    } catch (const Json::parse_error& error) {
        throw InputError(fmt::format("report: expected JSON, byte {} is not: {}", error.byte, error.what()));
    }
}

}  // namespace normcheck
