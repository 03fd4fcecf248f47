// Which contracts contradict themselves. A rule is one row: when it is broken, and what is then said.
#include <fmt/format.h>

#include "oracles/contract.hpp"
#include "oracles/error.hpp"

namespace normcheck {

namespace {

struct Rule {
    bool (*broken)(const Contract& contract);
    const char* why;
};

bool is_rms(const Contract& c) {
    return c.norm == Norm::rms;
}
bool stores(const Contract& c, Point point) {
    return c.stored_at(point).has_value();
}

// The denominator is a value of its own only where something is done to the root.
bool has_denominator(EpsAt eps_at) {
    return eps_at == EpsAt::outside || eps_at == EpsAt::inside_and_outside || eps_at == EpsAt::max_std;
}

// The radicand is a value of its own only where something is done to the variance under the root, or nothing at all.
bool has_radicand(EpsAt eps_at) {
    return eps_at != EpsAt::outside && eps_at != EpsAt::max_std && eps_at != EpsAt::max_norm;
}

bool is_magnitude(double value, FormatId id) {
    const uint64_t code = round_double(format(id), value);
    return is_finite(format(id), code) && !is_negative(format(id), code) && decode_double(format(id), code) == value;
}

constexpr Rule rules[] = {
    {[](const Contract& c) { return !is_magnitude(c.eps.value, c.eps.format); },
     "eps must be finite, at least 0, and a value of its own format"},
    {[](const Contract& c) { return is_rms(c) && c.apply == Apply::folded; },
     "apply=folded needs layer: rms has no mean to fold in"},
    {[](const Contract& c) { return is_rms(c) && c.variance != Variance::two_pass; },
     "variance=welford or one_pass needs layer: rms takes no variance"},
    {[](const Contract& c) { return is_rms(c) && stores(c, Point::mean); },
     "stored=mean needs layer: rms takes no mean"},
    {[](const Contract& c) { return is_rms(c) && stores(c, Point::centred); },
     "stored=centred needs layer: rms subtracts no mean"},
    {[](const Contract& c) { return stores(c, Point::shift) && c.apply != Apply::folded; },
     "stored=shift needs apply=folded: only there is mean * rstd a value of its own"},
    {[](const Contract& c) { return stores(c, Point::centred) && c.apply != Apply::centred; },
     "stored=centred needs apply=centred: folded never forms x - mean"},
    {[](const Contract& c) { return stores(c, Point::denominator) && !has_denominator(c.eps_at); },
     "stored=denominator needs eps_at=outside, inside_and_outside or max_std: elsewhere it is the root itself (std)"},
    {[](const Contract& c) { return stores(c, Point::radicand) && !has_radicand(c.eps_at); },
     "stored=radicand needs the epsilon under the root: not eps_at=outside, max_std or max_norm"},
    {[](const Contract& c) { return !is_rms(c) && c.eps_at == EpsAt::max_norm; },
     "eps_at=max_norm needs rms: it bounds the norm of x itself"},
    {[](const Contract& c) { return c.gamma != Gamma::one_plus && c.offset_in != Contract{}.offset_in; },
     "offset_in needs gamma=one_plus: nothing is added to gamma otherwise"},
    {[](const Contract& c) { return c.gamma == Gamma::none && c.cast == Cast::before_gamma; },
     "cast=before_gamma needs a gamma: gamma=none leaves nothing to cast before"},
    {[](const Contract& c) { return c.reduce.order == Order::lanes && c.reduce.lanes < 1; },
     "reduce=lanes:N needs N of at least 1"},
    {[](const Contract& c) { return c.reduce.order != Order::lanes && c.reduce.lanes != 0; },
     "a number of lanes needs reduce=lanes:N"},
    {[](const Contract& c) { return !is_magnitude(c.rsqrt.error, FormatId::f64); },
     "rsqrt's error must be finite and at least 0"},
    {[](const Contract& c) { return c.rsqrt.kind == RsqrtKind::exact && c.rsqrt.error != 0; },
     "rsqrt=exact has no error"},
    {[](const Contract& c) { return c.rsqrt.kind == RsqrtKind::rel && c.rsqrt.error >= 1; },
     "rsqrt=rel:NUMBER needs a relative error below 1: more promises nothing"},
};

}  // namespace

void validate(const Contract& contract) {
    for (const Rule& rule : rules) {
        if (rule.broken(contract)) throw InputError(fmt::format("contract: {}", rule.why));
    }
}

}  // namespace normcheck
