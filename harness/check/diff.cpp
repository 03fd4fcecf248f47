// The comparison of two kernels over many cases; see diff.hpp. Every case is compared for itself, and the results are
// added up in the order of the cases.
#include "harness/check/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/check/case_loop.hpp"
#include "harness/check/diff_rows.hpp"
#include "harness/check/float_environment.hpp"
#include "oracles/contract_words.hpp"
#include "oracles/error.hpp"
#include "reports/finding_order.hpp"

namespace normcheck {
namespace {

constexpr std::array all_outputs{Output::y, Output::residual_out, Output::mean, Output::rstd};

std::string eps_word(const Contract& contract) {
    return fmt::format("eps={}", field_text(contract, FieldId::eps));
}

bool takes_parameters(const Contract& contract) {
    return contract.gamma != Gamma::none || contract.beta != Beta::none;
}

void require_same(const char* what, std::string_view a, std::string_view b, const SharedCase& shared) {
    if (a == b) return;
    throw InputError(fmt::format("{} and {} cannot be compared: {} {} for the first and {} for the second",
                                 shared.cases[0].kernel, shared.cases[1].kernel, what, a, b));
}

void require_shared_tensors(const SharedCase& shared) {
    const auto& [a, b] = shared.contracts;
    const auto name_of = [](FormatId id) { return format(id).name; };
    require_same("x is", name_of(a.x), name_of(b.x), shared);
    require_same("y is", name_of(a.y), name_of(b.y), shared);
    if (takes_parameters(a) && takes_parameters(b))
        require_same("gamma and beta are", name_of(a.params), name_of(b.params), shared);
    const auto adds = [](const Contract& c) { return c.residual == Residual::none ? "not added" : "added"; };
    require_same("a residual is", adds(a), adds(b), shared);
}

std::optional<std::string> why_left_out(const RanCase& ran) {
    for (size_t side = 0; side < 2; ++side)
        if (ran.results[side].refusal)
            return fmt::format("{} refuses: {}", ran.shared.cases[side].kernel, *ran.results[side].refusal);
    return std::nullopt;
}

/// Whether a call returned: a case without elements has neither rows nor outputs.
bool returned(const RanCase& ran, size_t side) {
    return ran.shared.cases[side].rows == 0 || !ran.results[side].rows.empty();
}

void add_outputs(FormatDiff& diff, const RanCase& ran, const std::string& line) {
    for (const Output output : all_outputs) {
        if (!is_shared(ran.shared, output)) continue;
        const std::vector<uint64_t>& a = codes_of(ran.results[0].outputs, output);
        const std::vector<uint64_t>& b = codes_of(ran.results[1].outputs, output);
        if (a.empty() || b.empty()) continue;
        const FormatId id = format_of(ran.shared.contracts[0], output);
        OutputDiff& into = diff.outputs[static_cast<size_t>(output)];
        into.outputs += std::ssize(a);
        const int64_t before = into.differing;
        for (size_t i = 0; i < a.size(); ++i) into.differing += codes_differ(id, a[i], b[i]) ? 1 : 0;
        if (into.differing > before && into.first.empty()) into.first = line;
    }
}

bool is_judged(const RowResult& row) {
    return row.verdict == Verdict::pass || row.verdict == Verdict::fail || row.verdict == Verdict::suspect;
}

bool is_measured(const RowResult& row) {
    return is_judged(row) && row.regime != Regime::special;
}

void add_nearness(DiffCell& cell, const RowResult& a, const RowResult& b) {
    if (!is_measured(a) || !is_measured(b) || a.row_error.has_value() != b.row_error.has_value()) return;
    const double of_a = a.row_error.value_or(a.absolute_error), of_b = b.row_error.value_or(b.absolute_error);
    ++(of_a < of_b ? cell.nearer_first : of_b < of_a ? cell.nearer_second : cell.equally_near);
}

bool is_promised(const RanCase& ran, int64_t row) {
    return std::ranges::all_of(ran.results,
                               [&](const CaseResult& one) { return is_judged(one.rows[static_cast<size_t>(row)]); });
}

Parting parting(const RanCase& ran, const RowDiff& found, int64_t index, int64_t row) {
    const int64_t cols = ran.shared.cases[0].cols;
    Parting result{is_promised(ran, row),
                   print(ran.shared.cases[0]),
                   index,
                   cols,
                   row,
                   found.element,
                   ran.results[0].rows[static_cast<size_t>(row)].regime,
                   found.values,
                   found.row_ulp,
                   {}};
    for (size_t side = 0; side < 2; ++side) {
        const CaseResult& one = ran.results[side];
        result.stories[side] = make_judge(ran.shared.contracts[side], cols, one.inputs)
                                   .explain(row_inputs(one.inputs, cols, row), row_outputs(one.outputs, cols, row),
                                            Output::y, found.element);
    }
    return result;
}

/// Of the case's rows only the farthest is told: partings are costly.
void add_parting(FormatDiff& diff, const RanCase& ran, int64_t index) {
    RowDiff farthest;
    int64_t place = -1;
    bool promised = false;
    for (int64_t row = 0; row < std::ssize(ran.results[0].rows); ++row) {
        const RowDiff found = diff_y(ran, row);
        const bool of_row = is_promised(ran, row);
        if (found.differing == 0) continue;
        if (place >= 0 && std::pair(of_row, found.row_ulp) <= std::pair(promised, farthest.row_ulp)) continue;
        farthest = found;
        place = row;
        promised = of_row;
    }
    if (place >= 0) diff.largest = diff.shortest = parting(ran, farthest, index, place);
}

void add_rows(FormatDiff& diff, const RanCase& ran) {
    const int64_t cols = ran.shared.cases[0].cols;
    for (int64_t row = 0; row < std::ssize(ran.results[0].rows); ++row) {
        const RowResult& a = ran.results[0].rows[static_cast<size_t>(row)];
        const RowResult& b = ran.results[1].rows[static_cast<size_t>(row)];
        DiffCell& cell = diff.cells[static_cast<size_t>(a.regime)];
        ++cell.rows;
        cell.differing_rows += row_differs(ran, row) ? 1 : 0;
        ++count(cell.verdicts[0], a.verdict);
        ++count(cell.verdicts[1], b.verdict);
        if (cols == 0) continue;
        const RowDiff found = diff_y(ran, row);
        cell.outputs += cols;
        cell.differing += found.differing;
        if (is_promised(ran, row)) {
            cell.values = std::max(cell.values, found.values);
            cell.row_ulp = std::max(cell.row_ulp, found.row_ulp);
        }
        if (found.differing > 0) add_nearness(cell, a, b);
    }
}

FormatDiff diff_case(const nc_kernel& first, const nc_kernel& second, const Case& c, int64_t index, Oracle oracle) {
    const DefaultFloatEnvironment environment;
    const SharedCase shared = shared_case(first, second, c);
    const auto& [a, b] = shared.contracts;
    const Inputs inputs = make_inputs(shared.cases[0], a);
    const RanCase ran{shared,
                      {check_inputs(first, shared.cases[0], a, inputs, oracle),
                       check_inputs(second, shared.cases[1], b, inputs, oracle)}};
    FormatDiff diff;
    for (size_t side = 0; side < 2; ++side)
        for (const std::string& rule : ran.results[side].broken_rules)
            ++diff.broken_rules[side][rule_without_place(rule)];
    std::optional<std::string> reason = why_left_out(ran);
    if (!reason && !returned(ran, 0) && !returned(ran, 1)) reason = "neither kernel returned";
    if (reason) {
        ++diff.left_out;
        ++diff.left_out_because[*reason];
        return diff;
    }
    ++diff.cases;
    if (!returned(ran, 0) || !returned(ran, 1)) {
        ++diff.differing_cases;
        return diff;
    }
    add_outputs(diff, ran, print(shared.cases[0]));
    add_rows(diff, ran);
    add_parting(diff, ran, index);
    diff.differing_cases +=
        std::ranges::any_of(diff.outputs, [](const OutputDiff& one) { return one.differing > 0; }) ? 1 : 0;
    return diff;
}

void add(DiffCell& into, const DiffCell& more) {
    into.rows += more.rows;
    into.differing_rows += more.differing_rows;
    into.outputs += more.outputs;
    into.differing += more.differing;
    into.values = std::max(into.values, more.values);
    into.row_ulp = std::max(into.row_ulp, more.row_ulp);
    into.nearer_first += more.nearer_first;
    into.nearer_second += more.nearer_second;
    into.equally_near += more.equally_near;
    for (size_t side = 0; side < 2; ++side)
        for (size_t i = 0; i < into.verdicts[side].size(); ++i) into.verdicts[side][i] += more.verdicts[side][i];
}

void add(ReasonCounts& into, const ReasonCounts& more) {
    for (const auto& [reason, times] : more) into[reason] += times;
}

/// Adds a later case. Of equal partings the earlier one stays.
void add(FormatDiff& into, FormatDiff more) {
    into.cases += more.cases;
    into.differing_cases += more.differing_cases;
    into.left_out += more.left_out;
    add(into.left_out_because, more.left_out_because);
    for (size_t side = 0; side < 2; ++side) add(into.broken_rules[side], more.broken_rules[side]);
    for (size_t i = 0; i < into.outputs.size(); ++i) {
        into.outputs[i].outputs += more.outputs[i].outputs;
        into.outputs[i].differing += more.outputs[i].differing;
        if (into.outputs[i].first.empty()) into.outputs[i].first = std::move(more.outputs[i].first);
    }
    for (size_t i = 0; i < into.cells.size(); ++i) add(into.cells[i], more.cells[i]);
    if (!more.largest) return;
    const auto farther = [](const Parting& one) { return std::pair(one.promised, one.row_ulp); };
    const auto shorter = [](const Parting& one) { return std::pair(one.promised, -one.cols); };
    if (!into.largest || farther(*more.largest) > farther(*into.largest)) into.largest = more.largest;
    if (!into.shortest || shorter(*more.shortest) > shorter(*into.shortest)) into.shortest = std::move(more.shortest);
}

}  // namespace

SharedCase shared_case(const nc_kernel& first, const nc_kernel& second, const Case& c) {
    SharedCase shared;
    auto& [a, b] = shared.contracts;
    Case common = c;
    common.kernel = first.name;
    a = case_contract(&first, common);
    b = parse_contract(laid_over(second.contract, laid_over(eps_word(a), c.overrides)));
    const auto leave_out = [](Source& parameter) { parameter = {"absent", {}}; };
    if (a.gamma != Gamma::none && b.gamma == Gamma::none) leave_out(common.gamma);
    if (a.beta != Beta::none && b.beta == Beta::none) leave_out(common.beta);
    shared.cases = {common, common};
    shared.cases[1].kernel = second.name;
    shared.cases[1].overrides = difference(b, parse_contract(second.contract));
    require_shared_tensors(shared);
    return shared;
}

FormatDiff diff_kernels(const nc_kernel& first, const nc_kernel& second, const Job& job, int threads, Oracle oracle) {
    const int64_t number = std::ssize(job.cases);
    std::vector<FormatDiff> results(job.cases.size());
    FirstException exception;
    const NestedParallelism nested;
    const DefaultFloatEnvironment environment;  // threads that are made here take it over
#pragma omp parallel for num_threads(std::max(threads, 1)) schedule(dynamic)
    for (int64_t i = 0; i < number; ++i) {
        const size_t place = static_cast<size_t>(i);
        if (exception.is_before(i)) continue;
        try {
            results[place] = diff_case(first, second, job.cases[place], i, oracle);
        } catch (...) {
            exception.keep(i, with_case_line(job.cases[place]));
        }
    }
    exception.rethrow();
    FormatDiff all;
    for (FormatDiff& one : results) add(all, std::move(one));
    all.format = job.format;
    const auto with_format = [&](const nc_kernel& kernel) {
        return print(parse_contract(laid_over(kernel.contract, fmt::format("x={}", format(job.format).name))));
    };
    all.contracts = {with_format(first), with_format(second)};
    return all;
}

std::vector<FieldDifference> differing_fields(const Contract& first, const Contract& second) {
    std::vector<FieldDifference> fields;
    for (const FieldInfo& field : contract_fields()) {
        const std::string a = field_text(first, field.id), b = field_text(second, field.id);
        if (a != b) fields.push_back({field.name, {a, b}});
    }
    return fields;
}

}  // namespace normcheck
