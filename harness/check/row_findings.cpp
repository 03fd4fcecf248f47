// The judge says which element of y failed; where none did, a saved statistic or the returned residual is to blame, and
// which one is found out here.
#include "harness/check/row_findings.hpp"

#include <optional>

#include "reports/collect.hpp"

namespace normcheck {
namespace {

struct Culprit {
    Output output;
    int64_t element;
};

struct JudgedRow {
    const Judge& judge;
    const Contract& contract;
    RowInputs inputs;
    RowOutputs outputs;
    int64_t cols;
};

uint64_t rounded_sum(const JudgedRow& row, int64_t i) {
    const Format& numbers = format(row.contract.x);
    return round_dyadic(numbers, decode(numbers, row.inputs.x[i]) + decode(numbers, row.inputs.residual[i]));
}

bool is_wrong_sum(const JudgedRow& row, int64_t i) {
    const Format& numbers = format(row.contract.x);
    const uint64_t got = row.outputs.residual_out[i];
    return is_nan(numbers, got) || rank(numbers, got) != rank(numbers, rounded_sum(row, i));
}

std::optional<Culprit> wrong_statistic(const JudgedRow& row) {
    for (const Output output : {Output::mean, Output::rstd}) {
        if (!(output == Output::mean ? row.outputs.mean : row.outputs.rstd)) continue;
        if (!row.judge.explain(row.inputs, row.outputs, output, 0).admissible) return Culprit{output, 0};
    }
    return std::nullopt;
}

/// Only of rows with finite inputs: the statistics of others have no admissible set to be outside of.
std::optional<Culprit> culprit_beside_y(const JudgedRow& row) {
    if (const auto statistic = wrong_statistic(row)) return statistic;
    if (row.outputs.residual_out == nullptr) return std::nullopt;
    for (int64_t i = 0; i < row.cols; ++i)
        if (is_wrong_sum(row, i)) return Culprit{Output::residual_out, i};
    return std::nullopt;
}

std::optional<Culprit> culprit_of(const JudgedRow& row, const RowResult& result) {
    if (result.failing >= 0) return Culprit{Output::y, result.failing};
    if (result.regime == Regime::special) return std::nullopt;
    return culprit_beside_y(row);
}

bool is_statistic(Output output) {
    return output == Output::mean || output == Output::rstd;
}

}  // namespace

void describe_row(Finding& finding, const Judge& judge, const Contract& contract, const CaseResult& result,
                  int64_t cols, int64_t row, bool with_numbers) {
    const RowResult& judged = result.rows[static_cast<size_t>(row)];
    finding.verdict = judged.verdict;
    finding.reason = judged.reason;
    finding.row = row;
    finding.regime = judged.regime;
    if (!with_numbers) return;
    const JudgedRow whole{judge, contract, row_inputs(result.inputs, cols, row), row_outputs(result.outputs, cols, row),
                          cols};
    const auto culprit = culprit_of(whole, judged);
    if (!culprit) return;
    describe(finding, judge.explain(whole.inputs, whole.outputs, culprit->output, culprit->element));
    if (is_statistic(culprit->output)) finding.element = -1;
}

}  // namespace normcheck
