// Ranks of the elements of one row under one scenario: the target, the admissible set, and the ways to it through
// stored intermediates.
#include <algorithm>
#include <cmath>

#include "oracles/judge_state.hpp"

namespace normcheck {
namespace {

constexpr unsigned path_limit = 16;  // stored element values tried one by one; wider ranges go on as an interval
constexpr size_t most_paths = 64;    // and where these are more in all, every range goes on as one

double value_at(const Format& f, int64_t rank) {
    return decode_double(f, code_of_rank(f, rank));
}

double nearest_double(const Dyadic& value) {
    return to_double(value);
}
double nearest_double(Near value) {
    return value.lo;
}

// One path per value of the range, the target's first; where they are `limit` or more, one for all of them.
template <class A>
void add_paths(const Format& f, Place place, const RankRange& range, unsigned limit, auto& into) {
    if (width(range) >= limit) {
        const StoredValue<A> whole = stored_values<A>(f, range, limit)[0];
        into.push_back({{place, nearest_double(whole.value)}, whole.error});
        return;
    }
    into.push_back({{place, value_at(f, range.target)}, {}});
    for (int64_t r = range.lowest; r <= range.highest; ++r)
        if (r != range.target) into.push_back({{place, value_at(f, r)}, {}});
}

// Distance of two values on the way to y.
template <class A>
typename A::Upper between(const Approximation& a, const Approximation& b) {
    return A::size((a.hi - b.hi) + (a.lo - b.lo));
}
template <>
Bound between<Certified>(const Approximation& a, const Approximation& b) {
    const double off = std::fabs((a.hi - b.hi) + (a.lo - b.lo));
    const double doubt = (a.error + b.error + off * 0x1p-52) * near_detail::grow;
    return {std::fmax(0, off - doubt), off + doubt};
}

// Half the width that a loss makes; an enclosure that does not end may stand for one that does.
double known_end(Upper loss) {
    return to_double_up(loss);
}
double known_end(Bound loss) {
    if (!is_finite(loss)) throw Undecided{};
    return loss.high();
}

// What is not known of a loss adds to what is not known of the value.
Approximation with_doubt(const Approximation& near, Upper) {
    return near;
}
Approximation with_doubt(Approximation near, Bound loss) {
    near.error += (loss.high() - loss.low()) * near_detail::grow;
    return near;
}

// What a loss is at least.
double lower_end(Upper loss) {
    return loss.value < 0x1p-1000L ? 0 : static_cast<double>(loss.value) * (1 - 0x1p-50);
}
double lower_end(Bound loss) {
    return loss.low();
}

int64_t decided(const ElementProgram& program, const Format& target, Place place, const Held& held, int64_t i,
                double guess, double delta) {
    Stretch exact = program.stretch(place, held, i);
    exact.addend = exact.addend + dyadic(delta);
    return rank(target, round_stretch(target, exact, guess + delta));
}
int64_t decided(const NearProgram&, const Format&, Place, const Held&, int64_t, double, double) {
    throw Undecided{};
}

// Sign of a normalised value that its loss cannot change.
std::optional<int> clear_sign(const ElementProgram& program, int64_t i) {
    const Stretch normed = program.stretch(Place::normed, {}, i);
    const int exact = compare(normed, Dyadic{});
    const double loss = to_double_up(program.normed_loss(i));
    if (exact == 0) return loss == 0 ? std::optional(0) : std::nullopt;
    const Dyadic limit = dyadic(std::isfinite(loss) ? loss : 0x1p1000);
    const bool clear = exact > 0 ? compare(normed, limit) > 0 : compare(normed, -limit) < 0;
    return clear ? std::optional(exact) : std::nullopt;
}
std::optional<int> clear_sign(const NearProgram& program, int64_t i) {
    const Approximation normed = program.approximate(Place::normed, {}, i);
    const Bound loss = program.normed_loss(i);
    const double value = normed.hi + normed.lo, size = std::fabs(value);
    const double doubt = (normed.error + size * 0x1p-52) * near_detail::grow;
    if (size == 0 && doubt == 0 && is_zero(loss)) return 0;
    if (size - doubt > loss.high()) return value > 0 ? 1 : -1;
    if (loss.low() > 0 && size + doubt < loss.low()) return std::nullopt;
    throw Undecided{};
}

}  // namespace

template <class A>
BasicElements<A>::BasicElements(const JudgeState& state, const BasicScenario<A>& scenario,
                                std::span<const typename A::Value> s, std::span<const Upper> input_loss)
    : state_(state),
      program_(state.contract, scenario, {s, state.parameters.gamma, state.parameters.beta, input_loss}),
      y_format_(format(state.contract.y)) {}

template <class A>
int64_t BasicElements<A>::limited(int64_t r) const {
    if (state_.contract.overflow == Overflow::inf) return r;
    const int64_t largest = rank(y_format_, y_format_.max_finite_code());
    return std::clamp(r, -largest, largest);
}

// Where results may be flushed, a subnormal y may be 0.
template <class A>
RankRange BasicElements<A>::flushed(RankRange range) const {
    if (state_.contract.subnormals == Subnormals::keep) return range;
    const int64_t normal = int64_t{1} << (y_format_.significand_bits - 1);
    if (range.lowest > 0 && range.lowest < normal) range.lowest = 0;
    if (range.highest < 0 && range.highest > -normal) range.highest = 0;
    return range;
}

// Rank of round(stretch + delta) in the format of the place, from an approximation of the stretch: quickly where that
// is certain, else exactly.
template <class A>
int64_t BasicElements<A>::rounded(Place place, const Held& held, int64_t i, const Approximation& near,
                                  double delta) const {
    const Format& target = format(format_at(state_.contract, place));
    if (std::isinf(held.value)) {
        const int64_t top = rank(target, target.inf_code());
        return std::isnan(near.hi) ? 0 : near.hi > 0 ? top : -top;
    }
    if (const auto quick = quick_rank(target, near, delta)) return *quick;
    return decided(program_, target, place, held, i, near.hi, delta);
}

template <class A>
RankRange BasicElements<A>::range(Place place, const Held& held, int64_t i, Upper loss) const {
    return range(place, held, i, loss, program_.approximate(place, held, i));
}

template <class A>
RankRange BasicElements<A>::range(Place place, const Held& held, int64_t i, Upper loss,
                                  const Approximation& near) const {
    const Format& target = format(format_at(state_.contract, place));
    RankRange result;
    result.target = rounded(place, held, i, near, 0);
    result.lowest = result.highest = result.target;
    if (is_zero(loss)) return result;
    const double half_width = known_end(loss);
    const int64_t top = rank(target, target.inf_code());
    if (!std::isfinite(half_width)) return {-top, result.target, top};
    const Approximation widened = with_doubt(near, loss);
    result.lowest = rounded(place, held, i, widened, -half_width);
    result.highest = rounded(place, held, i, widened, half_width);
    return result;
}

template <class A>
typename BasicElements<A>::Target BasicElements<A>::target(int64_t i) const {
    Target result;
    for (const Place place : state_.places) {
        const Approximation near = program_.approximate(place, result.held, i);
        const int64_t stored = rounded(place, result.held, i, near, 0);
        result.held = {place, value_at(format(format_at(state_.contract, place)), stored)};
    }
    result.exact = program_.approximate(Place::y, result.held, i);
    result.rank = limited(rounded(Place::y, result.held, i, result.exact, 0));
    return result;
}

template <class A>
const std::vector<typename BasicElements<A>::Path>& BasicElements<A>::paths(int64_t i) const {
    if (paths_of_ == i) return paths_;
    paths_of_ = -1;  // until they are made: enclosures may throw
    paths_.assign(1, {});
    for (const Place place : state_.places) {
        const Format& target = format(format_at(state_.contract, place));
        const auto go_on = [&](unsigned limit) {
            next_paths_.clear();
            for (const Path& path : paths_) {
                const Upper loss =
                    program_.loss(place, path.held, i) + program_.carried(path.held, path.error, place, i);
                add_paths<A>(target, place, range(place, path.held, i, loss), limit, next_paths_);
            }
        };
        go_on(path_limit);
        if (next_paths_.size() > most_paths) go_on(1);  // no more of them than before
        std::swap(paths_, next_paths_);
    }
    paths_of_ = i;
    return paths_;
}

template <class A>
typename BasicElements<A>::Upper BasicElements<A>::y_loss(const Path& path, int64_t i) const {
    return program_.loss(Place::y, path.held, i) + program_.carried(path.held, path.error, Place::y, i);
}

// A held Inf stays Inf, and under a gamma of 0 it is NaN: nothing is asked.
template <class A>
RankRange BasicElements<A>::y_range(const Path& path, int64_t i) const {
    const Approximation near = program_.approximate(Place::y, path.held, i);
    if (!std::isinf(path.held.value)) return y_range(path, i, y_loss(path, i), near);
    if (!std::isnan(near.hi)) return y_range(path, i, Upper(0), near);
    const int64_t top = limited(rank(y_format_, y_format_.inf_code()));
    return {-top, 0, top};
}

template <class A>
RankRange BasicElements<A>::y_range(const Path& path, int64_t i, Upper loss, const Approximation& near) const {
    const RankRange result = range(Place::y, path.held, i, loss, near);
    return flushed({limited(result.lowest), limited(result.target), limited(result.highest)});
}

template <class A>
bool BasicElements<A>::holds(const Path& path, int64_t i, int64_t got, double value) const {
    RankRange range;
    if (std::isinf(path.held.value)) {
        range = y_range(path, i);
    } else {
        const Approximation near = program_.approximate(Place::y, path.held, i);
        const Upper loss = y_loss(path, i);
        if (is_within(value, near, lower_end(loss))) return true;
        range = y_range(path, i, loss, near);
    }
    return range.lowest <= got && got <= range.highest;
}

template <class A>
bool BasicElements<A>::admissible(int64_t i, int64_t got) const {
    const double value = value_at(y_format_, got);
    if (state_.places.empty()) return holds({}, i, got, value);
    const std::vector<Path>& all = paths(i);
    return std::any_of(all.begin(), all.end(), [&](const Path& path) { return holds(path, i, got, value); });
}

template <class A>
RankRange BasicElements<A>::y_hull(int64_t i) const {
    const std::vector<Path>& all = paths(i);
    RankRange hull = y_range(all[0], i);
    for (const Path& path : all) {
        const RankRange range = y_range(path, i);
        hull.lowest = std::min(hull.lowest, range.lowest);
        hull.highest = std::max(hull.highest, range.highest);
    }
    return hull;
}

template <class A>
typename BasicElements<A>::Upper BasicElements<A>::half_width(int64_t i) const {
    const std::vector<Path>& all = paths(i);
    const Approximation first = program_.approximate(Place::y, all[0].held, i);
    Upper widest;
    for (const Path& path : all) {
        const Approximation near = program_.approximate(Place::y, path.held, i);
        widest = max(widest, y_loss(path, i) + between<A>(near, first));
    }
    return widest;
}

template <class A>
std::optional<int> BasicElements<A>::normed_sign(int64_t i) const {
    if (state_.contract.cast != Cast::before_gamma) return clear_sign(program_, i);
    const RankRange stored = range(Place::normed, {}, i, program_.loss(Place::normed, {}, i));
    if (stored.lowest > 0 || stored.highest < 0) return stored.lowest > 0 ? 1 : -1;
    return stored.lowest == stored.highest ? std::optional(0) : std::nullopt;
}

template class BasicElements<Exact>;
template class BasicElements<Certified>;

}  // namespace normcheck
