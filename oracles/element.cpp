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

Upper magnitude(const Pair& pair) {
    return upper_magnitude(pair.hi) + upper_magnitude(pair.lo);
}

bool uses_f64(const Contract& c) {
    return c.x == FormatId::f64 || c.y == FormatId::f64 || c.params == FormatId::f64;
}

Approximation split(long double value, long double error) {
    const auto hi = static_cast<double>(value);
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
    : contract_(contract),
      scenario_(scenario),
      inputs_(inputs),
      acc_(machine(contract.acc, contract.subnormals)),
      layer_(contract.norm == Norm::layer),
      quick_(!uses_f64(contract)),
      wide_row_{wide(scenario.mean_number) / wide(scenario.mean_scale),
                wide(scenario.rstd_number) / (sqrt(wide(scenario.radicand)) + wide(scenario.offset)),
                scenario.shift ? wide(*scenario.shift) : Wide(0)},
      quick_row_{nearest_long_double(wide_row_.mean), nearest_long_double(wide_row_.rstd),
                 nearest_long_double(wide_row_.shift)} {}

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
    if (std::isinf(held.value)) return {infinite_value(place, held, i), 0, 0};
    if (!quick_) return approximate_wide(place, held, i);
    const auto [value, size] = evaluate(quick_row_, place, held, i);
    const long double error = size * 0x1p-60L;
    if (error > std::fabs(value) * 0x1p-44L) return approximate_wide(place, held, i);
    return split(value, error);
}

