// Properties of single calls: the judgement, rules of memory, and what NaN and Inf may reach.
#include <fmt/format.h>

#include <algorithm>

#include "harness/properties/property_calls.hpp"
#include "harness/properties/property_functions.hpp"

namespace normcheck {
namespace {

/// The case's call made in the ways that tempt a kernel to write where it may not.
std::vector<Case> calls_of(const Case& c) {
    std::vector<Case> calls(6, on_one_thread(c));
    calls[0] = c;
    calls[1].offset += 1;
    calls[2].pitch += 3;
    calls[3].stride += 1;
    calls[4].alias = Alias::y_is_x;
    calls[5].alias = Alias::residual_out_is_residual;
    return calls;
}

/// Violated by the first broken rule that `matters`.
template <typename Matters>
PropertyResult rules_kept(const nc_kernel& kernel, const Case& c, const Matters& matters) {
    std::string refusal;
    bool any = false;
    for (const Case& other : calls_of(c)) {
        const Called called = call(setting_of(kernel, other));
        for (const std::string& rule : called.result.broken_rules)
            if (matters(rule)) return violated(rule, other);
        any = any || !called.result.refusal;
        if (called.result.refusal && refusal.empty()) refusal = *called.result.refusal;
    }
    return any ? held() : not_applicable("refused: " + refusal);
}

/// The call with one row more special than it was: the middle one has `code` in its middle column.
Setting with_special(const Setting& setting, int64_t row, uint64_t code) {
    Setting changed = setting;
    changed.inputs.x[static_cast<size_t>(row * setting.c.cols + setting.c.cols / 2)] = code;
    return changed;
}

/// A derived call has inputs that its case does not; the changed row alone says most.
Case witness_of(const Called& called, int64_t row) {
    return case_of_inputs(one_row(called.setting, row));
}

PropertyResult judged_special_row(const Called& called, int64_t row) {
    const RowResult result = judge_row(called, row);
    if (result.verdict != Verdict::fail) return held();
    return violated(blame(called, row, result), witness_of(called, row));
}

PropertyResult other_rows_alike(const Called& clean, const Called& changed, int64_t row) {
    for (int64_t other = 0; other < clean.setting.c.rows; ++other) {
        if (other == row) continue;
        if (const auto text = first_difference(clean, other, changed, other))
            return violated(fmt::format("{} with a special value in row {}", *text, row), witness_of(changed, row));
    }
    return held();
}

/// Where the row as it was is promised nothing, a sum in it may overflow on its own, beside the value that was put in.
PropertyResult acts_in_its_row(const Called& clean, const Called& changed, int64_t row) {
    const RowResult before = judge_row(clean, row);
    if (before.verdict == Verdict::outside) return not_applicable(before.reason);
    return judged_special_row(changed, row);
}

/// Theorem: rows are normalised each by itself, so what stands in one row reaches no other; the call is otherwise the
/// same one, so the bits are too where they repeat at all. In its own row the oracle knows what IEEE arithmetic gives.
PropertyResult special_stays_in_its_row(const nc_kernel& kernel, const Case& c, uint64_t (*special)(const Format&)) {
    if (c.rows == 0 || c.cols == 0) return not_applicable("the call has no elements");
    Case several = on_one_thread(c);
    several.rows = std::max<int64_t>(c.rows, 3);
    const Called clean = call(setting_of(kernel, several));
    if (const auto why = unusable(clean)) return not_applicable(*why);
    const int64_t row = several.rows / 2;
    const Called changed = call(with_special(clean.setting, row, special(format(clean.setting.contract.x))));
    if (const auto why = unusable(changed)) return not_applicable(*why);
    Parts parts;
    parts.add(acts_in_its_row(clean, changed, row));
    if (bits_repeat(clean.setting.contract)) parts.add(other_rows_alike(clean, changed, row));
    return parts.result();
}

/// The judgement of the case's own call.
PropertyResult judged_case(const nc_kernel& kernel, const Case& c, bool (*blamed)(const RowResult& result)) {
    const Called called = call(setting_of(kernel, on_one_thread(c)));
    if (const auto why = unusable(called)) return not_applicable(*why);
    return judged(called, blamed);
}

}  // namespace

PropertyResult property_admissible(const nc_kernel& kernel, const Case& c) {
    return judged_case(kernel, c, [](const RowResult& row) { return row.failing >= 0; });
}

// The judge names a statistic or the returned residual only where all of y is admissible.
PropertyResult property_saved_statistics(const nc_kernel& kernel, const Case& c) {
    return judged_case(kernel, c, [](const RowResult& row) { return row.failing < 0; });
}

PropertyResult property_nan_stays_in_its_row(const nc_kernel& kernel, const Case& c) {
    return special_stays_in_its_row(kernel, c, [](const Format& numbers) { return numbers.nan_code(); });
}

PropertyResult property_inf_stays_in_its_row(const nc_kernel& kernel, const Case& c) {
    return special_stays_in_its_row(kernel, c, [](const Format& numbers) { return numbers.inf_code(); });
}

PropertyResult property_guard_bands(const nc_kernel& kernel, const Case& c) {
    return rules_kept(kernel, c, [](const std::string& rule) { return !says_input_changed(rule); });
}

PropertyResult property_inputs_untouched(const nc_kernel& kernel, const Case& c) {
    return rules_kept(kernel, c, says_input_changed);
}

}  // namespace normcheck
