// Reads a report back from JSON; every refusal names the file, and the place in it by its JSON pointer.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "oracles/error.hpp"
#include "reports/bins.hpp"
#include "reports/collect.hpp"
#include "reports/escape.hpp"
#include "reports/json.hpp"
#include "reports/json_node.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;
using Node = JsonNode;

Verdict verdict_of(const Node& node) {
    const std::string word = text(node);
    for (int i = 0; i < verdict_count; ++i)
        if (word == name(static_cast<Verdict>(i))) return static_cast<Verdict>(i);
    refuse(node, "a verdict such as \"pass\"");
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

/// A count of some of the outputs.
int64_t part(const Node& node, int64_t outputs) {
    const int64_t result = number(node);
    if (result > outputs) refuse(node, fmt::format("at most {}, the number of outputs", outputs));
    return result;
}

Cell cell(const Node& node) {
    Cell result;
    result.rows = counts(at(node, "rows"));
    result.outputs = number(at(node, "outputs"));
    result.correctly_rounded = part(at(node, "correctly_rounded"), result.outputs);
    result.cancelled = part(at(node, "cancelled"), result.outputs);
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

Bin bin(const Node& node) {
    Bin result{number(at(node, "rows")), number(at(node, "failed")), hex_number(at(node, "row_error"))};
    if (result.failed > result.rows) refuse(at(node, "failed"), fmt::format("at most {} rows", result.rows));
    return result;
}

template <typename End>
void add_bin(std::map<End, Bin>& bins, End end, const Node& end_node, const Node& node) {
    if (!bins.empty() && end <= bins.rbegin()->first) refuse(end_node, "the bins in order");
    bins[end] = bin(node);
}

/// Bins by their lower ends; `bin_of` says which end a value's bin has.
std::map<int64_t, Bin> bins(const Node& node, int64_t lowest, int64_t (*bin_of)(int64_t)) {
    std::map<int64_t, Bin> result;
    for (const Node& one : elements(node)) {
        const Node from = at(one, "from");
        const bool whole_number = from.value.is_number_integer();
        const int64_t end = whole_number ? from.value.get<int64_t>() : lowest - 1;
        if (end < lowest || bin_of(end) != end) refuse(from, "the lower end of a bin");
        add_bin(result, end, from, one);
    }
    return result;
}

int64_t ratio_bin_of(int64_t end) {
    return ratio_bin(static_cast<double>(end));
}

std::map<double, Bin> error_bins_of(const Node& node) {
    std::map<double, Bin> result;
    for (const Node& one : elements(node)) {
        const Node to = at(one, "to");
        const double end = hex_number(to);
        if (std::ranges::find(error_bins(), end) == error_bins().end()) refuse(to, "the upper end of a bin");
        add_bin(result, end, to, one);
    }
    return result;
}

std::vector<Speed> speeds(const Node& node) {
    std::vector<Speed> result;
    for (const Node& one : elements(node)) {
        Speed& speed = result.emplace_back();
        speed.rows = number(at(one, "rows"));
        speed.cols = number(at(one, "cols"));
        speed.threads = static_cast<int>(whole(at(one, "threads"), std::numeric_limits<int>::max()));
        speed.conditions = text(at(one, "conditions"));
        speed.bytes = number(at(one, "bytes"));
        speed.seconds = hex_number(at(one, "seconds"));
        speed.fastest = hex_number(at(one, "fastest"));
        speed.slowest = hex_number(at(one, "slowest"));
        speed.copy_seconds = hex_number(at(one, "copy_seconds"));
    }
    return result;
}

/// What is written down but follows from the rest must agree with it, or somebody has changed the document.
void require_agreement(const Node& node, const Json& expected) {
    if (node.value != expected) refuse(node, fmt::format("{}, as follows from the records", expected.dump()));
}

/// Digests of 16 hexadecimal digits, joined by +; or nothing.
std::string digests(const Node& node) {
    const std::string words = text(node);
    bool right = words.empty() || words.size() % 17 == 16;
    for (size_t i = 0; i < words.size(); ++i)
        right = right && (i % 17 == 16 ? words[i] == '+'
                                       : std::string_view("0123456789abcdef").find(words[i]) != std::string_view::npos);
    if (!right) refuse(node, "digests of 16 hexadecimal digits joined by +");
    return words;
}

KernelReport kernel(const Node& node) {
    KernelReport result;
    result.kernel = text(at(node, "kernel"));
    result.contract = text(at(node, "contract"));
    result.format = format_id(at(node, "format"));
    result.options = text(at(node, "options"));
    result.inputs = digests(at(node, "inputs"));
    result.cases = number(at(node, "cases"));
    result.skipped_cases = number(at(node, "skipped_cases"));
    result.short_rows = number(at(node, "short_rows"));
    result.handed_over = number(at(node, "handed_over"));
    result.cells = cells(at(node, "cells"));
    for (int i = 0; i < verdict_count; ++i)
        result.reasons[static_cast<size_t>(i)] = counts_by_name(at(at(node, "reasons"), name(static_cast<Verdict>(i))));
    result.broken_rules = counts_by_name(at(node, "broken_rules"));
    result.properties = properties(at(node, "properties"));
    result.findings = counts(at(node, "findings"));
    result.worst = worst(at(node, "worst"));
    result.by_ratio = bins(at(node, "by_ratio"), lowest_ratio_bin, ratio_bin_of);
    result.by_length = bins(at(node, "by_length"), 1, length_bin);
    result.by_error = error_bins_of(at(node, "by_error"));
    result.speeds = speeds(at(node, "speeds"));
    require_agreement(at(node, "verdict"), name(verdict(result)));
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

Change change(const Node& node) {
    Change result;
    result.kernel = text(at(node, "kernel"));
    result.format = format_id(at(node, "format"));
    const Node regime = at(node, "regime");
    if (!regime.value.is_null()) result.regime = regime_of(regime);
    const Node trend = at(node, "trend");
    const auto found = std::ranges::find(trend_names, text(trend), [](const char* one) { return std::string(one); });
    if (found == trend_names.end()) refuse(trend, "\"worse\", \"better\" or \"other\"");
    result.trend = static_cast<Trend>(found - trend_names.begin());
    result.what = text(at(node, "what"));
    result.case_line = text_or_null(at(node, "case"));
    return result;
}

void require_schema(const Node& schema) {
    if (schema.value == schema_version) return;
    const bool older = schema.value.is_number_integer() && schema.value < schema_version;
    const char* advice = older ? " (it was written by an older normcheck: make the report anew)" : "";
    refuse(schema, fmt::format("schema {}{}", schema_version, advice));
}

void read_kernels(Report& report, const Node& list) {
    for (const Node& node : elements(list)) {
        KernelReport one = kernel(node);
        if (find_record(report.kernels, one.kernel, one.format))
            refuse(at(node, "kernel"), "each kernel and format once");
        report.kernels.push_back(std::move(one));
    }
}

void read_findings(Report& report, const Node& list) {
    for (const Node& node : elements(list)) {
        Finding one = finding(node);
        if (!find_record(report.kernels, one.kernel, one.format))
            refuse(at(node, "kernel"), "a kernel and format of the report");
        report.findings.push_back(std::move(one));
    }
}

Report read(const Node& root) {
    for (const char* key : {"context", "kernels", "findings"})
        at(root, key);  // of every schema, and of no other document
    require_schema(at(root, "schema"));
    Report result;
    result.context = context(at(root, "context"), schema_version);
    result.strict = flag(at(root, "strict"));
    result.finding_cap = number(at(root, "finding_cap"));
    read_kernels(result, at(root, "kernels"));
    read_findings(result, at(root, "findings"));
    for (const Node& node : elements(at(root, "changes"))) result.changes.push_back(change(node));
    require_agreement(at(root, "verdict"), name(verdict(result)));
    require_agreement(at(root, "exit_status"), exit_status(result));
    return result;
}

}  // namespace

Report from_json(const Json& document, std::string_view file) {
    try {
        return read({document, ""});
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", printable(file), error.what()));
    }
}

Report parse_report(std::string_view text, std::string_view file) {
    return from_json(parse_json(text, file), file);
}

}  // namespace normcheck
