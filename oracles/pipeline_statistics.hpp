// The pipeline from the sums to the variance, and the search that stands in where stored values are too many.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracles/pipeline.hpp"

namespace normcheck {
// With rstd and what goes with it stored in 16 bits, two numbers that can be searched for decide a row.
inline bool stores_a_pair(const Contract& c) {
    const auto narrow = [&](Point point) { return c.stored_at(point) && format(*c.stored_at(point)).bits() <= 16; };
    if (!narrow(Point::rstd)) return false;
    return c.norm == Norm::rms || narrow(c.apply == Apply::folded ? Point::shift : Point::mean);
}

// The exact mean of a layer row, or a stored one.
inline void set_mean(BasicScenario<Exact>& scenario, const RowSums& sums) {
    scenario.mean_number = sums.sum;
    scenario.mean_scale = dyadic_integer(sums.n);
}
inline void set_mean(BasicScenario<Certified>& scenario, const NearSums& sums) {
    scenario.mean_centre = sums.centre;
    scenario.mean_rest = sums.off_centre;
}
inline void set_stored_mean(BasicScenario<Exact>& scenario, const Dyadic& value) {
    scenario.mean_number = value;
}
inline void set_stored_mean(BasicScenario<Certified>& scenario, Near value) {
    scenario.mean_centre = value.lo;
}
// The sum less n times a stored mean.
inline Dyadic off_mean(const BasicScenario<Exact>& stored, const RowSums& sums) {
    return sums.sum - dyadic_integer(sums.n) * stored.mean_number;
}
inline Near off_mean(const BasicScenario<Certified>& stored, const NearSums& sums) {
    return Near(static_cast<double>(sums.n)) * ((Near(sums.centre) - Near(stored.mean_centre)) + sums.off_centre);
}

template <class A>
BasicRowProgram<A> Pipeline<A>::run() {
    program_.spread = exact_spread(contract_, sums_);
    mean();
    if (bounded() && wide_ && stores_a_pair(contract_)) return search_program();
    if (program_.outside != nullptr) program_.scenarios.clear();
    return std::move(program_);
}

// The target's scenario beside the ranges of what is stored. Ten roundings cover the longest way from the variance to
// rstd.
template <>
inline BasicRowProgram<Exact> Pipeline<Exact>::search_program() {
    RowProgram result = row_program(contract_, sums_, input_, {.target_only = true});
    if (result.scenarios.empty()) return result;
    const Upper coarse = coarsest_roundoff();
    const Upper mean = layer() ? upper_magnitude(sums_.sum) / lower_magnitude(n()) : Upper(0);
    StoredSearch search;
    search.roundoff = coarse;
    search.mean_error = layer() ? mean_error_ + input_.mean + coarse * (mean + mean_error_) : Upper(0);
    Stage<Exact> stage;
    stage.eps = contract_.eps_at == EpsAt::none ? Dyadic{} : dyadic(contract_.eps.value);
    const Lower low(std::fmax(0.0L, (variance_low_.value - variance_error_.value) * directed_detail::shrink));
    const Upper high = variance_ + variance_error_ + search.mean_error * search.mean_error;
    const Lower narrowest = denominator_at(stage, low);
    const Upper widest = Upper(denominator_at(stage, Lower(high.value)).value * (1 + 0x1p-50L));
    const Upper off = Upper(10) * coarse;
    const Format& f = format(*contract_.stored_at(Point::rstd));
    const long double longest = narrowest.value > 0 ? (1 + 2 * off.value) / narrowest.value : HUGE_VALL;
    const int64_t top = rank(f, f.inf_code()) - 1;
    search.highest_rstd = std::min(top, rank(f, round_double(f, static_cast<double>(longest))));
    search.lowest_rstd = rank(f, round_double(f, static_cast<double>((1 - off.value) / widest.value)));
    result.search = search;
    return result;
}

template <>
inline BasicRowProgram<Certified> Pipeline<Certified>::search_program() {
    throw Undecided{};
}

template <class A>
typename Pipeline<A>::Upper Pipeline<A>::coarsest_roundoff() const {
    Upper coarse = moments_.roundoff;
    for (const auto& stored : contract_.stored)
        if (stored) coarse = max(coarse, machine<A>(*stored, contract_.subnormals).roundoff);
    return coarse;
}

template <class A>
void Pipeline<A>::mean() {
    Scenario centre;
    if (layer()) set_mean(centre, sums_);
    if (!contract_.stored_at(Point::mean)) return variance(centre, false);
    const Upper spread = upper_magnitude(program_.spread) / (lower_magnitude(n()) * lower_magnitude(n()));
    const Upper loss =
        bounded() ? moment_loss<A>(contract_, sums_, spread, false, options_.probabilistic).mean_error + input_.mean
                  : Upper(0);
    store(Point::mean, mean_stretch(centre), loss, [&](const Stored& value) {
        Scenario stored;
        set_stored_mean(stored, value.value);
        stored.loss.mean_error = value.error;
        variance(stored, true);
    });
}

// Two passes take the variance about the mean that was stored; other ways never see the stored mean.
template <class A>
void Pipeline<A>::variance(const Scenario& centre, bool centre_is_stored) {
    Stage<A> stage;
    stage.scenario = centre;
    stage.eps = contract_.eps_at == EpsAt::none ? Real{} : A::real(contract_.eps.value);
    stage.spread = program_.spread;
    stage.scale = n();
    const bool about_stored = centre_is_stored && contract_.variance == Variance::two_pass;
    if (about_stored) {
        const Real off = off_mean(centre, sums_);
        stage.spread = program_.spread + off * off;
    }
    if (bounded() && !bound_variance(stage, centre_is_stored, about_stored)) return;
    if (!contract_.stored_at(Point::var)) return root(stage);
    const Stretch exact{stage.spread, {}, stage.scale * stage.scale, {}};
    const Upper input = input_.root_mean_square * (Upper(2) * sqrt(variance_high(stage)) + input_.root_mean_square);
    store(Point::var, exact, stage.error + input, [&](const Stored& value) {
        Stage<A> stored = stage;
        stored.spread = value.value;
        stored.scale = A::integer(1);
        stored.shifted = false;
        stored.stored = true;
        stored.error = stored.error_beyond = value.error;
        stored.underflow = Upper(0);
        root(stored);
    });
}

// Bounds the error of the variance; false where the row turns out to be outside. About a stored centre that stands for
// an interval of half width e, the mean square moves by at most 2 e |m - centre| + e^2.
template <class A>
bool Pipeline<A>::bound_variance(Stage<A>& stage, bool centre_is_stored, bool about_stored) {
    const Upper v = variance_high(stage);
    const MomentLoss<A> loss = moment_loss<A>(contract_, sums_, v, about_stored, options_.probabilistic);
    if (loss.meaningless) {
        outside("the bound says nothing: the row is too long for its accumulator");
        return false;
    }
    if (!centre_is_stored) stage.scenario.loss.mean_error = loss.mean_error;
    stage.shifted = loss.shifted && layer() && !about_stored;
    const Upper e = centre_is_stored && !about_stored ? Upper(0) : stage.scenario.loss.mean_error;
    Upper moved = e * e;
    if (about_stored) {
        const Real off = off_mean(stage.scenario, sums_);
        moved = moved + Upper(2) * e * (upper_magnitude(off) / lower_magnitude(n()));
    }
    stage.error_beyond = (v + moved) * loss.variance_relative + (about_stored ? moved : Upper(0));
    if (loss.shifted)
        stage.underflow = loss.variance_absolute;
    else
        stage.error_beyond = stage.error_beyond + loss.variance_absolute;
    stage.error = stage.error_beyond + stage.underflow + (stage.shifted ? moved : Upper(0));
    if (range_is_left(stage)) return false;
    mean_error_ = max(mean_error_, loss.mean_error);
    variance_ = max(variance_, v);
    if (stores_a_pair(contract_)) variance_low_ = variance_low(stage);
    variance_error_ = max(variance_error_, stage.error);
    return true;
}

template <class A>
typename Pipeline<A>::Upper Pipeline<A>::variance_high(const Stage<A>& stage) const {
    const Lower scale = lower_magnitude(stage.scale);
    return upper_magnitude(stage.spread) / (scale * scale);
}

// range=acc: sums and squares that leave the accumulator are not promised.
template <class A>
bool Pipeline<A>::range_is_left(const Stage<A>& stage) {
    if (contract_.range == Range::full) return false;
    const Upper count = A::whole(sums_.n);
    const bool from_sums = contract_.variance == Variance::one_pass && layer();
    const Upper squares =
        from_sums ? upper_magnitude(sums_.sum_of_squares) : count * (variance_high(stage) + stage.error);
    // A merge squares the difference of two means, each as large as the largest value, before it weighs it.
    const Upper difference = Upper(2) * A::size(sums_.largest);
    const bool merges = layer() && contract_.variance == Variance::welford;
    const bool difference_leaves = merges && below(moments_.largest, difference * difference);
    if (!difference_leaves && layer() && below(moments_.largest, sums_.sum_of_magnitudes)) {
        outside("the sum leaves the accumulator's range");
        return true;
    }
    if (difference_leaves || below(moments_.largest, squares * Upper(1.5L))) {
        outside("squares leave the accumulator's range");
        return true;
    }
    return false;
}

template <class A>
typename Pipeline<A>::Lower Pipeline<A>::variance_low(const Stage<A>& stage) const {
    const Upper scale = upper_magnitude(stage.scale);
    if (stage.stored || is_zero(input_.root_mean_square)) return lower_magnitude(stage.spread) / (scale * scale);
    const Lower deviation = sqrt(lower_magnitude(stage.spread)) / scale;
    const Lower kept = stage.stored ? deviation : deviation - input_.root_mean_square;
    return kept * kept;
}

}  // namespace normcheck
