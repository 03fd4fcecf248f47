// Gathers judged rows into the records; see collect.hpp for why no result depends on the order.
#include "reports/collect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "oracles/error.hpp"
#include "reports/bins.hpp"
#include "reports/finding_order.hpp"
#include "reports/hex_float.hpp"

namespace normcheck {
namespace {

struct Place {
    const std::string& case_line;
    int64_t case_index;
    int64_t row;
};

// Nothing is worse than a NaN, and Inf compares.
double ordered(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

Peak peak_at(double value, const Place& place, int64_t element) {
    return {ordered(value), place.case_line, place.case_index, place.row, element};
}

bool outranks(const Peak& a, const Peak& b) {
    if (a.value != b.value) return a.value > b.value;
    return std::tie(a.case_index, a.row, a.element) < std::tie(b.case_index, b.row, b.element);
}

void raise(std::optional<Peak>& peak, std::optional<Peak> candidate) {
    if (candidate && (!peak || outranks(*candidate, *peak))) peak = std::move(candidate);
}

// Most rows raise nothing: copy the line only for one that may.
void raise_to(std::optional<Peak>& peak, double value, const Place& place, int64_t element = -1) {
    if (peak && ordered(value) < peak->value) return;
    raise(peak, peak_at(value, place, element));
}

void measure(Cell& cell, const RowResult& result, const Place& place) {
    cell.outputs += result.outputs;
    cell.correctly_rounded += result.correctly_rounded;
    cell.cancelled += result.cancelled;
    if (result.row_error) {
        raise_to(cell.row_error, *result.row_error, place, result.worst);
    } else {
        raise_to(cell.absolute_error, result.absolute_error, place);
    }
    if (result.row_error || result.element_error != 0) raise_to(cell.element_error, result.element_error, place);
    if (result.row_error || result.slack != 0) raise_to(cell.slack, result.slack, place);
}

void add(Bin& into, const Bin& from) {
    into.rows += from.rows;
    into.failed += from.failed;
    into.row_error = std::max(into.row_error, from.row_error);
}

template <typename End>
void add(std::map<End, Bin>& into, const std::map<End, Bin>& from) {
    for (const auto& [end, bin] : from) add(into[end], bin);
}

void distribute(KernelReport& report, const RowResult& result) {
    const Bin bin{1, result.verdict == Verdict::fail ? 1 : 0, ordered(*result.row_error)};
    add(report.by_error[error_bin(bin.row_error)], bin);
    if (result.regime == Regime::offset) return;
    add(report.by_ratio[ratio_bin(result.log2_ratio)], bin);
    add(report.by_length[length_bin(result.outputs)], bin);
}

bool worse(const WorstCase& a, const WorstCase& b) {
    return outranks(a.row_error, b.row_error);
}

bool already_worse(const std::vector<WorstCase>& list, double value) {
    return list.size() == worst_case_count && list.back().row_error.value > value;
}

// One row per case, so that one bad case does not fill the list.
void keep_worst(std::vector<WorstCase>& list, WorstCase candidate) {
    const auto same_case = [&](const WorstCase& other) {
        return other.row_error.case_index == candidate.row_error.case_index &&
               other.row_error.case_line == candidate.row_error.case_line;
    };
    const auto found = std::ranges::find_if(list, same_case);
    if (found != list.end() && !worse(candidate, *found)) return;
    if (found != list.end()) list.erase(found);
    list.insert(std::ranges::upper_bound(list, candidate, worse), std::move(candidate));
    if (list.size() > worst_case_count) list.pop_back();
}

void add(VerdictCounts& into, const VerdictCounts& from) {
    for (size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

void add(ReasonCounts& into, const ReasonCounts& from) {
    for (const auto& [reason, times] : from) into[reason] += times;
}

void add(PropertyCounts& into, const PropertyCounts& from) {
    into.held += from.held;
    into.violated += from.violated;
    into.not_applicable += from.not_applicable;
}

auto group(const Finding& finding) {
    return std::tie(finding.kernel, finding.format);
}

bool group_before(const Finding& a, const Finding& b) {
    return group(a) < group(b);
}

void keep_most_telling(Report& report, Finding finding) {
    std::vector<Finding>& all = report.findings;
    const auto at = all.insert(std::ranges::upper_bound(all, finding, group_before), std::move(finding));
    const auto same = std::equal_range(all.begin(), all.end(), *at, group_before);
    put_in_order({same.first, same.second});
    if (same.second - same.first > report.finding_cap) all.erase(same.second - 1);
}

CodedValue coded(FormatId id, uint64_t code) {
    return {hex_float(decode_double(format(id), code)), code};
}

/// Parts of one run have the same inputs.
void join_inputs(std::string& into, const std::string& from) {
    if (into.empty() || from.empty() || into == from) {
        into += into.empty() ? from : "";
    } else {
        into += '+' + from;
    }
}

}  // namespace

KernelReport& kernel_report(Report& report, const std::string& kernel, FormatId format, const std::string& contract) {
    const auto same = [&](const KernelReport& other) { return other.kernel == kernel && other.format == format; };
    const auto found = std::ranges::find_if(report.kernels, same);
    KernelReport& result = found != report.kernels.end() ? *found : report.kernels.emplace_back();
    result.kernel = kernel;
    result.format = format;
    if (result.contract.empty()) result.contract = contract;
    return result;
}

const KernelReport* find_record(const std::vector<KernelReport>& records, const std::string& kernel, FormatId format) {
    const auto found = std::ranges::find_if(
        records, [&](const KernelReport& one) { return one.kernel == kernel && one.format == format; });
    return found == records.end() ? nullptr : &*found;
}

void add_case(KernelReport& report) {
    ++report.cases;
}

void add_refusal(KernelReport& report, const std::string& reason) {
    ++report.reasons[static_cast<size_t>(Verdict::unsupported)][reason];
}

void add_broken_rule(KernelReport& report, const std::string& reason) {
    ++report.broken_rules[reason];
}

void add_row(KernelReport& report, const RowResult& result, const std::string& case_line, int64_t case_index,
             int64_t row) {
    require(result.verdict != Verdict::unsupported, "a call is unsupported, never a row");
    const Place place{case_line, case_index, row};
    Cell& cell = report.cells[static_cast<size_t>(result.regime)];
    ++count(cell.rows, result.verdict);
    if (result.verdict != Verdict::pass) ++report.reasons[static_cast<size_t>(result.verdict)][result.reason];
    if (result.short_row) ++report.short_rows;
    report.handed_over += result.undecided;
    if (result.verdict == Verdict::outside || result.verdict == Verdict::doubtful) return;
    measure(cell, result, place);
    if (result.row_error) distribute(report, result);
    if (result.row_error && !already_worse(report.worst, ordered(*result.row_error)))
        keep_worst(report.worst, {result.regime, peak_at(*result.row_error, place, result.worst)});
}

void merge(Cell& into, Cell from) {
    add(into.rows, from.rows);
    into.outputs += from.outputs;
    into.correctly_rounded += from.correctly_rounded;
    into.cancelled += from.cancelled;
    raise(into.row_error, std::move(from.row_error));
    raise(into.absolute_error, std::move(from.absolute_error));
    raise(into.element_error, std::move(from.element_error));
    raise(into.slack, std::move(from.slack));
}

void merge(KernelReport& into, KernelReport from) {
    require(into.kernel == from.kernel && into.format == from.format, "reports of two kernels do not merge");
    if (into.options.empty()) into.options = std::move(from.options);
    join_inputs(into.inputs, from.inputs);
    into.cases += from.cases;
    into.skipped_cases += from.skipped_cases;
    into.short_rows += from.short_rows;
    into.handed_over += from.handed_over;
    for (size_t i = 0; i < into.cells.size(); ++i) merge(into.cells[i], std::move(from.cells[i]));
    for (size_t i = 0; i < into.reasons.size(); ++i) add(into.reasons[i], from.reasons[i]);
    add(into.broken_rules, from.broken_rules);
    for (const auto& [property, counts] : from.properties) add(into.properties[property], counts);
    add(into.findings, from.findings);
    add(into.by_ratio, from.by_ratio);
    add(into.by_length, from.by_length);
    add(into.by_error, from.by_error);
    into.speeds.insert(into.speeds.end(), from.speeds.begin(), from.speeds.end());
    for (WorstCase& worst : from.worst) keep_worst(into.worst, std::move(worst));
}

void describe(Finding& finding, const ElementStory& story) {
    finding.output = name(story.output);
    finding.element = story.index;
    finding.numbers = Comparison{coded(story.format, story.target), coded(story.format, story.lowest),
                                 coded(story.format, story.highest), coded(story.format, story.got), story.error};
}

void add_finding(Report& report, Finding finding) {
    KernelReport& kernel = kernel_report(report, finding.kernel, finding.format, "");
    ++count(kernel.findings, finding.verdict);
    keep_most_telling(report, std::move(finding));
}

void merge(Report& into, Report from) {
    require(into.finding_cap == from.finding_cap, "reports that are merged keep equally many findings");
    for (KernelReport& kernel : from.kernels) {
        KernelReport& target = kernel_report(into, kernel.kernel, kernel.format, kernel.contract);
        merge(target, std::move(kernel));
    }
    for (Finding& finding : from.findings) keep_most_telling(into, std::move(finding));
    for (Change& change : from.changes) into.changes.push_back(std::move(change));
}

}  // namespace normcheck
