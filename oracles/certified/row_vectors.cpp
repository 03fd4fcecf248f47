// Outputs decided by the vector pass.
//
// Proof of the vector pass. With u = 2^-53, the exact c = s - mean = (s - centre) - rest, and rest, rstd enclosed by
// intervals of half widths r, R about their middles: the computed difference is off by u |s - centre| + u |c| + r, and
// |s - centre| <= |c| + |rest|; the products with rstd and gamma and the sum with beta add u of their results each, the
// enclosure of rstd R of it, and a gamma that is a pair u. Hence
//   |y - computed| <= doubt_g |g| + doubt_p |p| + 2 u |y|,    p = g c rstd
// with doubt_g = (u |rest| + r) rstd, doubt_p = 5 u + R / rstd; the second u of y covers the subtraction got - y
// wherever it matters, at distances of an ulp. Second-order terms are covered by factors of 1.01. As |y| is at most
// |p| + |b|, all of it grows with the same magnitudes as the width, and the pass takes a share of that, which is far
// below it, and a constant for what the width does not cover.
#include <cmath>

#include "oracles/certified/certified_row.hpp"

namespace normcheck::certified {

namespace {

/// Of |p|, |g| and |b|: coefficients, or the largest there are.
struct ByTerm {
    double p, g, b;
};

// doubt_w and doubt_0 such that doubt_w width + doubt_0 is at least the sum of the terms of `doubt`. The share is what
// the product asks for, or up to 16 times that; a term that asks for more of its part of the width, or has none, goes
// into the constant.
void share_doubt(ElementTask& task, const ByTerm& doubt, const ByTerm& largest) {
    double share = 0, constant = 0;
    if (task.width_p > 0)
        share = doubt.p / task.width_p;
    else
        constant = doubt.p * largest.p;
    const double most = 16 * share;
    const auto cover = [&](double term, double width, double size) {
        if (term <= share * width) return;
        if (term <= most * width)
            share = term / width;
        else
            constant += term * size;
    };
    cover(doubt.g, task.width_0, largest.g);
    cover(doubt.b, task.width_b, largest.b);
    if (task.width_0 < 0) constant -= task.width_0 * share * largest.g;
    task.doubt_w = share * 1.02;
    task.doubt_0 = constant * 1.02;
}

}  // namespace

ElementTask CertifiedRow::task(const NearElements& elements, const NearScenario& scenario) {
    const Parameters& parameters = state_.parameters;
    const Near rstd = elements.program().rstd();
    const double middle = rstd.lo / 2 + rstd.hi / 2;
    const double relative = (rstd.hi - rstd.lo) / rstd.lo;
    const Near rest = scenario.mean_rest;
    ElementTask task;
    task.centred = contract_.norm == Norm::layer;
    task.x = scratch().x.data();
    task.gamma = parameters.gamma.empty() ? nullptr : parameters.gamma_values.data();
    task.beta = parameters.beta.empty() ? nullptr : parameters.beta_values.data();
    task.got = packed(outputs_.y, contract_.y, n_, scratch().got_narrowed);
    task.n = n_;
    task.centre = scenario.mean_centre;
    task.rest = rest.lo / 2 + rest.hi / 2;
    task.rstd = middle;
    const double off_rest = u * std::fabs(task.rest) + (rest.hi - rest.lo);
    const double doubt_g = off_rest * middle * 1.01;
    const double doubt_p = (5 * u + (parameters.gamma_is_pair ? u : 0) + relative) * 1.01;

    // What c may be at most: the row's largest distance from its mean.
    const double g = largest_gamma();
    const double largest_c =
        task.centred ? 2.01 * facts_.sums.largest + std::fabs(scenario.mean_centre) * 0x1p-40 : facts_.sums.largest;
    const auto affine = elements.program().affine(Bound(g), Bound(largest_c));
    const double off_c = 1.01 * off_rest;
    task.width_p = affine.per_c.low() / middle * (1 - 0x1p-48);
    task.width_x = affine.per_x.low() * (1 - 0x1p-48);
    task.width_0 = affine.base.low() * (1 - 0x1p-48) - affine.per_c.high() * off_c;
    task.width_b = affine.per_b.low() * (1 - 0x1p-48);
    task.width_more = (affine.more.high() + 2.1 * g * affine.per_c.high() * off_c) * 1.01;
    task.smallest_power = power_of_two(y_.min_exponent());
    task.half_unit = power_of_two(-y_.significand_bits);

    // The largest |g xhat| or |b|, from the passes over x.
    const double product = facts_.largest_product * middle;
    // They are about the row's own mean; a stored one lies elsewhere.
    const double moved = task.centred ? std::fabs(scenario.mean_centre - facts_.sums.centre) * 1.01 : 0;
    const double off_product =
        g * (off_rest * 1.01 + std::fabs(task.rest) + moved) * middle + product * (8 * u + relative) * 1.01;
    const auto b = static_cast<double>(parameters.largest_beta.value);
    const double largest_b = parameters.beta.empty() ? 0 : b;
    terms_low_ = std::max((product - off_product) * (1 - 0x1p-50), largest_b * (1 - 0x1p-50));
    terms_high_ = std::max((product + off_product) * (1 + 0x1p-50), largest_b * (1 + 0x1p-50));
    const double doubt = (g * doubt_g + terms_high_ * doubt_p * 1.01 + 8 * u * terms_high_) * 2;
    task.cancelled_below = terms_low_ * cancelled_share - doubt;
    task.cancelled_above = terms_high_ * cancelled_share + doubt;
    task.error = scratch().error.data();
    largest_doubt_ = 0;
    if (is_all_mean(scenario)) return task;  // y = b: nothing is rounded
    share_doubt(task, {doubt_p + 2 * u, doubt_g, 2 * u}, {terms_high_, g, largest_b});
    largest_doubt_ = 1.1 * (g * doubt_g + terms_high_ * doubt_p) + 5 * u * terms_high_;
    return task;
}

// Whether every element is the scenario's mean exactly.
bool CertifiedRow::is_all_mean(const NearScenario& scenario) const {
    const NearSums& sums = facts_.sums;
    return contract_.norm == Norm::layer && sums.constant && scenario.mean_centre == sums.centre &&
           scenario.mean_rest.is_zero();
}

bool CertifiedRow::has_nan() const {
    for (int64_t i = 0; i < n_; ++i)
        if (is_nan(y_, got(i))) return true;
    return false;
}

// False where the row has to be looked at one by one.
bool CertifiedRow::vector_pass(const NearElements& elements, const NearScenario& scenario) {
    if (!state_.places.empty() || scenario.shift || !input_loss_.empty() || wide_ || !state_.parameters.finite)
        return false;
    task_ = task(elements, scenario);
    const double top = power_of_two(y_.max_exponent());
    const auto in_range = [](double a) { return a == 0 || (std::fabs(a) > 0x1p-400 && std::fabs(a) < 0x1p400); };
    if (!(terms_low_ > 0x1p-400) || !in_range(task_.rstd) || !in_range(task_.rest) || !in_range(terms_high_))
        return false;
    const ElementPass pass = passes().elements(task_);
    if (pass.correct + pass.incorrect != n_ && has_nan()) return false;
    // Near the end of the range, and where the codes of f16 that mean Inf or NaN are read as numbers.
    if (!(pass.largest_y + pass.largest_error < top)) return false;
    if (!pass.all_admissible) return false;
    result_.correctly_rounded = pass.correct;
    result_.cancelled = pass.surely_cancelled;
    const double doubt = largest_doubt_;
    largest_y_ = {std::max(0.0, pass.largest_y - doubt), pass.largest_y + doubt};
    absolute_ = {std::max(0.0, pass.largest_error - doubt) * (1 - 0x1p-50),
                 (pass.largest_error + doubt) * (1 + 0x1p-50)};
    element_ = {pass.element_low / 2, pass.element_high / 2};
    slack_ = {pass.slack_low, pass.slack_high};
    slack_of_pass_ = pass.slack_high;
    wide_of_pass_ = true;
    if (options_.errors && pass.surely_cancelled != pass.maybe_cancelled) settle_cancelled();
    if (pass.correct + pass.incorrect != n_) resolve_rest(elements);
    return true;
}

// What the vector pass made of one element, bit for bit.
CertifiedRow::Passed CertifiedRow::passed(int64_t i) const {
    const ElementTask& task = task_;
    Passed a;
    const double c = task.centred ? (task.x[i] - task.centre) - task.rest : task.x[i];
    const double g = task.gamma != nullptr ? task.gamma[i] : 1;
    a.y = c * task.rstd * g;
    a.width = task.width_p * std::fabs(a.y);
    if (task.centred) a.width += task.width_0 * std::fabs(g);
    if (task.width_x != 0) a.width += task.width_x * std::fabs(task.x[i]) * std::fabs(g);
    if (task.beta != nullptr) {
        a.y += task.beta[i];
        a.width += task.width_b * std::fabs(task.beta[i]);
    }
    a.doubt = task.doubt_w * a.width + task.doubt_0;
    return a;
}

CertifiedRow::Again CertifiedRow::again(int64_t i) const {
    const ElementTask& task = task_;
    Again a{passed(i)};
    a.error = task.error[i];
    const double size = std::fabs(a.y);
    const double power = std::ldexp(1.0, std::ilogb(std::max(size - a.doubt, task.smallest_power)));
    a.unit = power * task.half_unit;
    const double beyond = a.error - a.unit;
    const double towards = std::copysign(1.0, a.y) * decode_double(y_, got(i));
    a.correct = beyond + a.doubt < 0;
    a.decided = a.correct || (beyond > a.doubt && towards >= power);
    a.counts = size >= task.cancelled_above;
    return a;
}

// Elements on the brink of cancellation, as values of few bits have them: the brink itself is asked exactly.
void CertifiedRow::settle_cancelled() {
    const std::vector<double>& beta = state_.parameters.beta;
    const auto added = [&](int64_t i) { return beta.empty() ? 0.0 : beta[static_cast<size_t>(i)]; };
    double terms = 0;
    for (int64_t i = 0; i < n_; ++i) {
        const Again a = again(i);
        const double doubt = a.doubt + (std::fabs(a.y) + std::fabs(added(i))) * 0x1p-51;
        terms = std::max(terms, std::fabs(added(i)));
        if (std::fabs(a.y - added(i)) + doubt >= terms_low_)
            terms = std::max(terms, std::fabs(exact_value(i) - added(i)));
    }
    for (int64_t i = 0; i < n_; ++i) {
        const double size = std::fabs(again(i).y);
        if (size < task_.cancelled_below || size >= task_.cancelled_above) continue;
        const double y = exact_value(i);
        if (std::fabs(y) < terms * cancelled_share) {
            ++result_.cancelled;
        } else if (y != 0) {
            brink_error_ = std::max(brink_error_, exact_error(i) / ulp(y));
            element_.raise(brink_error_, brink_error_);
        }
    }
}

// Elements whose rounding the pass could not decide.
void CertifiedRow::resolve_rest(const NearElements& elements) {
    middle_.clear();
    for (int64_t i = 0; i < n_; ++i) {
        if (again(i).decided) continue;
        const Measured measured = measure_one(elements, i);
        if (!measured.inexact) continue;
        judge_inexact(elements, i, measured);
        wide_of_pass_ = false;
    }
}

double kept_share(const ElementTask& narrow, const ElementTask& wide) {
    double share = 1;
    const auto keep = [&](double a, double b) { share = b > 0 ? std::min(share, a / b) : share; };
    keep(narrow.width_0, wide.width_0);
    keep(narrow.width_p, wide.width_p);
    keep(narrow.width_x, wide.width_x);
    keep(narrow.width_b, wide.width_b);
    return share * (1 - 0x1p-30);
}

}  // namespace normcheck::certified
