// The judgement of one row with finite values, step by step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/search.hpp"

namespace normcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double ulp_of(const Format& format, double value) {
    return std::ldexp(1.0, spacing_exponent(format, value));
}

double error_of(const Approximation& exact, double got) {
    if (std::isnan(got)) return infinity;
    if (std::isinf(got) || std::isinf(exact.hi)) return got == exact.hi ? 0 : infinity;
    return std::fabs((got - exact.hi) - exact.lo);
}

}  // namespace

RowResult RowJudgement::run() {
    result_.outputs = state_.cols;
    result_.short_row = state_.cols < 4;
    const Contract& contract = state_.contract;
    if (row_.sum_left_range) {
        promise_nothing("the residual sum leaves f64");
        return result_;
    }
    const RowProgram program = row_program(contract, row_.sums, row_.loss, {});
    if (const char* why = outside_reason<Exact>(state_, row_.sums, program)) {
        place(program.spread);
        promise_nothing(why);
        return result_;
    }
    const Elements target(state_, row_, program.scenarios[0]);
    measure(target);
    place(program.spread);
    summarize_errors();
    if (program.search) {
        judge_pair(program);
    } else {
        judge_elements(target);
        try_other_scenarios(program);
    }
    judge_statistics(program);
    judge_residual_out();
    if (result_.verdict != Verdict::pass || program.search) return result_;
    if (is_trivial<Exact>(state_, target.program(), program.scenarios[0].loss)) {
        result_.verdict = Verdict::doubtful;
        result_.reason = trivial_reason;
    } else if (options_.random_fill) {
        ask_probability();
    }
    return result_;
}

// A row that the target's stored values do not explain may have been made with other admissible ones.
void RowJudgement::try_other_scenarios(const RowProgram& program) {
    for (size_t k = 1; k < program.scenarios.size() && result_.verdict == Verdict::fail && !special_failed_; ++k) {
        const Elements other(state_, row_, program.scenarios[k]);
        if (!all_admissible(other)) continue;
        result_.bits = distance_bits(other) + std::log2(static_cast<double>(program.scenarios.size()));
        result_.verdict = Verdict::pass;
        result_.reason.clear();
        result_.failing = -1;
        result_.inadmissible = 0;
    }
}

// Nothing known of y beforehand: it takes all of its bits to state it.
void RowJudgement::promise_nothing(std::string reason) {
    result_.verdict = Verdict::outside;
    result_.reason = std::move(reason);
    result_.bits = static_cast<double>(state_.cols) * y_.bits();
}

void RowJudgement::measure(const Elements& elements) {
    const auto n = static_cast<size_t>(state_.cols);
    exact_.assign(n, 0);
    error_.assign(n, 0);
    for (int64_t i = 0; i < state_.cols; ++i) measure_element(elements, i);
}

void RowJudgement::measure_element(const Elements& elements, int64_t i) {
    const uint64_t code = outputs_.y[i];
    if (!state_.parameters.finite) {
        const SpecialTarget special = special_parameter(state_, i, [&] { return elements.normed_sign(i); });
        if (!special.plain) {
            if (matches(y_, special, code)) {
                ++result_.correctly_rounded;
                return;
            }
            special_failed_ = true;
            return fail(i, wrong_special);
        }
    }
    const auto [held, exact, target] = elements.target(i);
    if (std::isnan(exact.hi)) {  // a stored Inf times a gamma of 0: nothing is asked
        ++result_.correctly_rounded;
        return;
    }
    exact_[i] = exact.hi + exact.lo;
    if (is_nan(y_, code)) {
        error_[i] = infinity;
        return fail(i, wrong_nan);
    }
    const uint64_t distance = rank_distance(rank(y_, code), target);
    result_.bits += bits_of(static_cast<double>(distance));
    if (distance == 0) {
        ++result_.correctly_rounded;
        const bool saturated = state_.contract.overflow == Overflow::saturate &&
                               std::abs(target) == rank(y_, y_.max_finite_code()) &&
                               std::fabs(exact.hi) > decode_double(y_, y_.max_finite_code());
        const bool overflowed = saturated || is_inf(y_, code) || std::isinf(exact.hi);
        error_[i] = overflowed ? 0 : error_of(exact, decode_double(y_, code));
        return;
    }
    error_[i] = error_of(exact, decode_double(y_, code));
    inexact_.push_back({i, beyond_half(exact, decode_double(y_, code), ulp_of(y_, exact_[i]) / 2)});
}

void RowJudgement::fail(int64_t i, std::string reason) {
    ++result_.inadmissible;
    if (result_.verdict == Verdict::fail) return;
    result_.verdict = Verdict::fail;
    result_.failing = i;
    result_.reason = std::move(reason);
}

void RowJudgement::judge_elements(const Elements& elements) {
    for (const auto [i, beyond] : inexact_) {
        if (options_.stop_at_failure && result_.verdict == Verdict::fail) return;
        const bool admissible = elements.admissible(i, rank(y_, outputs_.y[i]));
        if (!admissible) fail(i, wrong_y);
        if (!(beyond > 0)) continue;
        const Upper width = elements.half_width(i);
        if (width.value > 0 && std::isfinite(beyond))
            result_.slack = std::max(result_.slack, stated(static_cast<double>(beyond / width.value)));
        else if (!admissible)
            result_.slack = infinity;
    }
}

