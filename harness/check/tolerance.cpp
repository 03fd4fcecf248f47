// From admissible sets to tolerances; see tolerance.hpp. Every case is looked at for itself, and the results are added
// up in the order of the cases; kernels are run in a second pass, when the tolerances are known.
#include "harness/check/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/check/case_loop.hpp"
#include "harness/check/check.hpp"
#include "harness/check/float_environment.hpp"
#include "oracles/admissible_row.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

/// The reference of one row; empty where the row is left out.
struct Reference {
    Regime regime = Regime::ordinary;
    double largest = 0;
    std::vector<double> values;
};

struct CaseNeeds {
    std::array<ToleranceCell, regime_count> cells;
    ReasonCounts left_out;
    std::vector<Reference> references;  // by row
};

double smallest_subnormal(FormatId y) {
    return std::ldexp(1.0, format(y).min_spacing_exponent());
}

double allowed(const Tolerance& tolerance, double scale, double reference) {
    return tolerance.atol * scale + tolerance.rtol * std::fabs(reference);
}

bool usual_refuses(const AdmissibleElement& element, FormatId y) {
    const double limit = allowed(usual_tolerance(y), 1, element.formula);
    return std::max(element.highest - element.formula, element.formula - element.lowest) > limit;
}

double largest_of(const std::vector<AdmissibleElement>& elements) {
    double largest = 0;
    for (const AdmissibleElement& element : elements) largest = std::max(largest, std::fabs(element.formula));
    return largest;
}

/// Why a row with admissible sets gives no tolerance: it proves nothing, or its reference is no scale.
std::string why_left_out(const RowResult& target, const std::vector<AdmissibleElement>& elements, double largest) {
    if (target.verdict == Verdict::doubtful) return target.reason;
    if (largest == 0) return "all outputs are 0";
    const auto finite = [](const AdmissibleElement& one) {
        return std::isfinite(one.lowest) && std::isfinite(one.highest) && std::isfinite(one.formula);
    };
    return std::ranges::all_of(elements, finite) ? "" : "an output may be Inf";
}

void add_row(CaseNeeds& needs, const std::string& line, int64_t row, Regime regime,
             const std::vector<AdmissibleElement>& elements, double largest, FormatId y) {
    ToleranceCell& cell = needs.cells[static_cast<size_t>(regime)];
    ++cell.rows;
    cell.outputs += std::ssize(elements);
    bool refused = false;
    for (int64_t i = 0; i < std::ssize(elements); ++i) {
        const AdmissibleElement& one = elements[static_cast<size_t>(i)];
        const double off = std::max(one.highest - one.formula, one.formula - one.lowest);
        const double size = std::fabs(one.formula) / largest;
        const double needed = std::max(0.0, off - smallest_subnormal(y)) / largest;
        if (!cell.hull.covers(size, needed)) cell.hull.add({size, needed, line, row, i});
        refused = refused || usual_refuses(one, y);
    }
    cell.usual_refuses += refused ? 1 : 0;
    Reference& reference = needs.references[static_cast<size_t>(row)];
    reference.regime = regime;
    reference.largest = largest;
    for (const AdmissibleElement& one : elements) reference.values.push_back(one.formula);
}

const uint64_t* data(const std::vector<uint64_t>& codes) {
    return codes.empty() ? nullptr : codes.data();
}

CaseNeeds needs_of(const Case& c) {
    const Contract contract = case_contract(nullptr, c);
    const Inputs inputs = make_inputs(c, contract);
    CaseNeeds needs;
    needs.references.resize(static_cast<size_t>(c.rows));
    if (c.cols == 0) return needs;
    const AdmissibleRows admissible(contract, c.cols, data(inputs.gamma), data(inputs.beta));
    const Judge judge = make_judge(contract, c.cols, inputs);
    const std::string line = print(c);
    for (int64_t row = 0; row < c.rows; ++row) {
        AdmissibleRows::Row found = admissible.row(row_inputs(inputs, c.cols, row));
        if (found.left_out.empty()) {
            const std::vector<uint64_t> targets = judge.targets(row_inputs(inputs, c.cols, row));
            const RowResult target = judge.judge(row_inputs(inputs, c.cols, row), {targets.data(), {}, {}, {}}, {});
            const double largest = largest_of(found.elements);
            found.left_out = why_left_out(target, found.elements, largest);
            if (found.left_out.empty()) add_row(needs, line, row, target.regime, found.elements, largest, contract.y);
        }
        if (!found.left_out.empty()) ++needs.left_out[found.left_out];
    }
    return needs;
}

struct Acceptance {
    bool fitted = true, usual = true;
};

