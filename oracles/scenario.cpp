// Scenarios, and the values of a format that an inexact quantity may round to.
#include "oracles/scenario.hpp"

#include <algorithm>
#include <cmath>

#include "oracles/pipeline.hpp"

namespace normcheck {

RowProgram row_program(const Contract& contract, const RowSums& sums, const InputLoss& input_loss,
                       const ProgramOptions& options) {
    return Pipeline(contract, sums, input_loss, options).run();
}

Stretch mean_stretch(const Scenario& s) {
    return {s.mean_number, {}, s.mean_scale, {}};
}
Stretch rstd_stretch(const Scenario& s) {
    return {s.rstd_number, s.radicand, s.offset, {}};
}

Upper rstd_loss(const Scenario& s) {
    return s.loss.gap + s.loss.rstd_relative * s.loss.reciprocal;
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

std::vector<StoredValue> stored_values(const Format& format, const RankRange& range, unsigned limit) {
    const Dyadic target = value_of_rank(format, range.target);
    if (width(range) >= limit) {
        const Dyadic below = target - value_of_rank(format, range.lowest);
        const Dyadic above = value_of_rank(format, range.highest) - target;
        return {{target, upper_magnitude(max(below, above))}};
    }
    std::vector<StoredValue> result{{target, Upper(0)}};
    for (int64_t r = range.lowest; r <= range.highest; ++r)
        if (r != range.target) result.push_back({value_of_rank(format, r), Upper(0)});
    return result;
}

}  // namespace normcheck