void RowJudgement::judge_pair(const RowProgram& program) {
    const auto pair = explaining_pair(state_, row_, outputs_, program.scenarios[0], *program.search);
    if (pair) {
        const Elements elements(state_, row_, *pair);
        result_.bits = distance_bits(elements) + pair_bits(state_.contract, program.scenarios[0], *pair);
        return;
    }
    fail(inexact_.empty() ? 0 : inexact_[0].index, "no admissible pair of stored statistics gives this row");
}

double RowJudgement::distance_bits(const Elements& elements) const {
    double bits = 0;
    for (int64_t i = 0; i < state_.cols; ++i) {
        if (!is_plain(state_, i)) continue;
        bits += bits_of(static_cast<double>(rank_distance(rank(y_, outputs_.y[i]), elements.target(i).rank)));
    }
    return bits;
}

bool RowJudgement::all_admissible(const Elements& elements) const {
    for (int64_t i = 0; i < state_.cols; ++i) {
        if (!is_plain(state_, i)) continue;
        if (is_nan(y_, outputs_.y[i]) || !elements.admissible(i, rank(y_, outputs_.y[i]))) return false;
    }
    return true;
}

// Row error over the ulp of the largest exact output; elementwise error where nothing cancelled.
void RowJudgement::summarize_errors() {
    double largest = 0;
    double terms = 0;
    for (int64_t i = 0; i < state_.cols; ++i) {
        const double beta = state_.parameters.beta.empty() ? 0 : state_.parameters.beta[i];
        largest = std::max(largest, std::fabs(exact_[i]));
        terms = std::max({terms, std::fabs(exact_[i] - beta), std::fabs(beta)});
        if (!(stated(error_[i]) <= result_.absolute_error)) {
            result_.absolute_error = stated(error_[i]);
            result_.worst = i;
        }
    }
    for (int64_t i = 0; i < state_.cols; ++i) {
        if (std::fabs(exact_[i]) < terms * 0x1p-8)
            ++result_.cancelled;
        else if (exact_[i] != 0)
            result_.element_error = std::max(result_.element_error, stated(error_[i] / ulp_of(y_, exact_[i])));
    }
    if (largest > 0 && std::isfinite(largest)) result_.row_error = result_.absolute_error / ulp_of(y_, largest);
}

void RowJudgement::place(const Dyadic& spread) {
    double largest = 0;
    for (const double value : exact_) largest = std::max(largest, std::fabs(value));
    const Placement placement = place_row(state_.contract, row_, spread, largest);
    result_.regime = placement.regime;
    result_.log2_ratio = stated_log2(placement.log2_ratio);
}

// A saved statistic must be admissible under one of the scenarios, or lie in the range that is searched.
void RowJudgement::judge_statistics(const RowProgram& program) {
    const Format& stats = format(state_.contract.stats);
    const auto mean_loss = [&](const Scenario& s) {
        return program.search ? program.search->mean_error : s.loss.mean_error + row_.loss.mean;
    };
    const auto rstd_width = [&](const Scenario& s) {
        return program.search ? searched_rstd_loss(program, s) : rstd_loss(s);
    };
    const auto admits = [&](uint64_t got, auto stretch, auto loss) {
        return statistic_is_admissible<Exact>(stats, got, program.scenarios, stretch, loss);
    };
    if (outputs_.mean && state_.contract.norm == Norm::layer &&
        !admits(*outputs_.mean, [](const Scenario& s) { return mean_stretch(s); }, mean_loss))
        fail(-1, wrong_mean);
    if (outputs_.rstd && !admits(*outputs_.rstd, [](const Scenario& s) { return rstd_stretch(s); }, rstd_width))
        fail(-1, wrong_rstd);
}

// Half width of an interval about the target's rstd that holds all that is searched.
Upper RowJudgement::searched_rstd_loss(const RowProgram& program, const Scenario& target) const {
    const Format& stored = format(*state_.contract.stored_at(Point::rstd));
    const double low = to_double(value_of_rank(stored, program.search->lowest_rstd));
    const double high = to_double(value_of_rank(stored, program.search->highest_rstd));
    const double middle = to_double(target.rstd_number);
    return Upper(std::fmax(std::fabs(high - middle), std::fabs(middle - low)));
}

void RowJudgement::judge_residual_out() {
    if (!residual_out_is_right(state_.contract, row_, outputs_)) fail(-1, wrong_residual_out);
}

// The same judgement with the probabilistic bound, asked only of independent random values.
void RowJudgement::ask_probability() {
    if (inexact_.empty() || state_.cols < shortest_probable) return;
    const RowProgram program = row_program(state_.contract, row_.sums, row_.loss, {.probabilistic = true});
    if (program.scenarios.empty()) return;
    for (const Scenario& scenario : program.scenarios)
        if (all_admissible(Elements(state_, row_, scenario))) return;
    result_.verdict = Verdict::suspect;
    result_.reason = suspect_reason;
    result_.failing = inexact_[0].index;
}

}  // namespace normcheck
