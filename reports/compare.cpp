// Comparison of records; see compare.hpp.
#include "reports/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "oracles/error.hpp"
#include "reports/collect.hpp"
#include "reports/numbers.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

/// From best to worst.
int rank(Verdict verdict) {
    constexpr std::array order{Verdict::pass,    Verdict::suspect,     Verdict::doubtful,
                               Verdict::outside, Verdict::unsupported, Verdict::fail};
    return static_cast<int>(std::ranges::find(order, verdict) - order.begin());
}

/// The cases that the kernel was or would have been asked, refused ones among them.
int64_t planned(const KernelReport& record) {
    int64_t refused = 0;
    for (const auto& [reason, times] : record.reasons[static_cast<size_t>(Verdict::unsupported)]) refused += times;
    return record.cases + refused + record.skipped_cases;
}

/// One record on both sides: what it was, what it is, and what its witnesses give now.
struct Pair {
    const KernelReport& base;
    const KernelReport& now;
    const KernelReport* rerun;  // nullptr: not rerun
    double margin;
    std::vector<Change>& changes;

    bool same_inputs() const { return base.inputs == now.inputs && now.skipped_cases == 0; }
    void add(std::optional<Regime> regime, Trend trend, std::string what, std::string case_line = {}) const {
        changes.push_back({base.kernel, base.format, regime, trend, std::move(what), std::move(case_line)});
    }
};

void compare_contracts(const Pair& pair) {
    if (pair.base.contract != pair.now.contract)
        pair.add({}, Trend::worse,
                 fmt::format("the contract is another one: '{}' -> '{}'", pair.base.contract, pair.now.contract));
}

void compare_verdicts(const Pair& pair, const KernelReport& seen) {
    const Verdict before = verdict(pair.base), after = verdict(seen);
    if (before == after) return;
    pair.add({}, rank(after) > rank(before) ? Trend::worse : Trend::better,
             fmt::format("verdict {} -> {}", name(before), name(after)));
}

void compare_rules(const Pair& pair, const KernelReport& seen) {
    std::string broken;
    for (const auto& [rule, times] : seen.broken_rules)
        if (!pair.base.broken_rules.contains(rule)) broken += (broken.empty() ? "" : "; ") + rule;
    if (!broken.empty()) pair.add({}, Trend::worse, "broken rules that were not: " + broken);
    for (const auto& [property, counts] : pair.base.properties) {
        const auto found = pair.now.properties.find(property);
        const bool asked = found != pair.now.properties.end() && found->second.held + found->second.violated > 0;
        if (counts.held > 0 && !asked && pair.same_inputs())
            pair.add({}, Trend::worse, fmt::format("coverage: the property {} held and is no longer asked", property));
    }
}

/// The first verdict by which a regime is told, as for a kernel.
Verdict verdict_of(const Cell& cell) {
    KernelReport alone;
    alone.cells[0] = cell;
    return verdict(alone);
}

void compare_rows(const Pair& pair, Regime regime, const Cell& base, const Cell& now, const Cell& seen) {
    const Verdict before = verdict_of(base), after = verdict_of(seen);
    if (row_count(seen) > 0 && before != after) {
        const bool worse = rank(after) > rank(before);
        pair.add(regime, worse ? Trend::worse : Trend::better,
                 fmt::format("verdict {} -> {}", name(before), name(after)));
        if (worse) return;  // that fewer rows pass goes without saying
    }
    // Witnesses are among the same inputs, and on others they are what a rare regime may have.
    const Cell& covered = pair.same_inputs() ? now : seen;
    const int64_t passed = count(base.rows, Verdict::pass), passes = count(covered.rows, Verdict::pass);
    const double least = pair.same_inputs() ? 1 : least_coverage;
    if (static_cast<double>(passes) < least * static_cast<double>(passed))
        pair.add(regime, Trend::worse,
                 fmt::format("coverage: {} -> {} rows that pass{}", show_thousands(passed), show_thousands(passes),
                             pair.same_inputs() ? "" : fmt::format(", fewer than {:.0f} %", 100 * least)));
}

struct Measure {
    const char* name;
    const char* unit;
    std::optional<Peak> Cell::* peak;
    bool fails;  // that it grows is worse, not only other
};
constexpr std::array measures{Measure{"largest row error", " ulp", &Cell::row_error, true},
                              Measure{"largest absolute error", "", &Cell::absolute_error, true},
                              Measure{"largest slack", "", &Cell::slack, false}};

/// " (row 3, y[17])" of the row that reached a peak.
std::string place(const Peak& peak) {
    return peak.element < 0 ? fmt::format(" (row {})", peak.row)
                            : fmt::format(" (row {}, element {})", peak.row, peak.element);
}

bool exceeds(double value, double limit) {
    return value > limit || std::isnan(value);
}

void compare_peaks(const Pair& pair, Regime regime, const Measure& measure, const Cell& base, const Cell& seen,
                   const Cell* rerun) {
    const std::optional<Peak>&before = base.*measure.peak, &after = seen.*measure.peak;
    if (!before || !after) return;
    const double limit = before->value * (1 + pair.margin);
    const std::string step =
        fmt::format("{} {} -> {}{}", measure.name, show_error(before->value), show_error(after->value), measure.unit);
    if (exceeds(after->value, limit)) {
        const bool by_witness = rerun && rerun->*measure.peak && exceeds((rerun->*measure.peak)->value, limit);
        if (!pair.same_inputs() && !by_witness) return;
        pair.add(regime, measure.fails ? Trend::worse : Trend::other,
                 fmt::format("{}, more than the margin of {:.3g} %{}", step, 100 * pair.margin, place(*after)),
                 after->case_line);
    } else if (exceeds(before->value, after->value * (1 + pair.margin)) && (pair.same_inputs() || rerun)) {
        pair.add(regime, Trend::better, step + place(*before), before->case_line);
    }
}

