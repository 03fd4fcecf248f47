// Scenarios, and the values of a format that an inexact quantity may round to.
#include "oracles/scenario.hpp"

#include <algorithm>
#include <cmath>

namespace normcheck {

Stretch mean_stretch(const Scenario& s) {
    return {s.mean_number, {}, s.mean_scale, {}};
}
BasicStretch<Near> mean_stretch(const NearScenario& s) {
    return {Near(s.mean_centre) + s.mean_rest, {}, Near(1.0), {}};
}
Stretch shift_stretch(const Scenario& s) {
    return {-(s.mean_number * s.rstd_number), s.radicand * s.mean_scale * s.mean_scale, s.offset * s.mean_scale, {}};
}
BasicStretch<Near> shift_stretch(const NearScenario& s) {
    return {-((Near(s.mean_centre) + s.mean_rest) * s.rstd_number), s.radicand, s.offset, {}};
}

RankRange round_range(const Format& format, const Stretch& exact, Upper loss) {
    const auto ranked = [&](const Stretch& stretch) {
        return rank(format, round_stretch(format, stretch, approximate(stretch).convert_to<double>()));
    };
    const int64_t target = ranked(exact);
    if (loss.value == 0) return {target, target, target};
    const double half_width = to_double_up(loss);
    const int64_t top = rank(format, format.inf_code());
    if (!std::isfinite(half_width)) return {-top, target, top};
    Stretch low = exact;
    Stretch high = exact;
    low.addend = low.addend - dyadic(half_width);
    high.addend = high.addend + dyadic(half_width);
    return {ranked(low), target, ranked(high)};
}

namespace {

// The rank that every value inside rounds to.
int64_t common_rank(const Format& format, Near value) {
    const int64_t low = rank(format, round_double(format, value.lo));
    if (low != rank(format, round_double(format, value.hi))) throw Undecided{};
    return low;
}

}  // namespace

RankRange round_range(const Format& format, const BasicStretch<Near>& exact, Bound loss) {
    const Near value = exact.numerator / (sqrt(exact.radicand) + exact.offset) + exact.addend;
    const int64_t target = common_rank(format, value);
    if (is_zero(loss)) return {target, target, target};
    if (!(loss.high() < DBL_MAX)) throw Undecided{};
    const Near width(loss.low(), loss.high());
    return {common_rank(format, value - width), target, common_rank(format, value + width)};
}

template <class A>
std::vector<StoredValue<A>> stored_values(const Format& format, const RankRange& range, unsigned limit) {
    const auto real = [&](int64_t rank) { return A::of(value_of_rank(format, rank)); };
    if (width(range) >= limit) {
        const Dyadic target = value_of_rank(format, range.target);
        const Dyadic below = target - value_of_rank(format, range.lowest);
        const Dyadic above = value_of_rank(format, range.highest) - target;
        return {{A::of(target), upper_magnitude(A::of(max(below, above)))}};
    }
    using Up = typename A::Upper;
    std::vector<StoredValue<A>> result{{real(range.target), Up(0)}};
    for (int64_t r = range.lowest; r <= range.highest; ++r)
        if (r != range.target) result.push_back({real(r), Up(0)});
    return result;
}

template std::vector<StoredValue<Exact>> stored_values<Exact>(const Format&, const RankRange&, unsigned);
template std::vector<StoredValue<Certified>> stored_values<Certified>(const Format&, const RankRange&, unsigned);

}  // namespace normcheck
