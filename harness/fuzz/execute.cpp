// One execution. It shares the guarded call and the judge with check_case, but no text is read or printed.
#include "harness/fuzz/execute.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/check/check.hpp"
#include "harness/check/float_environment.hpp"

namespace normcheck {
namespace {

bool has_failed(const RowResult& row) {
    return row.verdict == Verdict::fail;
}

std::vector<RowResult> judged(const PreparedCall& call, const Outputs& outputs) {
    const int64_t cols = call.layout.cols;
    const Judge judge = make_judge(call.contract, cols, call.inputs);
    std::vector<RowResult> rows;
    for (int64_t row = 0; row < call.layout.rows; ++row)
        rows.push_back(
            judge.judge(row_inputs(call.inputs, cols, row), row_outputs(outputs, cols, row), {.errors = false}));
    return rows;
}

/// The call as check makes it, which says what is wrong with it.
Execution careful_execution(const FuzzSubject& subject, const PreparedCall& call) {
    const CallResult result = call_kernel(subject.kernel(), call.layout, call.contract, call.inputs);
    Execution execution{result.refusal.has_value(), result.broken_rules, {}, call.contract.x, call.layout.cols};
    if (result.returned && !execution.refused) execution.rows = judged(call, result.outputs);
    return execution;
}

}  // namespace

bool Execution::is_finding() const {
    return !broken_rules.empty() || std::ranges::any_of(rows, has_failed);
}

std::string Execution::reason() const {
    if (!broken_rules.empty()) return broken_rules[0];
    const auto row = std::ranges::find_if(rows, has_failed);
    return row == rows.end() ? "" : fmt::format("row {}, {}: {}", row - rows.begin(), name(row->regime), row->reason);
}

Execution Executor::run(const FuzzSubject& subject, const Draft& draft) {
    const DefaultFloatEnvironment environment;  // the oracle computes in doubles too
    const PreparedCall call = prepare(draft, subject);
    const bool is_empty = call.layout.rows == 0 || call.layout.cols == 0;  // where outputs must not be written
    if (subject.is_hosted() || is_empty) return careful_execution(subject, call);
    const KeptCall::Outcome outcome = call_.run(subject.kernel(), call);
    if (outcome == KeptCall::Outcome::amiss) return careful_execution(subject, call);
    Execution execution{outcome == KeptCall::Outcome::refused, {}, {}, call.contract.x, call.layout.cols};
    if (!execution.refused) execution.rows = judged(call, call_.outputs());
    return execution;
}

}  // namespace normcheck
