// Element-level program: stretches for exact decisions, long double (64-bit significand) for quick ones.
#include "oracles/element.hpp"

#include <cmath>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

long double nearest_long_double(const Wide& value) {
    return value.convert_to<long double>();
}

Dyadic exact(const Pair& pair) {
    return pair.lo == 0 ? dyadic(pair.hi) : dyadic(pair.hi) + dyadic(pair.lo);
}

Approximation split(long double value, long double error) {
    const auto hi = static_cast<double>(value);
    if (!std::isfinite(hi)) return {hi, 0, HUGE_VAL};
    return {hi, static_cast<double>(value - hi), static_cast<double>(error * (1 + 0x1p-50L))};
}

}  // namespace

FormatId format_at(const Contract& contract, Place place) {
    switch (place) {
        case Place::centred:
            return *contract.stored_at(Point::centred);
        case Place::scaled:
            return *contract.stored_at(Point::scaled);
        case Place::normed:
        case Place::y:
        case Place::start:
            break;
    }
    return contract.y;
}

std::vector<Place> stored_places(const Contract& contract) {
    std::vector<Place> places;
    if (contract.stored_at(Point::centred)) places.push_back(Place::centred);
    if (contract.cast == Cast::before_gamma) places.push_back(Place::normed);
    if (contract.stored_at(Point::scaled)) places.push_back(Place::scaled);
    return places;
}

ElementProgram::ElementProgram(const Contract& contract, const Scenario& scenario, const ElementInputs& inputs)
    : ElementLoss(contract, scenario, inputs),
      quick_(!contract.has_f64()),
      wide_row_{wide(scenario.mean_number) / wide(scenario.mean_scale),
                wide(scenario.rstd_number) / (sqrt(wide(scenario.radicand)) + wide(scenario.offset)),
                scenario.shift ? wide(*scenario.shift) : Wide(0)},
      quick_row_{nearest_long_double(wide_row_.mean), nearest_long_double(wide_row_.rstd),
                 nearest_long_double(wide_row_.shift)} {
    mean_ = quick_row_.mean;
}

Stretch ElementProgram::stretch(Place place, const Held& held, int64_t i) const {
    const Scenario& s = scenario_;
    Stretch result;
    if (held.at >= Place::normed) {
        result = constant_stretch(dyadic(held.value));
    } else if (held.at == Place::centred) {
        result = {dyadic(held.value) * s.rstd_number, s.radicand, s.offset, {}};
    } else {
        const Dyadic value = exact(inputs_.s[i]);
        const Dyadic centred = layer_ ? s.mean_scale * value - s.mean_number : value;
        const Dyadic scale = layer_ ? s.mean_scale : dyadic_integer(1);
        if (place == Place::centred) return {centred, {}, scale, {}};
        if (s.shift)
            result = {value * s.rstd_number, s.radicand, s.offset, *s.shift};
        else
            result = {centred * s.rstd_number, s.radicand * scale * scale, s.offset * scale, {}};
    }
    if (place >= Place::scaled && held.at < Place::scaled && !inputs_.gamma.empty()) {
        const Dyadic g = exact(inputs_.gamma[i]);
        result.numerator = result.numerator * g;
        result.addend = result.addend * g;
    }
    if (place == Place::y && !inputs_.beta.empty()) result.addend = result.addend + dyadic(inputs_.beta[i]);
    return result;
}

// The element's program in the arithmetic of Number, beside the sum of the magnitudes that errors are relative to.
template <class Number>
ElementProgram::Evaluated<Number> ElementProgram::evaluate(const RowNumbers<Number>& row, Place place, const Held& held,
                                                           int64_t i) const {
    using std::abs;
    Evaluated<Number> result{Number(held.value), Number(std::fabs(held.value))};
    if (held.at == Place::start) {
        const Number x = Number(inputs_.s[i].hi) + Number(inputs_.s[i].lo);
        result.value = layer_ && !scenario_.shift ? Number(x - row.mean) : x;
        result.size = abs(x) + abs(row.mean);
    }
    if (place >= Place::normed && held.at < Place::normed) {
        result.value *= row.rstd;
        result.size *= row.rstd;
        if (scenario_.shift) {
            result.value += row.shift;
            result.size += abs(row.shift);
        }
    }
    if (place >= Place::scaled && held.at < Place::scaled && !inputs_.gamma.empty()) {
        const Number g = Number(inputs_.gamma[i].hi) + Number(inputs_.gamma[i].lo);
        result.value *= g;
        result.size *= abs(g);
    }
    if (place == Place::y && !inputs_.beta.empty()) {
        result.value += inputs_.beta[i];
        result.size += std::fabs(inputs_.beta[i]);
    }
    return result;
}

