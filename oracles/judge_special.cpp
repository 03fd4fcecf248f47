// Rows with NaN or Inf in x, and elements with a non-finite gamma or beta: what IEEE arithmetic on the program gives.
#include <cmath>
#include <limits>

#include "oracles/judge_state.hpp"

namespace normcheck {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

uint64_t code_of(const JudgeState& state, double value) {
    const Format& y = format(state.contract.y);
    const uint64_t code = round_double(y, value);
    const bool overflows = is_inf(y, code) && std::isfinite(value);
    if (!overflows || state.contract.overflow == Overflow::inf) return code;
    return y.max_finite_code() | (value < 0 ? y.sign_bit() : 0);
}

double raw_gamma(const JudgeState& state, int64_t i) {
    return state.parameters.raw_gamma.empty() ? 1 : state.parameters.raw_gamma[i];
}
double raw_beta(const JudgeState& state, int64_t i) {
    return state.parameters.raw_beta.empty() ? 0 : state.parameters.raw_beta[i];
}

// Every output is NaN where one is in the row; Inf turns a layer row into Inf - Inf, an rms row into 0 and Inf * 0.
bool whole_row_is_nan(const JudgeState& state, const Row& row) {
    return row.has_nan || state.contract.norm == Norm::layer || state.contract.inf == InfRule::nan_row;
}

}  // namespace

SpecialTarget special_target(const JudgeState& state, const Row& row, int64_t i) {
    SpecialTarget target;
    const bool nan = whole_row_is_nan(state, row) || !std::isfinite(row.special[i]);
    target.code = code_of(state, nan ? nan_value : 0 * raw_gamma(state, i) + raw_beta(state, i));
    return target;
}

SpecialTarget special_parameter(const JudgeState& state, int64_t i, std::optional<int> normed_sign) {
    SpecialTarget target;
    const double g = raw_gamma(state, i);
    const double b = raw_beta(state, i);
    target.plain = std::isfinite(g) && std::isfinite(b);
    if (target.plain) return target;
    if (std::isfinite(g) || std::isnan(g)) {
        target.code = code_of(state, g + b);  // NaN stays NaN, and a finite product leaves an infinite beta as it is
        return target;
    }
    if (std::isnan(b)) {
        target.code = code_of(state, nan_value);
        return target;
    }
    target.or_nan = target.or_opposite = !normed_sign;
    const double product = normed_sign ? *normed_sign * g : g;
    target.code = code_of(state, product + b);
    return target;
}

bool matches(const Format& format, const SpecialTarget& target, uint64_t got) {
    if (is_nan(format, got)) return target.or_nan || is_nan(format, target.code);
    if (is_nan(format, target.code)) return false;
    if (rank(format, got) == rank(format, target.code)) return true;
    return target.or_opposite && rank(format, got) == -rank(format, target.code);
}

bool residual_out_is_right(const Contract& contract, const Row& row, const RowOutputs& outputs) {
    if (outputs.residual_out == nullptr) return true;
    const Format& f = format(contract.x);
    for (size_t i = 0; i < row.residual_out.size(); ++i) {
        SpecialTarget target;
        target.code = row.residual_out[i];
        if (!matches(f, target, outputs.residual_out[i])) return false;
    }
    return true;
}

namespace {

void judge_special_statistics(const JudgeState& state, const Row& row, const RowOutputs& outputs, RowResult& result) {
    const Format& stats = format(state.contract.stats);
    const bool layer = state.contract.norm == Norm::layer;
    const auto demand_nan = [&](const std::optional<uint64_t>& got, const char* reason) {
        if (!got || is_nan(stats, *got) || result.verdict == Verdict::fail) return;
        result.verdict = Verdict::fail;
        result.reason = reason;
    };
    if (row.has_nan && layer) demand_nan(outputs.mean, "the saved mean of a row with NaN must be NaN");
    if (row.has_nan || layer) demand_nan(outputs.rstd, "the saved rstd of a row with NaN (layer: or Inf) must be NaN");
}

}  // namespace

RowResult judge_special(const JudgeState& state, const Row& row, const RowOutputs& outputs) {
    RowResult result;
    const Format& y = format(state.contract.y);
    result.regime = Regime::special;
    result.short_row = state.cols < 4;
    result.outputs = state.cols;
    for (int64_t i = 0; i < state.cols; ++i) {
        if (matches(y, special_target(state, row, i), outputs.y[i])) {
            ++result.correctly_rounded;
            continue;
        }
        ++result.inadmissible;
        if (result.verdict == Verdict::fail) continue;
        result.verdict = Verdict::fail;
        result.failing = result.worst = i;
        result.reason = row.has_nan ? "a NaN in the row must reach every output of it"
                                    : "an Inf in the row must act as the contract's inf rule says";
    }
    judge_special_statistics(state, row, outputs, result);
    if (result.verdict == Verdict::pass && !residual_out_is_right(state.contract, row, outputs)) {
        result.verdict = Verdict::fail;
        result.reason = wrong_residual_out;
    }
    return result;
}

}  // namespace normcheck
