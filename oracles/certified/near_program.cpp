// Enclosures of elements, one at a time.
#include <cmath>

#include "oracles/element.hpp"

namespace normcheck {
namespace {

// a b, as a point where it is one.
Near product(double a, double b) {
    const certified::DoubleDouble exact = certified::exact_product(a, b);
    const bool in_range = exact.hi == 0 || (std::fabs(exact.hi) > 0x1p-400 && std::fabs(exact.hi) < 0x1p400);
    return in_range && exact.lo == 0 ? Near(exact.hi) : Near(a) * Near(b);
}

// a + b, as a point where it is one.
Near sum(Near a, double b) {
    if (!a.is_point()) return a + Near(b);
    const Pair total = two_sum(a.lo, b);
    return total.lo == 0 ? Near(total.hi) : a + Near(b);
}

}  // namespace

NearProgram::NearProgram(const Contract& contract, const NearScenario& scenario,
                         const BasicElementInputs<Certified>& inputs)
    : ElementLoss(contract, scenario, inputs),
      rstd_(scenario.rstd_number / (sqrt(scenario.radicand) + scenario.offset)) {}

Approximation NearProgram::approximate(Place place, const Held& held, int64_t i) const {
    if (std::isinf(held.value)) return {infinite_value(inputs_.gamma, place, held, i), 0, 0};
    if (wide_ != nullptr) return approximate_wide(place, held, i);
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
        value = held.at == Place::normed && gamma.lo == 0 ? product(held.value, gamma.hi)
                                                          : value * (Near(gamma.hi) + Near(gamma.lo));
    }
    if (place == Place::y && !inputs_.beta.empty()) value = sum(value, inputs_.beta[i]);
    if (!(value.lo >= -DBL_MAX && value.hi <= DBL_MAX)) throw Undecided{};
    const double middle = value.lo / 2 + value.hi / 2;
    return {middle, 0, std::fmax(value.hi - middle, middle - value.lo) * near_detail::grow};
}

// The same in double-double: at most eight operations, on numbers no larger than the magnitudes added up in `size`.
Approximation NearProgram::approximate_wide(Place place, const Held& held, int64_t i) const {
    using certified::DoubleDouble;
    DoubleDouble value{held.value, 0};
    double size = std::fabs(held.value);
    double error = 0;
    if (held.at == Place::start) {
        const double x = inputs_.s[i];
        value = layer_ ? DoubleDouble{x, 0} + -wide_->mean : DoubleDouble{x, 0};
        size = std::fabs(value.hi);
        error = wide_->mean_error;
    }
    if (place >= Place::normed && held.at < Place::normed) {
        value = value * wide_->rstd;
        size *= wide_->rstd.hi * 1.01;
        error = error * wide_->rstd.hi * 1.01 + size * wide_->rstd_relative;
    }
    if (place >= Place::scaled && held.at < Place::scaled && !inputs_.gamma.empty()) {
        const Pair& g = inputs_.gamma[i];
        value = value * DoubleDouble{g.hi, g.lo};
        size *= std::fabs(g.hi) * 1.01;
        error *= std::fabs(g.hi) * 1.01;
    }
    if (place == Place::y && !inputs_.beta.empty()) {
        value = value + DoubleDouble{inputs_.beta[i], 0};
        size += std::fabs(inputs_.beta[i]);
    }
    const bool in_range = size == 0 || (size > 0x1p-300 && size < 0x1p300);
    if (!in_range || !std::isfinite(value.hi)) throw Undecided{};
    return {value.hi, value.lo, (error + size * 8 * certified::double_double_error) * 1.01};
}

}  // namespace normcheck
