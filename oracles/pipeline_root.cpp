// The pipeline from the variance to the denominator: every placement of eps.
#include <algorithm>
#include <cmath>

#include "oracles/pipeline.hpp"

namespace normcheck {
namespace {

// The error of a stored value that stands for an interval, relative to it.
Upper relative_error(const StoredValue& stored) {
    if (stored.error.value == 0) return Upper(0);
    const Lower size = lower_magnitude(stored.value);
    return size.value > 0 ? stored.error / size : Upper(HUGE_VALL);
}

Upper ratio(Upper absolute, Lower to) {
    if (absolute.value == 0) return Upper(0);
    return to.value > 0 ? absolute / to : Upper(HUGE_VALL);
}

bool adds_under_root(EpsAt at) {
    return at == EpsAt::inside || at == EpsAt::inside_and_outside || at == EpsAt::on_sum;
}

bool adds_to_root(EpsAt at) {
    return at == EpsAt::outside || at == EpsAt::inside_and_outside;
}

// Placements whose implementation rounds a factor that holds n on the way.
bool scales_by_count(EpsAt at) {
    return at == EpsAt::on_sum || at == EpsAt::on_count || at == EpsAt::max_norm;
}

// value * relative, or, where the value itself is lost, the error that is known absolutely and the few roundings on
// top.
Upper absolute_error(Upper value, Upper relative, Upper known) {
    if (relative.value < 1) return value * relative;
    return Upper(1.1L) * known + Upper(0.1L) * value;
}

// The stage after a stored value: from here on the number under the root is exact, or off by the width that the value
// stands for.
Stage stored_root(Stage stage, const StoredValue& stored, const Dyadic& radicand, Upper error) {
    stage.scenario.radicand = radicand;
    stage.scenario.rstd_number = dyadic_integer(1);
    stage.shifted = false;
    stage.stored = true;
    stage.underflow = Upper(0);
    stage.error = error;
    stage.set_relative(relative_error(stored));
    return stage;
}

}  // namespace

// The root and the denominator as functions of the variance; all grow with it, by at most as much as sqrt(v) does.
Lower Pipeline::root_at(const Stage& stage, Lower v) const {
    const Lower eps = lower_magnitude(stage.eps);
    const Upper count(static_cast<long double>(sums_.n));
    switch (contract_.eps_at) {
        case EpsAt::inside:
        case EpsAt::inside_and_outside:
            return sqrt(v + eps);
        case EpsAt::max_variance:
            return sqrt(max(v, eps));
        case EpsAt::max_norm:
            return max(sqrt(v), eps / sqrt(count));
        case EpsAt::on_sum:
            return sqrt(v + eps / count);
        case EpsAt::on_count:
            return sqrt(v * (lower_magnitude(n()) / (count + upper_magnitude(stage.eps))));
        case EpsAt::outside:
        case EpsAt::max_std:
        case EpsAt::none:
            return sqrt(v);
    }
    return sqrt(v);
}

Lower Pipeline::denominator_at(const Stage& stage, Lower v) const {
    const Lower root = root_at(stage, v);
    const Lower eps = lower_magnitude(stage.eps);
    if (contract_.eps_at == EpsAt::outside || contract_.eps_at == EpsAt::inside_and_outside) return root + eps;
    return contract_.eps_at == EpsAt::max_std ? max(root, eps) : root;
}

Lower Pipeline::shifted_variance(const Stage& stage, Lower v) const {
    const Lower e(stage.shifted ? stage.scenario.loss.mean_error.value : 0.0L);
    return v + e * e;
}

// The number under the root: radicand / rstd_number^2 with the exact expression of the design.
void Pipeline::root(Stage stage) {
    Scenario& s = stage.scenario;
    if ((contract_.eps_at == EpsAt::max_norm || contract_.eps_at == EpsAt::on_sum) && !(stage.scale == n())) {
        stage.spread = stage.spread * n() * n();
        stage.scale = n();
    }
    const Dyadic scaled_eps = stage.scale * stage.scale * stage.eps;
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
    if (!program_.outside.empty()) return;
    if (contract_.stored_at(Point::radicand)) return store_radicand(stage);
    square_root(stage);
}

// Turns the absolute errors of the variance into relative ones of the number under the root.
void Pipeline::root_relative(Stage& stage) {
    const Lower v = variance_low(stage);
    const Lower root = root_at(stage, v);
    const Lower root_shifted = root_at(stage, shifted_variance(stage, v));
    const Machine& m = moments_;
    const bool has_eps = stage.eps.mantissa != 0;
    const bool eps_is_held =
        decode_double(*m.format, round_double(*m.format, contract_.eps.value)) == contract_.eps.value;
    const Upper eps_rounding = has_eps && !eps_is_held ? m.roundoff : Upper(0);
    const bool eps_may_vanish = has_eps && (!eps_is_held || contract_.eps_at == EpsAt::on_sum);
    Upper absolute = eps_may_vanish ? m.underflow : Upper(0);
    if (!eps_is_outside()) absolute = absolute + stage.underflow;  // else see denominator()
    Upper steps = chain(eps_rounding, rounding(has_eps && adds_under_root(contract_.eps_at)));
    if (scales_by_count(contract_.eps_at)) steps = chain(steps, chain(rounding(), rounding()));
    stage.relative = chain(ratio(stage.error + absolute, root * root), steps);
    stage.relative_beyond =
        chain(ratio(stage.error_beyond, root_shifted * root_shifted) + ratio(absolute, root * root), steps);
}

void Pipeline::store_radicand(Stage stage) {
    const Scenario& s = stage.scenario;
    const Stretch exact{s.radicand, {}, s.rstd_number * s.rstd_number, {}};
    const Upper value = upper_magnitude(s.radicand) / (lower_magnitude(s.rstd_number) * lower_magnitude(s.rstd_number));
    store(Point::radicand, exact, absolute_error(value, stage.relative, stage.error),
          [&](const StoredValue& kept) { square_root(stored_root(stage, kept, kept.value, kept.error)); });
}

// |sqrt(1 + d) - 1| <= 1 - sqrt(1 - a) = a / (1 + sqrt(1 - a)) for |d| <= a < 1.
Upper Pipeline::deviation(Upper relative) const {
    return relative / (Lower(1) + sqrt(Lower(1) - relative));
}

void Pipeline::square_root(Stage stage) {
    Scenario& s = stage.scenario;
    if (bounded()) {
        if (!(stage.relative_beyond.value < 1)) {
            wide_ = contract_.norm == Norm::layer && contract_.variance == Variance::welford;
            return outside(contract_.variance == Variance::one_pass && layer()
                               ? "a one-pass variance may cancel to nothing or below here"
                               : "the bound says nothing: the variance may be lost");
        }
        const bool rounds = contract_.rsqrt.kind == RsqrtKind::exact || contract_.stored_at(Point::std) ||
                            adds_to_root(contract_.eps_at) || contract_.eps_at == EpsAt::max_std;
        const Upper grown = stage.relative.value < 1 ? deviation(stage.relative) : stage.relative;
        stage.relative = chain(grown, rounding(rounds));
        stage.relative_beyond = chain(deviation(stage.relative_beyond), rounding(rounds));
    }
    if (!contract_.stored_at(Point::std)) return denominator(stage);
    const Stretch exact = sign(s.radicand) == 0
                              ? constant_stretch({})
                              : Stretch{s.radicand, s.radicand * s.rstd_number * s.rstd_number, {}, {}};
    const Upper value = sqrt(upper_magnitude(s.radicand)) / lower_magnitude(s.rstd_number);
    store(Point::std, exact, absolute_error(value, stage.relative, sqrt(stage.error)), [&](const StoredValue& kept) {
        denominator(stored_root(stage, kept, kept.value * kept.value, kept.error * kept.error));
    });
}

void Pipeline::denominator(Stage stage) {
    Scenario& s = stage.scenario;
    const Dyadic scaled_eps = s.rstd_number * stage.eps;
    const bool adds = adds_to_root(contract_.eps_at);
    if (adds) s.offset = scaled_eps;
    if (contract_.eps_at == EpsAt::max_std && s.radicand < scaled_eps * scaled_eps) {
        s.radicand = Dyadic{};
        s.offset = scaled_eps;
    }
    if (sign(s.radicand) == 0 && sign(s.offset) == 0) return outside("0/0: the row has no spread and eps adds none");
    if (bounded()) {
        // sqrt(v + a) - sqrt(v) <= sqrt(a): an underflow that eps outside the root still covers.
        const Lower d = denominator_at(stage, variance_low(stage));
        const Upper lost = chain(eps_is_outside() ? ratio(sqrt(stage.underflow), d) : Upper(0),
                                 rounding(adds && stage.eps.mantissa != 0));
        stage.relative = chain(stage.relative, lost);
        stage.relative_beyond = chain(stage.relative_beyond, lost);
    }
    if (!contract_.stored_at(Point::denominator)) return reciprocal(stage);
    const Upper value =
        (sqrt(upper_magnitude(s.radicand)) + upper_magnitude(s.offset)) / lower_magnitude(s.rstd_number);
    // (sqrt(R) + c eps) / c = R / sqrt(R c^2) + eps: the root has to stand in the denominator.
    const Stretch exact = sign(s.radicand) == 0 ? Stretch{s.offset, {}, s.rstd_number, {}}
                                                : Stretch{s.radicand,
                                                          s.radicand * s.rstd_number * s.rstd_number,
                                                          {},
                                                          sign(s.offset) == 0 ? Dyadic{} : stage.eps};
    store(Point::denominator, exact, absolute_error(value, stage.relative, sqrt(stage.error)),
          [&](const StoredValue& kept) {
              if (sign(kept.value) == 0) return outside("0/0: a denominator of 0 is stored");
              Stage stored = stored_root(stage, kept, Dyadic{}, kept.error * kept.error);
              stored.scenario.offset = kept.value;
              reciprocal(stored);
          });
}

}  // namespace normcheck
