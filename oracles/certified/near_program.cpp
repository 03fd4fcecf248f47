// Enclosures of elements, one at a time.
#include <cmath>

#include "oracles/element.hpp"

namespace normcheck {
namespace {

// Of a stored value and a parameter, neither in f64: 48 bits at most.
Near exact_product(double a, double b) {
    const double product = a * b;
    return product == 0 || (std::fabs(product) > 0x1p-900 && std::fabs(product) < 0x1p900) ? Near(product)
                                                                                           : Near(a) * Near(b);
}

// a + b, as a point where it is one (Knuth's exact sum has no rest).
Near sum(Near a, double b) {
    if (!a.is_point()) return a + Near(b);
    const double total = a.lo + b;
    const double carried = total - a.lo;
    const bool exact = (a.lo - (total - carried)) + (b - carried) == 0;
    return exact ? Near(total) : a + Near(b);
}

}  // namespace

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
    if (place >= Place::scaled && held.at < Place::scaled && !inputs_.gamma.empty()) {
        const Pair& gamma = inputs_.gamma[i];
        value = held.at == Place::normed && gamma.lo == 0 ? exact_product(held.value, gamma.hi)
                                                          : value * (Near(gamma.hi) + Near(gamma.lo));
    }
    if (place == Place::y && !inputs_.beta.empty()) value = sum(value, inputs_.beta[i]);
    if (!(value.lo >= -DBL_MAX && value.hi <= DBL_MAX)) throw Undecided{};
    const double middle = value.lo / 2 + value.hi / 2;
    return {middle, 0, std::fmax(value.hi - middle, middle - value.lo) * near_detail::grow};
}

}  // namespace normcheck
