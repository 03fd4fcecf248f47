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
    return state.contract.overflow == Overflow::saturate && std::isfinite(value) ? saturated(y, code) : code;
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

SpecialTarget special_parameter(const JudgeState& state, int64_t i,
                                const std::function<std::optional<int>()>& normed_sign) {
    SpecialTarget target;
    const double g = raw_gamma(state, i);
    const double b = raw_beta(state, i);
    target.plain = is_plain(state, i);
    if (target.plain) return target;
    if (std::isfinite(g) || std::isnan(g)) {
        target.code = code_of(state, g + b);  // NaN stays NaN, and a finite product leaves an infinite beta as it is
        return target;
    }
    if (std::isnan(b)) {
        target.code = code_of(state, nan_value);
        return target;
    }
    const std::optional<int> sign = normed_sign();
    target.or_nan = target.or_opposite = !sign;
    const double product = sign ? *sign * g : g;
    target.code = code_of(state, product + b);
    return target;
}

bool is_plain(const JudgeState& state, int64_t i) {
    return std::isfinite(raw_gamma(state, i)) && std::isfinite(raw_beta(state, i));
}

bool matches(const Format& format, const SpecialTarget& target, uint64_t got) {
    if (is_nan(format, got)) return target.or_nan || is_nan(format, target.code);
    if (is_nan(format, target.code)) return false;
    if (rank(format, got) == rank(format, target.code)) return true;
    return target.or_opposite && rank(format, got) == -rank(format, target.code);
}

namespace {

// Where results are flushed a subnormal sum may be 0; where inputs are, it may be off by the terms that vanish.
bool may_be_flushed(const Contract& contract, const Row& row, size_t i, uint64_t got) {
    const Format& f = format(contract.x);
    if (contract.subnormals == Subnormals::keep || !is_finite(f, got)) return false;
    if (rank(f, got) == 0 && is_subnormal(f, row.residual_out[i])) return true;
    if (row.vanishing.empty() || !is_finite(f, row.residual_out[i])) return false;
    const double off = std::fabs(decode_double(f, got) - decode_double(f, row.residual_out[i]));
    return off <= static_cast<double>(row.vanishing[i].value) * 1.01;
}

}  // namespace

bool residual_out_is_right(const Contract& contract, const Row& row, const RowOutputs& outputs) {
    if (outputs.residual_out == nullptr) return true;
    const Format& f = format(contract.x);
    for (size_t i = 0; i < row.residual_out.size(); ++i) {
        SpecialTarget target;
        target.code = row.residual_out[i];
        if (matches(f, target, outputs.residual_out[i])) continue;
        if (!may_be_flushed(contract, row, i, outputs.residual_out[i])) return false;
    }
    return true;
}

namespace {

void judge_special_statistics(const JudgeState& state, const Row& row, const RowOutputs& outputs, RowResult& result) {
    const Format& stats = format(state.contract.stats);
    const bool layer = state.contract.norm == Norm::layer;
    const auto demand = [&](const std::optional<uint64_t>& got, auto holds, const char* reason) {
        if (!got || holds(*got) || result.verdict == Verdict::fail) return;
        result.verdict = Verdict::fail;
        result.reason = reason;
    };
    const auto nan = [&](uint64_t code) { return is_nan(stats, code); };
    const auto not_finite = [&](uint64_t code) { return !is_finite(stats, code); };
    const auto zero = [&](uint64_t code) { return !is_nan(stats, code) && rank(stats, code) == 0; };
    if (row.has_nan) {
        if (layer) demand(outputs.mean, nan, "the saved mean of a row with NaN must be NaN");
        return demand(outputs.rstd, nan, "the saved rstd of a row with NaN must be NaN");
    }
    if (layer) {
        demand(outputs.mean, not_finite, "the saved mean of a row with Inf must be Inf or NaN");
        return demand(outputs.rstd, nan, "the saved rstd of a layer row with Inf must be NaN");
    }
    if (state.contract.inf == InfRule::ieee)
        demand(outputs.rstd, zero, "the saved rstd of an rms row with Inf must be 0");
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
