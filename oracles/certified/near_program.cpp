// Enclosures of elements, one at a time.
#include <cmath>

#include "oracles/element.hpp"

namespace normcheck {

NearProgram::NearProgram(const Contract& contract, const NearScenario& scenario,
                         const BasicElementInputs<Certified>& inputs)
    : ElementLoss(contract, scenario, inputs),
      rstd_(scenario.rstd_number / (sqrt(scenario.radicand) + scenario.offset)) {}

Approximation NearProgram::approximate(Place place, const Held& held, int64_t i) const {
    if (std::isinf(held.value)) return {infinite_value(inputs_.gamma, place, held, i), 0, 0};
    Near value(held.value);
    if (held.at == Place::start) {
        value = Near(inputs_.s[i]);
        if (layer_ && !scenario_.shift) value = (value - Near(scenario_.mean_centre)) - scenario_.mean_rest;
    }
    if (place >= Place::normed && held.at < Place::normed) {
        value = value * rstd_;
        if (scenario_.shift) value = value + *scenario_.shift;
    }
    if (place >= Place::scaled && held.at < Place::scaled && !inputs_.gamma.empty())
        value = value * (Near(inputs_.gamma[i].hi) + Near(inputs_.gamma[i].lo));
    if (place == Place::y && !inputs_.beta.empty()) value = value + Near(inputs_.beta[i]);
    if (!(value.lo >= -DBL_MAX && value.hi <= DBL_MAX)) throw Undecided{};
    const double middle = value.lo / 2 + value.hi / 2;
    return {middle, 0, std::fmax(value.hi - middle, middle - value.lo) * near_detail::grow};
}

}  // namespace normcheck