// Every long double operation is off by at most 2^-64 of its result, as are the row's numbers; at most seven of them
// act on numbers no larger than the magnitudes summed.
Approximation ElementProgram::approximate(Place place, const Held& held, int64_t i) const {
    if (std::isinf(held.value)) return {infinite_value(inputs_.gamma, place, held, i), 0, 0};
    if (!quick_) return approximate_wide(place, held, i);
    const auto [value, size] = evaluate(quick_row_, place, held, i);
    const long double error = size * 0x1p-60L;
    if (error > std::fabs(value) * 0x1p-44L) return approximate_wide(place, held, i);
    return split(value, error);
}

// What IEEE arithmetic makes of a stored Inf: the reciprocal is positive, gamma gives the sign, or NaN where it is 0.
double infinite_value(std::span<const Pair> gamma, Place place, const Held& held, int64_t i) {
    double value = held.value;
    if (place >= Place::scaled && held.at < Place::scaled && !gamma.empty()) value *= gamma[i].hi;
    return value;
}

// The same with 256 bits; the error bound is generous, it only decides when the exact comparison is called.
Approximation ElementProgram::approximate_wide(Place place, const Held& held, int64_t i) const {
    const auto [value, size] = evaluate(wide_row_, place, held, i);
    const auto hi = value.convert_to<double>();
    if (!std::isfinite(hi)) return {hi, 0, HUGE_VAL};
    const Wide rest = value - hi;
    const auto lo = rest.convert_to<double>();
    const Wide error = ldexp(size, -240) + abs(Wide(rest - lo)) + ldexp(Wide(1), -1100);
    return {hi, lo, error.convert_to<double>() * (1 + 0x1p-50) + 0x1p-1074};
}

namespace {

// Whether the number rounds to a rank or to the next, from which side of the midpoint between them it lies on: hi is so
// near it that their difference is exact, and what is left is compared by itself.
std::optional<int64_t> rank_beside_midpoint(const Format& format, int64_t low, const Approximation& near,
                                            double delta) {
    const double below = decode_double(format, code_of_rank(format, low));
    const double above = decode_double(format, code_of_rank(format, low + 1));
    if (!std::isfinite(below) || !std::isfinite(above)) return std::nullopt;
    const double off = near.hi - (below / 2 + above / 2);
    const double rest = off + (near.lo + delta);
    const double margin = near.error + (std::fabs(off) + std::fabs(near.lo) + std::fabs(delta)) * 0x1p-51;
    if (rest > margin) return low + 1;
    if (rest < -margin) return low;
    return std::nullopt;
}

// For formats narrower than f64: the sum in double, with a margin that covers its rounding.
std::optional<int64_t> narrow_rank(const Format& format, const Approximation& near, double delta) {
    const double value = near.hi + (near.lo + delta);
    const double margin = std::fabs(value) * 0x1p-51 + std::fabs(delta) * 0x1p-51 + near.error;
    if (!(margin < HUGE_VAL)) return std::nullopt;
    const int64_t low = rank(format, round_double(format, value - margin));
    const int64_t high = rank(format, round_double(format, value + margin));
    if (low == high) return low;
    return high == low + 1 ? rank_beside_midpoint(format, low, near, delta) : std::nullopt;
}

// For f64 itself: hi + (lo + delta) as a rounded double and its remainder, clear of both midpoints.
std::optional<int64_t> double_rank(const Format& format, const Approximation& near, double delta) {
    const double shift = near.lo + delta;
    const double value = near.hi + shift;
    if (!(std::fabs(value) < 0x1p1020) || !(std::fabs(value) > 0x1p-960)) return std::nullopt;
    const double carried = value - near.hi;
    const double rest = (near.hi - (value - carried)) + (shift - carried);
    const double margin = near.error + (std::fabs(shift) + std::fabs(near.lo)) * 0x1p-51;
    const double above = (std::nextafter(value, HUGE_VAL) - value) / 2;
    const double below = (value - std::nextafter(value, -HUGE_VAL)) / 2;
    if (!(rest + margin < above && rest - margin > -below)) return std::nullopt;
    return rank(format, round_double(format, value));
}

}  // namespace

bool is_within(double got, const Approximation& near, double loss) {
    const double from_hi = std::fabs(got - near.hi);
    const double off = std::fabs((got - near.hi) - near.lo);
    return (off + near.error + (from_hi + std::fabs(near.lo)) * 0x1p-51) * near_detail::grow < loss;
}

std::optional<int64_t> quick_rank(const Format& format, const Approximation& near, double delta) {
    if (near.error == 0 && near.lo == 0 && delta == 0) return rank(format, round_double(format, near.hi));
    return format.id == FormatId::f64 ? double_rank(format, near, delta) : narrow_rank(format, near, delta);
}

}  // namespace normcheck
