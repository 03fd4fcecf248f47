// What a correct kernel may lose between the statistics and an element of y.
#include <cmath>

#include "oracles/element.hpp"

namespace normcheck {

template <class A>
ElementLoss<A>::ElementLoss(const Contract& contract, const BasicScenario<A>& scenario,
                            const BasicElementInputs<A>& inputs)
    : contract_(contract),
      scenario_(scenario),
      inputs_(inputs),
      acc_(machine<A>(contract.acc, contract.subnormals)),
      layer_(contract.norm == Norm::layer) {}

template <>
Upper ElementLoss<Exact>::mean_magnitude() const {
    return Upper(std::fabs(mean_) * (1 + 0x1p-60L));
}
template <>
Bound ElementLoss<Certified>::mean_magnitude() const {
    return upper_magnitude(Near(scenario_.mean_centre) + scenario_.mean_rest);
}

template <>
Upper ElementLoss<Exact>::centred_magnitude(int64_t i) const {
    const Pair& s = inputs_.s[i];
    const long double x = static_cast<long double>(s.hi) + s.lo;
    if (!layer_) return Exact::size(s);
    const long double distance = std::fabs(x - mean_);
    const long double doubt = (std::fabs(x) + std::fabs(mean_)) * 0x1p-61L;
    if (distance > doubt * 0x1p+20L) return Upper(distance + doubt);
    const Dyadic value = dyadic(s.hi) + dyadic(s.lo);
    const Dyadic centred = scenario_.mean_scale * value - scenario_.mean_number;
    return upper_magnitude(centred) / lower_magnitude(scenario_.mean_scale);
}
template <>
Bound ElementLoss<Certified>::centred_magnitude(int64_t i) const {
    const double x = inputs_.s[i];
    if (!layer_) return Certified::size(x);
    return upper_magnitude((Near(x) - Near(scenario_.mean_centre)) - scenario_.mean_rest);
}

// (c - e) r with r = (1 + d) / D(v + e^2) against c / D(v): the gap times |c|, e times its own reciprocal, and the
// relative errors of reciprocal, subtraction and product on both.
template <class A>
typename ElementLoss<A>::Upper ElementLoss<A>::normed_loss(const Held& held, int64_t i, bool last) const {
    if (held.at >= Place::normed) return Upper(0);
    const BasicLoss<A>& loss = scenario_.loss;
    const Upper u = acc_.roundoff;
    if (held.at == Place::centred) {
        const Upper c = A::size(held.value);
        const Upper relative = last ? loss.rstd_relative : chain(loss.rstd_relative, u);
        return c * loss.gap + relative * c * (loss.reciprocal + loss.gap) + acc_.underflow;
    }
    if (layer_ && contract_.apply == Apply::folded) return folded_loss(i, last);
    const Upper c = centred_magnitude(i);
    Upper relative = layer_ ? chain(loss.rstd_relative, u) : loss.rstd_relative;
    if (!last) relative = chain(relative, u);
    const Upper shifted = c * loss.gap + loss.mean_term;
    const Upper input = inputs_.input_loss.empty() ? Upper(0) : inputs_.input_loss[i] * loss.reciprocal * Upper(1.01L);
    if (is_zero(c) && is_zero(shifted)) return input;  // 0 times anything finite
    return shifted + relative * (c * loss.reciprocal + shifted) + input + acc_.underflow + acc_.flush * loss.reciprocal;
}

// x r + (-m r): the same r and m in both, so only the roundings of two products and a sum come on top.
template <class A>
typename ElementLoss<A>::Upper ElementLoss<A>::folded_loss(int64_t i, bool last) const {
    const BasicLoss<A>& loss = scenario_.loss;
    const Upper u = acc_.roundoff;
    const Upper x = A::size(inputs_.s[i]);
    const Upper c = centred_magnitude(i);
    const Upper reciprocal = loss.reciprocal * (Upper(1) + loss.rstd_relative) + loss.gap;
    const Upper mean = mean_magnitude() + loss.mean_error;
    const Upper input = inputs_.input_loss.empty() ? Upper(0) : inputs_.input_loss[i] * reciprocal;
    Upper result = input + Upper(2) * (acc_.underflow + acc_.flush);
    if (scenario_.shift) {
        result = result + x * (loss.gap + loss.rstd_relative * loss.reciprocal) + loss.mean_term + u * x * reciprocal;
    } else {
        const Upper shifted = c * loss.gap + loss.mean_term;
        const Upper shift_roundoff = chain(u, machine<A>(contract_.moments, contract_.subnormals).roundoff);
        result = result + shifted + loss.rstd_relative * (c * loss.reciprocal + shifted) +
                 (u * x + shift_roundoff * mean) * reciprocal;
    }
    return last ? result : result + u * (normed_bound({}, i) + result);
}

template <class A>
typename ElementLoss<A>::Upper ElementLoss<A>::normed_bound(const Held& held, int64_t i) const {
    if (held.at == Place::normed) return A::size(held.value);
    if (held.at == Place::centred) return A::size(held.value) * scenario_.loss.reciprocal;
    if (!scenario_.shift) return normed_magnitude(i);
    return A::size(inputs_.s[i]) * scenario_.loss.reciprocal + upper_magnitude(*scenario_.shift);
}

// A product of two short significands fits the accumulator, unless it falls below the normal numbers.
template <class A>
bool ElementLoss<A>::product_is_exact(const Held& held, Upper product) const {
    if (held.at != Place::normed || contract_.offset_in == std::nullopt) return false;
    const FormatId gamma = contract_.gamma == Gamma::one_plus ? *contract_.offset_in : contract_.params;
    const int bits = format(contract_.y).significand_bits + format(gamma).significand_bits;
    if (bits > acc_.format->significand_bits) return false;
    return is_zero(product) ||
           !below(product * Upper(0.999L), Upper(std::ldexp(1.0L, acc_.format->min_exponent() + 1)));
}

template <class A>
typename ElementLoss<A>::Upper ElementLoss<A>::scaled_loss(const Held& held, int64_t i, Upper loss, bool last) const {
    const Upper g = A::size(inputs_.gamma[i]);
    const Upper product = g * normed_bound(held, i);
    if (product_is_exact(held, product) || (is_zero(product) && is_zero(loss))) return loss;
    const Upper u = acc_.roundoff;
    Upper relative = last ? Upper(0) : u;
    if (contract_.gamma == Gamma::one_plus && !contract_.offset_in) relative = chain(relative, u);
    // c (rstd gamma) may lose rstd gamma to underflow, and then c carries it.
    const Upper carried = held.at == Place::start ? acc_.underflow * centred_magnitude(i) : Upper(0);
    return g * loss + relative * (product + g * loss) + acc_.underflow + carried;
}

template <class A>
typename ElementLoss<A>::Upper ElementLoss<A>::loss(Place place, const Held& held, int64_t i) const {
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
    const Upper before = held.at == Place::scaled ? A::size(held.value)
                         : inputs_.gamma.empty()  ? normed_bound(held, i)
                                                  : A::size(inputs_.gamma[i]) * normed_bound(held, i);
    result = result + acc_.flush;
    return same_format ? result : result + u * (before + A::size(inputs_.beta[i]) + result);
}

template <class A>
typename ElementLoss<A>::Upper ElementLoss<A>::carried(const Held& held, Upper error, Place place, int64_t i) const {
    Upper result = error;
    if (held.at <= Place::centred && place >= Place::normed)
        result = result * (scenario_.loss.reciprocal * (Upper(1) + scenario_.loss.rstd_relative) + scenario_.loss.gap);
    if (held.at <= Place::normed && place >= Place::scaled && !inputs_.gamma.empty())
        result = result * A::size(inputs_.gamma[i]) * (Upper(1) + Upper(2) * acc_.roundoff);
    return result;
}

// The steps of loss() with their coefficients kept apart. `more` takes the terms of underflow, each with what later
// steps make of it at most: the factors after it come to less than 2.
template <class A>
typename ElementLoss<A>::Affine ElementLoss<A>::affine(Upper largest_gamma, Upper largest_c) const {
    const BasicLoss<A>& loss = scenario_.loss;
    const Upper u = acc_.roundoff;
    const Upper one(1);
    const bool same_format = contract_.acc == contract_.y;
    const bool multiplies = !inputs_.gamma.empty();
    const bool adds = !inputs_.beta.empty();
    const bool folds = layer_ && contract_.apply == Apply::folded;
    const bool last = same_format && !multiplies && !adds;
    Affine result;
    if (folds) {
        const Upper reciprocal = loss.reciprocal * (one + loss.rstd_relative) + loss.gap;
        const Upper shift_roundoff = chain(u, machine<A>(contract_.moments, contract_.subnormals).roundoff);
        result.base = loss.mean_term * (one + loss.rstd_relative) +
                      shift_roundoff * (mean_magnitude() + loss.mean_error) * reciprocal;
        result.per_c = loss.gap + loss.rstd_relative * (loss.reciprocal + loss.gap);
        result.per_x = u * reciprocal;
        result.more = Upper(2) * (acc_.underflow + acc_.flush);
        if (!last) {
            result.base = result.base * (one + u);
            result.per_c = result.per_c * (one + u) + u * loss.reciprocal;
            result.per_x = result.per_x * (one + u);
        }
    } else {
        Upper relative = layer_ ? chain(loss.rstd_relative, u) : loss.rstd_relative;
        if (!last) relative = chain(relative, u);
        result.base = loss.mean_term * (one + relative);
        result.per_c = loss.gap + relative * (loss.reciprocal + loss.gap);
        result.more = acc_.underflow + acc_.flush * loss.reciprocal;
    }
    if (multiplies) {
        Upper relative = same_format && !adds ? Upper(0) : u;
        if (contract_.gamma == Gamma::one_plus && !contract_.offset_in) relative = chain(relative, u);
        result.base = result.base * (one + relative);
        result.per_c = result.per_c * (one + relative) + relative * loss.reciprocal;
        result.per_x = result.per_x * (one + relative);
        result.more = largest_gamma * result.more + acc_.underflow + acc_.underflow * largest_c;
    }
    if (adds) result.more = result.more + acc_.flush;
    if (adds && !same_format) {
        result.base = result.base * (one + u);
        result.per_c = result.per_c * (one + u) + u * loss.reciprocal;
        result.per_x = result.per_x * (one + u);
        result.per_b = u;
    }
    result.more = result.more * Upper(2);
    return result;
}

template class ElementLoss<Exact>;
template class ElementLoss<Certified>;

}  // namespace normcheck
