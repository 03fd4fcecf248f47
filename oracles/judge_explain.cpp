// Everything about one output element, for explanations.
#include <cmath>

#include "oracles/judge_state.hpp"

namespace normcheck {
namespace {

struct Measured {
    const Format& format;
    RankRange range;
    double exact;
    double loss;
};

void fill(ElementStory& story, const Measured& m) {
    const Format& f = m.format;
    story.format = f.id;
    story.target = code_of_rank(f, m.range.target);
    story.lowest = code_of_rank(f, m.range.lowest);
    story.highest = code_of_rank(f, m.range.highest);
    story.exact = m.exact;
    story.half_width = m.loss;
    if (is_nan(f, story.got)) {
        story.error = HUGE_VAL;
        story.admissible = false;
        return;
    }
    const int64_t got = rank(f, story.got);
    story.distance = rank_distance(got, m.range.target);
    const double distance = std::fabs(decode_double(f, story.got) - m.exact);
    story.error = stated(distance / std::ldexp(1.0, spacing_exponent(f, m.exact)));  // as the row's is
    if (is_inf(f, story.got) && got == m.range.target) story.error = 0;
    story.admissible = m.range.lowest <= got && got <= m.range.highest;
}

Measured statistic(const JudgeState& state, const Stretch& exact, Upper loss) {
    const Format& stats = format(state.contract.stats);
    return {stats, round_range(stats, exact, loss), approximate(exact).convert_to<double>(), to_double_up(loss)};
}

// Distance, in ulp of y, to the formula without any rounding before the last.
double formula_distance(const JudgeState& state, const Row& row, int64_t i, uint64_t got) {
    Contract plain = state.contract;
    plain.stored = {};
    plain.cast = Cast::last;
    const RowProgram program = row_program(plain, row.sums, row.loss, {.target_only = true});
    if (program.scenarios.empty()) return HUGE_VAL;
    const ElementProgram elements(plain, program.scenarios[0],
                                  {row.s, state.parameters.gamma, state.parameters.beta, {}});
    const Approximation exact = elements.approximate(Place::y, {}, i);
    const Format& y = format(state.contract.y);
    return std::fabs((decode_double(y, got) - exact.hi) - exact.lo) / std::ldexp(1.0, spacing_exponent(y, exact.hi));
}

void explain_y(const JudgeState& state, const Row& row, const RowProgram& program, ElementStory& story) {
    const int64_t i = story.index;
    const Elements elements(state, row, program.scenarios[0]);
    const Approximation exact = elements.target(i).exact;
    fill(story, {format(state.contract.y), elements.y_hull(i), exact.hi, to_double_up(elements.half_width(i))});
    if (!is_nan(format(state.contract.y), story.got))
        story.admissible = elements.admissible(i, rank(format(state.contract.y), story.got));
    story.formula_distance = formula_distance(state, row, i, story.got);
    const double beta = state.parameters.beta.empty() ? 0 : state.parameters.beta[i];
    story.cancelled = std::fabs(exact.hi) < 0x1p-8 * std::max(std::fabs(exact.hi - beta), std::fabs(beta));
    const Loss& loss = program.scenarios[0].loss;
    story.why = loss.mean_term.value > loss.rstd_relative.value ? "the mean's rounding decides the width"
                                                                : "the reciprocal root's rounding decides the width";
    if (loss.mean_term.value == 0 && loss.rstd_relative.value == 0)
        story.why = "the statistics are exact: only the last steps round";
}

void explain_special(const JudgeState& state, const Row& row, ElementStory& story) {
    const SpecialTarget target = special_target(state, row, story.index);
    story.target = story.lowest = story.highest = target.code;
    story.exact = decode_double(format(state.contract.y), target.code);
    story.admissible = matches(format(state.contract.y), target, story.got);
    story.why = "the row holds NaN or Inf: the special rule decides";
}

}  // namespace

ElementStory Judge::explain(const RowInputs& inputs, const RowOutputs& outputs, Output output, int64_t index) const {
    const State& state = *state_;
    const Row row = read_row(state.contract, state.cols, inputs);
    ElementStory story;
    story.output = output;
    story.index = index;
    story.format = state.contract.y;
    story.got = output == Output::y              ? outputs.y[index]
                : output == Output::residual_out ? outputs.residual_out[index]
                : output == Output::mean         ? outputs.mean.value_or(0)
                                                 : outputs.rstd.value_or(0);
    if (output == Output::residual_out) {
        story.format = state.contract.x;
        story.target = story.lowest = story.highest = row.residual_out[index];
        story.admissible = rank(format(story.format), story.got) == rank(format(story.format), story.target);
        story.exact = decode_double(format(story.format), story.target);
        story.why = "x + residual is rounded once";
        return story;
    }
    if (!row.special.empty()) {
        explain_special(state, row, story);
        return story;
    }
    const RowProgram program = row_program(state.contract, row.sums, row.loss, {});
    if (program.scenarios.empty()) {
        story.why = std::string("outside: ") + program.outside;
        return story;
    }
    const Scenario& target = program.scenarios[0];
    if (output == Output::mean)
        fill(story, statistic(state, mean_stretch(target), target.loss.mean_error + row.loss.mean));
    else if (output == Output::rstd)
        fill(story, statistic(state, rstd_stretch(target), rstd_loss(target)));
    else
        explain_y(state, row, program, story);
    return story;
}

}  // namespace normcheck