// What IEEE arithmetic makes of a stored Inf: the reciprocal is positive, gamma gives the sign, or NaN where it is 0.
double ElementProgram::infinite_value(Place place, const Held& held, int64_t i) const {
    double value = held.value;
    if (place >= Place::scaled && held.at < Place::scaled && !inputs_.gamma.empty()) value *= inputs_.gamma[i].hi;
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

Upper ElementProgram::centred_magnitude(int64_t i) const {
    const Pair& s = inputs_.s[i];
    const long double x = static_cast<long double>(s.hi) + s.lo;
    if (!layer_) return magnitude(s);
    const long double distance = std::fabs(x - quick_row_.mean);
    const long double doubt = (std::fabs(x) + std::fabs(quick_row_.mean)) * 0x1p-61L;
    if (distance > doubt * 0x1p+20L) return Upper(distance + doubt);
    const Dyadic centred = scenario_.mean_scale * exact(s) - scenario_.mean_number;
    return upper_magnitude(centred) / lower_magnitude(scenario_.mean_scale);
}

// (c - e) r with r = (1 + d) / D(v + e^2) against c / D(v): the gap times |c|, e times its own reciprocal, and the
// relative errors of reciprocal, subtraction and product on both.
Upper ElementProgram::normed_loss(const Held& held, int64_t i, bool last) const {
    if (held.at >= Place::normed) return Upper(0);
    const Loss& loss = scenario_.loss;
    const Upper u = acc_.roundoff;
    if (held.at == Place::centred) {
        const Upper c = upper_magnitude(held.value);
        const Upper relative = last ? loss.rstd_relative : chain(loss.rstd_relative, u);
        return c * loss.gap + relative * c * (loss.reciprocal + loss.gap) + acc_.underflow;
    }
    if (layer_ && contract_.apply == Apply::folded) return folded_loss(i, last);
    const Upper c = centred_magnitude(i);
    Upper relative = layer_ ? chain(loss.rstd_relative, u) : loss.rstd_relative;
    if (!last) relative = chain(relative, u);
    const Upper shifted = c * loss.gap + loss.mean_term;
    const Upper input = inputs_.input_loss.empty() ? Upper(0) : inputs_.input_loss[i] * loss.reciprocal * Upper(1.01L);
    if (c.value == 0 && shifted.value == 0) return input;  // 0 times anything finite
    return shifted + relative * (c * loss.reciprocal + shifted) + input + acc_.underflow + acc_.flush * loss.reciprocal;
}

// x r + (-m r): the same r and m in both, so only the roundings of two products and a sum come on top.
Upper ElementProgram::folded_loss(int64_t i, bool last) const {
    const Loss& loss = scenario_.loss;
    const Upper u = acc_.roundoff;
    const Upper x = magnitude(inputs_.s[i]);
    const Upper c = centred_magnitude(i);
    const Upper reciprocal = loss.reciprocal * (Upper(1) + loss.rstd_relative) + loss.gap;
    const Upper mean = Upper(std::fabs(quick_row_.mean) * (1 + 0x1p-60L)) + loss.mean_error;
    const Upper input = inputs_.input_loss.empty() ? Upper(0) : inputs_.input_loss[i] * reciprocal;
    Upper result = input + Upper(2) * (acc_.underflow + acc_.flush);
    if (scenario_.shift) {
        result = result + x * (loss.gap + loss.rstd_relative * loss.reciprocal) + loss.mean_term + u * x * reciprocal;
    } else {
        const Upper shifted = c * loss.gap + loss.mean_term;
        const Upper shift_roundoff = chain(u, machine(contract_.moments, contract_.subnormals).roundoff);
        result = result + shifted + loss.rstd_relative * (c * loss.reciprocal + shifted) +
                 (u * x + shift_roundoff * mean) * reciprocal;
    }
    return last ? result : result + u * (normed_bound({}, i) + result);
}

Upper ElementProgram::normed_bound(const Held& held, int64_t i) const {
    if (held.at == Place::normed) return upper_magnitude(held.value);
    if (held.at == Place::centred) return upper_magnitude(held.value) * scenario_.loss.reciprocal;
    if (!scenario_.shift) return normed_magnitude(i);
    return magnitude(inputs_.s[i]) * scenario_.loss.reciprocal + upper_magnitude(*scenario_.shift);
}

// A product of two short significands fits the accumulator, unless it falls below the normal numbers.
bool ElementProgram::product_is_exact(const Held& held, Upper product) const {
    if (held.at != Place::normed || contract_.offset_in == std::nullopt) return false;
    const FormatId gamma = contract_.gamma == Gamma::one_plus ? *contract_.offset_in : contract_.params;
    const int bits = format(contract_.y).significand_bits + format(gamma).significand_bits;
    if (bits > acc_.format->significand_bits) return false;
    return product.value == 0 || product.value * 0.999L >= std::ldexp(1.0L, acc_.format->min_exponent() + 1);
}

Upper ElementProgram::scaled_loss(const Held& held, int64_t i, Upper loss, bool last) const {
    const Upper g = magnitude(inputs_.gamma[i]);
    const Upper product = g * normed_bound(held, i);
    if (product_is_exact(held, product) || (product.value == 0 && loss.value == 0)) return loss;
    const Upper u = acc_.roundoff;
    Upper relative = last ? Upper(0) : u;
    if (contract_.gamma == Gamma::one_plus && !contract_.offset_in) relative = chain(relative, u);
    // c (rstd gamma) may lose rstd gamma to underflow, and then c carries it.
    const Upper carried = held.at == Place::start ? acc_.underflow * centred_magnitude(i) : Upper(0);
    return g * loss + relative * (product + g * loss) + acc_.underflow + carried;
}

Upper ElementProgram::loss(Place place, const Held& held, int64_t i) const {
    const Upper u = acc_.roundoff;
    const bool same_format = contract_.acc == format_at(contract_, place);
    if (place == Place::centred) {
        const Upper c = centred_magnitude(i) + scenario_.loss.mean_error;
        const Upper input = inputs_.input_loss.empty() ? Upper(0) : inputs_.input_loss[i];
        return scenario_.loss.mean_error + input + (same_format ? Upper(0) : u * c) + acc_.flush;
    }
    const bool multiplies = place >= Place::scaled && held.at < Place::scaled && !inputs_.gamma.empty();
    const bool adds = place == Place::y && !inputs_.beta.empty();
    Upper result = normed_loss(held, i, same_format && !multiplies && !adds);
    if (multiplies) result = scaled_loss(held, i, result, same_format && !adds);
    if (!adds) return result;
    const Upper before = held.at == Place::scaled ? upper_magnitude(held.value)
                         : inputs_.gamma.empty()  ? normed_bound(held, i)
                                                  : magnitude(inputs_.gamma[i]) * normed_bound(held, i);
    result = result + acc_.flush;
    return same_format ? result : result + u * (before + upper_magnitude(inputs_.beta[i]) + result);
}

Upper ElementProgram::carried(const Held& held, Upper error, Place place, int64_t i) const {
    Upper result = error;
    if (held.at <= Place::centred && place >= Place::normed)
        result = result * (scenario_.loss.reciprocal * (Upper(1) + scenario_.loss.rstd_relative) + scenario_.loss.gap);
    if (held.at <= Place::normed && place >= Place::scaled && !inputs_.gamma.empty())
        result = result * magnitude(inputs_.gamma[i]) * (Upper(1) + Upper(2) * acc_.roundoff);
    return result;
}

namespace {

// For formats narrower than f64: the sum in double, with a margin that covers its rounding.
std::optional<int64_t> narrow_rank(const Format& format, const Approximation& near, double delta) {
    const double value = near.hi + (near.lo + delta);
    const double margin = std::fabs(value) * 0x1p-51 + std::fabs(delta) * 0x1p-51 + near.error;
    if (!(margin < HUGE_VAL)) return std::nullopt;
    const int64_t low = rank(format, round_double(format, value - margin));
    const int64_t high = rank(format, round_double(format, value + margin));
    if (low != high) return std::nullopt;
    return low;
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

std::optional<int64_t> quick_rank(const Format& format, const Approximation& near, double delta) {
    return format.id == FormatId::f64 ? double_rank(format, near, delta) : narrow_rank(format, near, delta);
}

}  // namespace normcheck