Acceptance acceptance(const Reference& reference, const Tolerance& tolerance, const Format& y, const uint64_t* codes) {
    Acceptance result;
    for (size_t i = 0; i < reference.values.size(); ++i) {
        const double ref = reference.values[i];
        const double off = std::fabs(decode_double(y, codes[i]) - ref);
        const double limit = allowed(tolerance, reference.largest, ref) + smallest_subnormal(y.id);
        result.fitted = result.fitted && off <= limit;  // false for a NaN
        result.usual = result.usual && off <= allowed(usual_tolerance(y.id), 1, ref);
    }
    return result;
}

/// What one kernel does on one case; a call that is refused or does not return tells nothing.
ToleratedKernel tolerated(const ToleranceReport& report, const nc_kernel& kernel, const Case& c,
                          const CaseNeeds& needs) {
    ToleratedKernel seen;
    const Contract contract = case_contract(nullptr, c);
    const CaseResult ran = check_inputs(kernel, c, contract, make_inputs(c, contract), Oracle::certified);
    for (int64_t row = 0; row < std::ssize(ran.rows); ++row) {
        const Reference& reference = needs.references[static_cast<size_t>(row)];
        if (reference.values.empty()) continue;
        const size_t regime = static_cast<size_t>(reference.regime);
        ToleratedCell& cell = seen.cells[regime];
        const bool failed = ran.rows[static_cast<size_t>(row)].failing >= 0;
        const Acceptance accepted = acceptance(reference, report.cells[regime].fit.tolerance, format(contract.y),
                                               ran.outputs.y.data() + row * c.cols);
        ++(failed ? cell.failed : cell.passed);
        cell.passed_refused += !failed && !accepted.fitted ? 1 : 0;
        cell.failed_accepted += failed && accepted.fitted ? 1 : 0;
        cell.failed_usual_accepts += failed && accepted.usual ? 1 : 0;
        if (failed && accepted.fitted && cell.unseen.empty()) cell.unseen = print(c);
    }
    return seen;
}

/// Runs `step` for every case, on several threads; throws what the first case that threw has thrown.
template <typename Step>
void for_every_case(std::span<const Case> cases, int threads, Step step) {
    FirstException exception;
    const NestedParallelism nested;
    const DefaultFloatEnvironment environment;  // threads that are made here take it over
#pragma omp parallel for num_threads(std::max(threads, 1)) schedule(dynamic)
    for (int64_t i = 0; i < std::ssize(cases); ++i) {
        if (exception.is_before(i)) continue;
        try {
            const DefaultFloatEnvironment of_this_thread;
            step(static_cast<size_t>(i));
        } catch (...) {
            exception.keep(i, with_case_line(cases[static_cast<size_t>(i)]));
        }
    }
    exception.rethrow();
}

void add(ToleranceReport& report, const CaseNeeds& needs) {
    for (size_t i = 0; i < needs.cells.size(); ++i) {
        ToleranceCell& into = report.cells[i];
        into.rows += needs.cells[i].rows;
        into.outputs += needs.cells[i].outputs;
        into.usual_refuses += needs.cells[i].usual_refuses;
        into.hull.add(needs.cells[i].hull);
    }
    for (const auto& [reason, rows] : needs.left_out) report.left_out[reason] += rows;
}

void add(ToleratedKernel& into, const ToleratedKernel& more) {
    for (size_t i = 0; i < into.cells.size(); ++i) {
        ToleratedCell& cell = into.cells[i];
        const ToleratedCell& other = more.cells[i];
        cell.passed += other.passed;
        cell.failed += other.failed;
        cell.passed_refused += other.passed_refused;
        cell.failed_accepted += other.failed_accepted;
        cell.failed_usual_accepts += other.failed_usual_accepts;
        if (cell.unseen.empty()) cell.unseen = other.unseen;
    }
}

}  // namespace

ToleranceReport tolerance_of(std::span<const Case> cases, std::span<const nc_kernel* const> kernels, int threads) {
    ToleranceReport report;
    std::vector<CaseNeeds> needs(cases.size());
    for_every_case(cases, threads, [&](size_t i) { needs[i] = needs_of(cases[i]); });
    for (const CaseNeeds& one : needs) add(report, one);
    for (ToleranceCell& cell : report.cells) cell.fit = fit(cell.hull);
    for (const nc_kernel* kernel : kernels) {
        std::vector<ToleratedKernel> seen(cases.size());
        for_every_case(cases, threads, [&](size_t i) { seen[i] = tolerated(report, *kernel, cases[i], needs[i]); });
        report.kernels.push_back({kernel->name, {}});
        for (const ToleratedKernel& one : seen) add(report.kernels.back(), one);
    }
    return report;
}

}  // namespace normcheck
