// The steps of a contract's program, in the order in which a kernel takes them.
#include "oracles/tests/mpfr_program.hpp"

#include <cmath>

#include "oracles/error.hpp"

namespace normcheck::twin {
namespace {

uint64_t saturated(const Contract& contract, uint64_t code) {
    const bool infinite = (code & ~sign_bit(contract.y)) == inf_code(contract.y);
    return infinite && contract.overflow == Overflow::saturate ? code - 1 : code;
}

bool is_number(const Interval& a) {
    return mpfr_number_p(a.low.value) && mpfr_number_p(a.high.value);
}

bool fits_f64(const Interval& a) {
    return is_number(a) && std::isfinite(mpfr_get_d(a.low.value, MPFR_RNDN)) &&
           std::isfinite(mpfr_get_d(a.high.value, MPFR_RNDN));
}

}  // namespace

Program::Program(const Contract& contract, const Inputs& inputs, Effort effort)
    : contract_(contract),
      inputs_(inputs),
      effort_(effort),
      true_mean_(number(0)),
      mean_(number(0)),
      denominator_(number(0)) {
    for (int64_t i = 0; i < inputs.cols; ++i) elements_.push_back(element(i));
    true_mean_ = contract.norm == Norm::layer ? mean_of_elements() : number(0);
    mean_ = contract.norm == Norm::layer ? named(Point::mean, true_mean_) : number(0);
    denominator_ = denominator();
    defined_ = !contains_zero(denominator_);
    if (!defined_ && !effort.last) throw Undecided{};
    if (!defined_) return;
    if (contract.stored_at(Point::rstd)) stored_rstd_ = named(Point::rstd, reciprocal());
    if (contract.apply == Apply::folded && contract.stored_at(Point::shift))
        stored_shift_ = named(Point::shift, over_denominator(number(0) - mean_));
}

bool Program::finite() const {
    for (const Interval& s : elements_)
        if (!fits_f64(s)) return false;
    for (int64_t i = 0; i < inputs_.cols; ++i)
        if (!is_number(gamma(i))) return false;
    return is_number(mean_) && is_number(denominator_) && (!stored_rstd_ || is_number(*stored_rstd_)) &&
           (!stored_shift_ || is_number(*stored_shift_));
}

bool Program::finite_at(int64_t i) const {
    return is_number(centred(i)) && is_number(normalised(i)) && is_number(scaled(i));
}

Interval Program::rounded(const Interval& a, FormatId format) const {
    if (is_nan(a)) return a;
    return decode(format, decide(a, format, RoundingMode::nearest_even, effort_), effort_.bits);
}

Interval Program::named(Point point, const Interval& a) const {
    const auto format = contract_.stored_at(point);
    return format ? rounded(a, *format) : a;
}

Interval Program::wide_sum(int64_t i) const {
    const Interval x = decode(contract_.x, inputs_.x[i], effort_.bits);
    return inputs_.residual ? x + decode(contract_.x, inputs_.residual[i], effort_.bits) : x;
}

Interval Program::element(int64_t i) const {
    switch (contract_.residual) {
        case Residual::none:
            return decode(contract_.x, inputs_.x[i], effort_.bits);
        case Residual::wide:
            return wide_sum(i);
        case Residual::rounded:
            return rounded(wide_sum(i), contract_.x);
    }
    throw InternalError("internal error: residual without a meaning");
}

uint64_t Program::residual_out(int64_t i) const {
    return decide(wide_sum(i), contract_.x, RoundingMode::nearest_even, effort_);
}

Interval Program::mean_of_elements() const {
    Interval sum = number(0);
    for (const Interval& s : elements_) sum = sum + s;
    return sum / count();
}

Interval Program::mean_square_from(const Interval& centre) const {
    Interval sum = number(0);
    for (const Interval& s : elements_) sum = sum + square(s - centre);
    return sum / count();
}

/// Around the stored mean only where the variance is computed from it.
Interval Program::variance() const {
    const bool from_stored = contract_.variance == Variance::two_pass;
    return named(Point::var, mean_square_from(from_stored ? mean_ : true_mean_));
}

Interval Program::radicand(const Interval& variance) const {
    switch (contract_.eps_at) {
        case EpsAt::inside:
        case EpsAt::inside_and_outside:
            return variance + eps();
        case EpsAt::outside:
        case EpsAt::none:
        case EpsAt::max_std:
            return variance;
        case EpsAt::max_variance:
            return maximum(variance, eps());
        case EpsAt::max_norm:
            return maximum(variance, square(eps()) / count());
        case EpsAt::on_sum:
            return variance + eps() / count();
        case EpsAt::on_count:
            return variance * count() / (count() + eps());
    }
    throw InternalError("internal error: eps_at without a meaning");
}

Interval Program::denominator() const {
    const Interval std = named(Point::std, square_root(named(Point::radicand, radicand(variance()))));
    switch (contract_.eps_at) {
        case EpsAt::outside:
        case EpsAt::inside_and_outside:
            return named(Point::denominator, std + eps());
        case EpsAt::max_std:
            return named(Point::denominator, maximum(std, eps()));
        case EpsAt::inside:
        case EpsAt::none:
        case EpsAt::max_variance:
        case EpsAt::max_norm:
        case EpsAt::on_sum:
        case EpsAt::on_count:
            return named(Point::denominator, std);
    }
    throw InternalError("internal error: eps_at without a meaning");
}

Interval Program::reciprocal() const {
    return over_denominator(number(1));
}

/// Division instead of multiplication by the reciprocal keeps quotients exact that are.
Interval Program::over_denominator(const Interval& a) const {
    return stored_rstd_ ? a * *stored_rstd_ : a / denominator_;
}

Interval Program::centred(int64_t i) const {
    return named(Point::centred, elements_[static_cast<size_t>(i)] - mean_);
}

Interval Program::normalised(int64_t i) const {
    if (stored_shift_) return over_denominator(elements_[static_cast<size_t>(i)]) + *stored_shift_;
    if (contract_.apply == Apply::folded) return over_denominator(elements_[static_cast<size_t>(i)] - mean_);
    return over_denominator(centred(i));
}

Interval Program::gamma(int64_t i) const {
    if (contract_.gamma == Gamma::none || !inputs_.gamma) return number(1);
    const Interval stored = decode(contract_.params, inputs_.gamma[i], effort_.bits);
    if (contract_.gamma == Gamma::mul) return stored;
    const Interval shifted = number(1) + stored;
    return contract_.offset_in ? rounded(shifted, *contract_.offset_in) : shifted;
}

Interval Program::scaled(int64_t i) const {
    const bool cast_first = contract_.cast == Cast::before_gamma;
    const Interval z = cast_first ? rounded(normalised(i), contract_.y) : normalised(i);
    return named(Point::scaled, gamma(i) * z);
}

Interval Program::unrounded(int64_t i) const {
    if (contract_.beta == Beta::none || !inputs_.beta) return scaled(i);
    return scaled(i) + decode(contract_.params, inputs_.beta[i], effort_.bits);
}

Roundings Program::y(int64_t i) const {
    Roundings all = decide_all(unrounded(i), contract_.y, effort_);
    all[0] = saturated(contract_, all[0]);
    return all;
}

}  // namespace normcheck::twin
