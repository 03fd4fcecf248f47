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

}  // namespace

bool Execution::is_finding() const {
    return !broken_rules.empty() || std::ranges::any_of(rows, has_failed);
}

std::string Execution::reason() const {
    if (!broken_rules.empty()) return broken_rules[0];
    const auto row = std::ranges::find_if(rows, has_failed);
    return row == rows.end() ? "" : fmt::format("row {}, {}: {}", row - rows.begin(), name(row->regime), row->reason);
}

Execution execute(const FuzzSubject& subject, const PreparedCall& call) {
    const DefaultFloatEnvironment environment;  // the oracle computes in doubles too
    const CallResult result = call_kernel(subject.kernel(), call.layout, call.contract, call.inputs);
    Execution execution{result.refusal.has_value(), result.broken_rules, {}, call.contract.x};
    if (execution.refused) return execution;
    const int64_t cols = call.layout.cols;
    const Judge judge = make_judge(call.contract, cols, call.inputs);
    for (int64_t row = 0; row < call.layout.rows; ++row)
        execution.rows.push_back(
            judge.judge(row_inputs(call.inputs, cols, row), row_outputs(result.outputs, cols, row)));
    return execution;
}

Execution execute(const FuzzSubject& subject, const Draft& draft) {
    const DefaultFloatEnvironment environment;
    return execute(subject, prepare(draft, subject));
}

}  // namespace normcheck
