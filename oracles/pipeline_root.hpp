// The pipeline from the variance to the denominator: every placement of eps.
#pragma once

#include "oracles/pipeline.hpp"

namespace normcheck {
// The error of a stored value that stands for an interval, relative to it.
template <class A>
typename A::Upper relative_error(const StoredValue<A>& stored) {
    using Up = typename A::Upper;
    if (is_zero(stored.error)) return Up(0);
    const auto size = lower_magnitude(stored.value);
    return is_zero(size) ? Up(HUGE_VALL) : stored.error / size;
}

template <class Upper, class Lower>
Upper ratio(Upper absolute, Lower to) {
    if (!is_zero(to)) return absolute / to;
    return is_zero(absolute) ? Upper(0) : Upper(HUGE_VALL);
}

inline bool adds_under_root(EpsAt at) {
    return at == EpsAt::inside || at == EpsAt::inside_and_outside || at == EpsAt::on_sum;
}

inline bool adds_to_root(EpsAt at) {
    return at == EpsAt::outside || at == EpsAt::inside_and_outside;
}

// Placements whose implementation rounds a factor that holds n on the way.
inline bool scales_by_count(EpsAt at) {
    return at == EpsAt::on_sum || at == EpsAt::on_count || at == EpsAt::max_norm;
}

// value * relative, or, where the value itself is lost, the error that is known absolutely and the few roundings on
// top.
template <class Upper>
Upper absolute_error(Upper value, Upper relative, Upper known) {
    if (below(relative, Upper(1))) return value * relative;
    return Upper(1.1L) * known + Upper(0.1L) * value;
}

// The stage after a stored value: from here on the number under the root is exact, or off by the width that the value
// stands for.
template <class A>
Stage<A> stored_root(Stage<A> stage, const StoredValue<A>& stored, const typename A::Real& radicand,
                     typename A::Upper error) {
    using Up = typename A::Upper;
    stage.scenario.radicand = radicand;
    stage.scenario.rstd_number = A::integer(1);
    stage.shifted = false;
    stage.stored = true;
    stage.underflow = Up(0);
    stage.error = error;
    stage.set_relative(relative_error<A>(stored));
    return stage;
}

// The number under the root, the root and the denominator as functions of the variance; all grow with it, the root and
// the denominator by at most as much as sqrt(v) does.
template <class A>
typename Pipeline<A>::Lower Pipeline<A>::square_at(const Stage<A>& stage, Lower v) const {
    const Lower eps = lower_magnitude(stage.eps);
    switch (contract_.eps_at) {
        case EpsAt::inside:
        case EpsAt::inside_and_outside:
            return v + eps;
        case EpsAt::max_variance:
            return max(v, eps);
        case EpsAt::max_norm:
            return max(v, eps * (eps / A::whole(sums_.n)));
        case EpsAt::on_sum:
            return v + eps / A::whole(sums_.n);
        case EpsAt::on_count:
            return v * (lower_magnitude(n()) / (A::whole(sums_.n) + upper_magnitude(stage.eps)));
        case EpsAt::outside:
        case EpsAt::max_std:
        case EpsAt::none:
            return v;
    }
    return v;
}

template <class A>
typename Pipeline<A>::Lower Pipeline<A>::root_at(const Stage<A>& stage, Lower v) const {
    return sqrt(square_at(stage, v));
}

template <class A>
typename Pipeline<A>::Lower Pipeline<A>::denominator_at(const Stage<A>& stage, Lower v) const {
    const Lower root = root_at(stage, v);
    const Lower eps = lower_magnitude(stage.eps);
    if (contract_.eps_at == EpsAt::outside || contract_.eps_at == EpsAt::inside_and_outside) return root + eps;
    return contract_.eps_at == EpsAt::max_std ? max(root, eps) : root;
}

template <class A>
typename Pipeline<A>::Lower Pipeline<A>::shifted_variance(const Stage<A>& stage, Lower v) const {
    const Lower e = stage.shifted ? as_lower(stage.scenario.loss.mean_error) : Lower(0);
    return v + e * e;
}

// The number under the root: radicand / rstd_number^2 with the exact expression of the design.
template <class A>
void Pipeline<A>::root(Stage<A>& stage) {
    Scenario& s = stage.scenario;
    if ((contract_.eps_at == EpsAt::max_norm || contract_.eps_at == EpsAt::on_sum) && !(stage.scale == n())) {
        stage.spread = stage.spread * n() * n();
        stage.scale = n();
    }
    const Real scaled_eps = stage.scale * stage.scale * stage.eps;
    s.rstd_number = stage.scale;
    switch (contract_.eps_at) {
        case EpsAt::inside:
        case EpsAt::inside_and_outside:
            s.radicand = stage.spread + scaled_eps;
            break;
        case EpsAt::max_variance:
            s.radicand = max(stage.spread, scaled_eps);
            break;
        case EpsAt::max_norm:
            s.radicand = max(stage.spread, n() * stage.eps * stage.eps);
            break;
        case EpsAt::on_sum:
            s.radicand = stage.spread + n() * stage.eps;
            break;
        case EpsAt::on_count:
            s.radicand = stage.spread * n() * (n() + stage.eps);
            s.rstd_number = stage.scale * (n() + stage.eps);
            break;
        case EpsAt::outside:
        case EpsAt::max_std:
        case EpsAt::none:
            s.radicand = stage.spread;
            break;
    }
    if (bounded()) root_relative(stage);
    if (program_.outside != nullptr) return;
    if (contract_.stored_at(Point::radicand)) return store_radicand(stage);
    square_root(stage);
}

// Turns the absolute errors of the variance into relative ones of the number under the root.
template <class A>
void Pipeline<A>::root_relative(Stage<A>& stage) {
    const Lower v = variance_low(stage);
    const Lower square = square_at(stage, v);
    const Lower square_shifted = stage.shifted ? square_at(stage, shifted_variance(stage, v)) : square;
    const BasicMachine<A>& m = moments_;
    const bool has_eps = sign(stage.eps) != 0;
    const bool eps_is_held = is_value(*m.format, contract_.eps.value);
    const Upper eps_rounding = has_eps && !eps_is_held ? m.roundoff : Upper(0);
    const bool eps_may_vanish = has_eps && (!eps_is_held || contract_.eps_at == EpsAt::on_sum);
    Upper absolute = eps_may_vanish ? m.underflow : Upper(0);
    if (!eps_is_outside()) absolute = absolute + stage.underflow;  // else see denominator()
    Upper steps = chain(eps_rounding, rounding(has_eps && adds_under_root(contract_.eps_at)));
    if (scales_by_count(contract_.eps_at)) steps = chain(steps, chain(rounding(), rounding()));
    stage.relative = chain(ratio(stage.error + absolute, square), steps);
    stage.relative_beyond = chain(ratio(stage.error_beyond, square_shifted) + ratio(absolute, square), steps);
}

template <class A>
void Pipeline<A>::store_radicand(const Stage<A>& stage) {
    const Scenario& s = stage.scenario;
    const Stretch exact{s.radicand, {}, s.rstd_number * s.rstd_number, {}};
    const Upper value = upper_magnitude(s.radicand) / (lower_magnitude(s.rstd_number) * lower_magnitude(s.rstd_number));
    store(Point::radicand, exact, absolute_error(value, stage.relative, stage.error), [&](const Stored& kept) {
        Stage<A> stored = stored_root<A>(stage, kept, kept.value, kept.error);
        square_root(stored);
    });
}

// |sqrt(1 + d) - 1| <= 1 - sqrt(1 - a) = a / (1 + sqrt(1 - a)) for |d| <= a < 1.
template <class A>
typename Pipeline<A>::Upper Pipeline<A>::deviation(Upper relative) const {
    return relative / (Lower(1) + sqrt(Lower(1) - relative));
}

template <class A>
void Pipeline<A>::square_root(Stage<A>& stage) {
    Scenario& s = stage.scenario;
    if (bounded()) {
        if (!below(stage.relative_beyond, Upper(1))) {
            wide_ = contract_.norm == Norm::layer && contract_.variance == Variance::welford;
            return outside(contract_.variance == Variance::one_pass && layer()
                               ? "a one-pass variance may cancel to nothing or below here"
                               : "the bound says nothing: the variance may be lost");
        }
        const bool rounds = contract_.rsqrt.kind == RsqrtKind::exact || contract_.stored_at(Point::std) ||
                            adds_to_root(contract_.eps_at) || contract_.eps_at == EpsAt::max_std;
        const Upper grown = below(stage.relative, Upper(1)) ? deviation(stage.relative) : stage.relative;
        stage.relative = chain(grown, rounding(rounds));
        stage.relative_beyond = chain(deviation(stage.relative_beyond), rounding(rounds));
    }
    if (!contract_.stored_at(Point::std)) return denominator(stage);
    const Stretch exact = sign(s.radicand) == 0
                              ? Stretch{Real{}, Real{}, A::integer(1), Real{}}
                              : Stretch{s.radicand, s.radicand * s.rstd_number * s.rstd_number, {}, {}};
    const Upper value = sqrt(upper_magnitude(s.radicand)) / lower_magnitude(s.rstd_number);
    store(Point::std, exact, absolute_error(value, stage.relative, sqrt(stage.error)), [&](const Stored& kept) {
        Stage<A> stored = stored_root<A>(stage, kept, kept.value * kept.value, kept.error * kept.error);
        denominator(stored);
    });
}

template <class A>
void Pipeline<A>::denominator(Stage<A>& stage) {
    Scenario& s = stage.scenario;
    const bool adds = adds_to_root(contract_.eps_at);
    if (adds) s.offset = s.rstd_number * stage.eps;
    if (contract_.eps_at == EpsAt::max_std) {
        const Real scaled_eps = s.rstd_number * stage.eps;
        if (s.radicand < scaled_eps * scaled_eps) {
            s.radicand = Real{};
            s.offset = scaled_eps;
        }
    }
    if (sign(s.radicand) == 0 && sign(s.offset) == 0) return outside("0/0: the row has no spread and eps adds none");
    if (bounded()) {
        // sqrt(v + a) - sqrt(v) <= sqrt(a): an underflow that eps outside the root still covers.
        Upper lost(0);
        if (eps_is_outside()) lost = ratio(sqrt(stage.underflow), denominator_at(stage, variance_low(stage)));
        lost = chain(lost, rounding(adds && sign(stage.eps) != 0));
        stage.relative = chain(stage.relative, lost);
        stage.relative_beyond = chain(stage.relative_beyond, lost);
    }
    if (!contract_.stored_at(Point::denominator)) return reciprocal(stage);
    const Upper value =
        (sqrt(upper_magnitude(s.radicand)) + upper_magnitude(s.offset)) / lower_magnitude(s.rstd_number);
    // (sqrt(R) + c eps) / c = R / sqrt(R c^2) + eps: the root has to stand in the denominator.
    const Stretch exact =
        sign(s.radicand) == 0
            ? Stretch{s.offset, {}, s.rstd_number, {}}
            : Stretch{
                  s.radicand, s.radicand * s.rstd_number * s.rstd_number, {}, sign(s.offset) == 0 ? Real{} : stage.eps};
    store(Point::denominator, exact, absolute_error(value, stage.relative, sqrt(stage.error)), [&](const Stored& kept) {
        if (sign(kept.value) == 0) return outside("0/0: a denominator of 0 is stored");
        Stage<A> stored = stored_root<A>(stage, kept, Real{}, kept.error * kept.error);
        stored.scenario.offset = kept.value;
        reciprocal(stored);
    });
}

}  // namespace normcheck
