// The pipeline from the denominator to the scenario: reciprocal, shift, and the bounds that go with them.
#pragma once

#include <utility>

#include "oracles/pipeline.hpp"

namespace normcheck {

// Of the last step to rstd: a division, or what the contract declares. One ulp is at most 2 u of the value.
template <class A>
typename Pipeline<A>::Upper Pipeline<A>::reciprocal_roundoff() const {
    switch (contract_.rsqrt.kind) {
        case RsqrtKind::exact:
            return moments_.roundoff;
        case RsqrtKind::rel:
            return Upper(contract_.rsqrt.error);
        case RsqrtKind::ulp:
            return Upper(2 * contract_.rsqrt.error) * moments_.roundoff;
    }
    return moments_.roundoff;
}

inline Upper mean_magnitude(const BasicScenario<Exact>& s) {
    return upper_magnitude(s.mean_number) / lower_magnitude(s.mean_scale);
}
inline Bound mean_magnitude(const BasicScenario<Certified>& s) {
    return upper_magnitude(Near(s.mean_centre) + s.mean_rest);
}

// Turns the stage's relative errors into the scenario's loss.
template <class A>
void Pipeline<A>::finish_bounds(Stage<A>& stage) {
    Scenario& s = stage.scenario;
    BasicLoss<A>& loss = s.loss;
    const Lower exact_denominator =
        (sqrt(lower_magnitude(s.radicand)) + lower_magnitude(s.offset)) / upper_magnitude(s.rstd_number);
    const bool exact_input = stage.stored || is_zero(input_.root_mean_square);
    const Lower d = exact_input ? exact_denominator : denominator_at(stage, variance_low(stage));
    const Upper e = loss.mean_error;
    if (!below(stage.relative_beyond, Upper(1)) || is_zero(d))
        return outside("the bound says nothing: the denominator may vanish");
    loss.reciprocal = Upper(1) / d;
    loss.rstd_relative = stage.relative_beyond / (Lower(1) - stage.relative_beyond);
    loss.rstd_relative = chain(loss.rstd_relative, reciprocal_roundoff());
    loss.mean_term = e * loss.reciprocal;
    loss.gap = Upper(0);
    if (stage.shifted && !is_zero(e)) {
        const Lower v = variance_low(stage);
        const Lower shifted = shifted_variance(stage, v);
        const Lower d_shifted = denominator_at(stage, shifted);
        loss.mean_term = e / d_shifted;
        loss.gap = min(loss.reciprocal, e * e / ((root_at(stage, v) + root_at(stage, shifted)) * d * d_shifted));
    }
    loss.gap = loss.gap + (stage.stored ? Upper(0) : input_.root_mean_square * loss.reciprocal * loss.reciprocal);
    loss.mean_term =
        loss.mean_term + (layer() && !contract_.stored_at(Point::mean) ? input_.mean * loss.reciprocal : Upper(0));
    const Upper largest_denominator =
        (sqrt(upper_magnitude(s.radicand)) + upper_magnitude(s.offset)) / lower_magnitude(s.rstd_number);
    loss.rstd_relative = loss.rstd_relative + moments_.underflow * largest_denominator;
    if (contract_.range == Range::acc && below(moments_.largest, loss.reciprocal))
        outside("rstd leaves the accumulator's range");
    if (contract_.range == Range::acc && radicand_leaves_range(s))
        outside("variance and epsilon together leave the accumulator's range");
}

// range=acc: squares have been looked at before; here epsilon has been added to their mean.
template <class A>
bool Pipeline<A>::radicand_leaves_range(const Scenario& s) const {
    if (eps_is_outside() || contract_.eps_at == EpsAt::max_norm) return false;
    const Upper root = sqrt(upper_magnitude(s.radicand)) / lower_magnitude(s.rstd_number);
    return below(moments_.largest, root * root * Upper(1.5L));
}

template <class A>
void Pipeline<A>::reciprocal(Stage<A>& stage) {
    if (bounded()) finish_bounds(stage);
    if (program_.outside != nullptr) return;
    if (!contract_.stored_at(Point::rstd)) {
        convert(stage.scenario);
        return shift(stage.scenario);
    }
    Scenario& s = stage.scenario;
    store(Point::rstd, rstd_stretch(s), rstd_loss(s), [&](const Stored& stored_value) {
        Scenario stored = s;
        stored.rstd_number = stored_value.value;
        stored.radicand = Real{};
        stored.offset = A::integer(1);
        stored.loss.gap = stored_value.error;
        stored.loss.rstd_relative = Upper(0);
        stored.loss.reciprocal = upper_magnitude(stored_value.value) + stored_value.error;
        stored.loss.mean_term = stored.loss.mean_error * stored.loss.reciprocal;
        shift(stored);
    });
}

// Statistics kept wider than the elements' arithmetic are rounded once on the way to it.
template <class A>
void Pipeline<A>::convert(Scenario& s) const {
    if (!bounded() || format(contract_.moments).significand_bits <= format(contract_.acc).significand_bits) return;
    s.loss.rstd_relative = chain(s.loss.rstd_relative, acc_.roundoff);
    if (!layer() || contract_.stored_at(Point::mean)) return;
    const Upper mean = mean_magnitude(s);
    const Upper rounding = acc_.roundoff * (mean + s.loss.mean_error);
    s.loss.mean_error = s.loss.mean_error + rounding;
    s.loss.mean_term = s.loss.mean_term + rounding * s.loss.reciprocal * (Upper(1) + s.loss.rstd_relative);
}

template <class A>
void Pipeline<A>::shift(Scenario& s) {
    if (!contract_.stored_at(Point::shift)) {
        program_.scenarios.push_back(std::move(s));
        return;
    }
    const Upper mean = mean_magnitude(s);
    const Upper reciprocal = s.loss.reciprocal * (Upper(1) + s.loss.rstd_relative);
    const Upper loss = s.loss.mean_term + mean * (s.loss.gap + s.loss.rstd_relative * s.loss.reciprocal) +
                       rounding() * (mean + s.loss.mean_error) * reciprocal + moments_.underflow;
    store(Point::shift, shift_stretch(s), loss, [&](const Stored& stored_value) {
        Scenario stored = s;
        stored.shift = stored_value.value;
        stored.loss.mean_term = stored_value.error;
        program_.scenarios.push_back(std::move(stored));
    });
}

}  // namespace normcheck