/// In percent; a share is compared on the same inputs alone.
void compare_shares(const Pair& pair, Regime regime, const Cell& base, const Cell& now) {
    if (!pair.same_inputs() || base.outputs == 0 || now.outputs == 0) return;
    const auto share = [](const Cell& cell) {
        return 100.0 * static_cast<double>(cell.correctly_rounded) / static_cast<double>(cell.outputs);
    };
    const double step = share(now) - share(base);
    constexpr double least = 0.1;
    if (std::abs(step) < least) return;
    pair.add(regime, step > 0 ? Trend::better : Trend::other,
             fmt::format("correctly rounded {} -> {} %", show_percent(base.correctly_rounded, base.outputs),
                         show_percent(now.correctly_rounded, now.outputs)));
}

/// One line for all of them: a larger error on other inputs accuses nobody.
void tell_other_inputs(const Pair& pair) {
    std::string larger;
    for (const RegimeInfo& info : regimes()) {
        const size_t i = static_cast<size_t>(info.regime);
        const std::optional<Peak>&before = pair.base.cells[i].row_error, &after = pair.now.cells[i].row_error;
        if (before && after && exceeds(after->value, before->value * (1 + pair.margin)))
            larger += fmt::format("{}{} {} -> {}", larger.empty() ? "" : ", ", info.name, show_error(before->value),
                                  show_error(after->value));
    }
    pair.add({}, Trend::other,
             (planned(pair.now) < planned(pair.base)
                  ? fmt::format("was asked {} cases where the baseline has {}", show_thousands(planned(pair.now)),
                                show_thousands(planned(pair.base)))
                  : "ran other inputs than the baseline") +
                 ": only its witnesses are held to its errors" +
                 (larger.empty() ? "" : fmt::format("; larger ones (ulp): {}", larger)));
}

void compare_pair(const Pair& pair) {
    KernelReport seen = pair.now;
    if (pair.rerun) merge(seen, *pair.rerun);
    if (!pair.same_inputs()) tell_other_inputs(pair);
    compare_contracts(pair);
    compare_verdicts(pair, seen);
    for (const RegimeInfo& info : regimes()) {
        const size_t i = static_cast<size_t>(info.regime);
        const Cell &base = pair.base.cells[i], &now = pair.now.cells[i];
        if (row_count(base) == 0) {
            if (row_count(seen.cells[i]) > 0)
                pair.add(info.regime, Trend::other, "rows of this regime are new: the baseline has none");
            continue;
        }
        for (const Measure& measure : measures)
            compare_peaks(pair, info.regime, measure, base, seen.cells[i],
                          pair.rerun ? &pair.rerun->cells[i] : nullptr);
        compare_rows(pair, info.regime, base, now, seen.cells[i]);
        compare_shares(pair, info.regime, base, now);
    }
    compare_rules(pair, seen);
}

/// A peak that grew within the margin stays what it was.
void keep_smaller(Cell& now, const Cell& base) {
    for (const Measure& measure : measures) {
        const std::optional<Peak>& before = base.*measure.peak;
        if (before && now.*measure.peak && !((now.*measure.peak)->value < before->value)) now.*measure.peak = before;
    }
}

}  // namespace

void add_cases(std::vector<Change>& changes, std::span<const Finding> findings) {
    for (Change& change : changes) {
        if (change.trend != Trend::worse || !change.case_line.empty()) continue;
        const auto shows = [&](const Finding& one) {
            return one.kernel == change.kernel && one.format == change.format &&
                   (!change.regime || one.regime == change.regime);
        };
        const auto found = std::ranges::find_if(findings, shows);
        if (found != findings.end()) change.case_line = found->case_line;
    }
}

std::vector<Change> compare(const Comparables& sides, double margin) {
    std::vector<Change> changes;
    for (const KernelReport& base : sides.base) {
        const KernelReport* now = find_record(sides.now, base.kernel, base.format);
        if (now)
            compare_pair({base, *now, find_record(sides.reruns, base.kernel, base.format), margin, changes});
        else
            changes.push_back({base.kernel, base.format, {}, Trend::worse, "coverage: it is gone", ""});
    }
    for (const KernelReport& now : sides.now)
        if (!find_record(sides.base, now.kernel, now.format))
            changes.push_back({now.kernel, now.format, {}, Trend::other, "it is new: there is no baseline", ""});
    return changes;
}

std::vector<KernelReport> improved(const std::vector<KernelReport>& base, const std::vector<KernelReport>& now) {
    std::vector<KernelReport> result = now;
    for (KernelReport& record : result) {
        const KernelReport* before = find_record(base, record.kernel, record.format);
        if (!before) continue;
        require(before->inputs == record.inputs, "a baseline is improved on the same inputs");
        for (size_t i = 0; i < record.cells.size(); ++i) keep_smaller(record.cells[i], before->cells[i]);
    }
    return result;
}

}  // namespace normcheck
