// Random contracts for the comparison of the two oracles, valid by construction.
#include "oracles/tests/mpfr_interval.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck::twin {
namespace {

constexpr FormatId formats[] = {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16};
constexpr EpsAt placements[] = {EpsAt::inside,  EpsAt::outside,      EpsAt::none,
                                EpsAt::max_std, EpsAt::max_variance, EpsAt::inside_and_outside,
                                EpsAt::on_sum,  EpsAt::on_count,     EpsAt::max_norm};
constexpr double common_eps[] = {1e-12, 1e-8, 1e-6, 1e-5, 1e-3, 0.1, 1, 100};

uint64_t eps_code(Draw& draw, FormatId format) {
    const int64_t kind = draw.below(20);
    const uint64_t smallest_normal = inf_code(format) & -inf_code(format);
    if (kind == 0) return 0;
    if (kind < 3) return 1 + draw.bits() % (smallest_normal - 1);
    if (kind == 3) return draw.bits() % inf_code(format);
    return encode(format, draw.of(common_eps));
}

void draw_eps(Draw& draw, Contract& contract) {
    contract.eps_at = contract.norm == Norm::rms ? draw.of(placements) : placements[draw.below(8)];
    contract.eps.format = draw.of(formats);
    contract.eps.value = decode(contract.eps.format, eps_code(draw, contract.eps.format));
}

void draw_formats(Draw& draw, Contract& contract) {
    contract.x = draw.of(formats);
    contract.params = draw.chance(50) ? contract.x : draw.of(formats);
    contract.y = draw.chance(50) ? contract.x : draw.of(formats);
    contract.acc = contract.x == FormatId::f64 ? FormatId::f64 : FormatId::f32;
    contract.moments = contract.acc;
    contract.stats = draw.chance(70) ? contract.moments : draw.of(formats);
}

void draw_parameters(Draw& draw, Contract& contract) {
    constexpr Gamma gammas[] = {Gamma::none, Gamma::mul, Gamma::mul, Gamma::one_plus};
    contract.gamma = draw.of(gammas);
    if (contract.gamma == Gamma::one_plus) {
        contract.offset_in = draw.of(formats);
        if (draw.chance(30)) contract.offset_in.reset();
    }
    contract.beta = draw.chance(60) ? Beta::add : Beta::none;
    contract.cast = draw.chance(20) && contract.gamma != Gamma::none ? Cast::before_gamma : Cast::last;
}

bool exists(Point point, const Contract& contract) {
    switch (point) {
        case Point::mean:
            return contract.norm == Norm::layer;
        case Point::centred:
            return contract.norm == Norm::layer && contract.apply == Apply::centred;
        case Point::shift:
            return contract.apply == Apply::folded;
        case Point::scaled:
            return contract.gamma != Gamma::none;
        case Point::denominator:
            return contract.eps_at == EpsAt::outside || contract.eps_at == EpsAt::inside_and_outside ||
                   contract.eps_at == EpsAt::max_std;
        case Point::radicand:
            return contract.eps_at != EpsAt::outside && contract.eps_at != EpsAt::max_std &&
                   contract.eps_at != EpsAt::max_norm;
        case Point::var:
        case Point::std:
        case Point::rstd:
            return true;
    }
    return false;
}

void draw_stored(Draw& draw, Contract& contract) {
    if (draw.chance(50)) return;
    for (int64_t count = 1 + draw.below(3); count > 0; --count) {
        const auto point = static_cast<Point>(draw.below(point_count));
        if (exists(point, contract)) contract.stored[static_cast<size_t>(point)] = draw.of(formats);
    }
}

}  // namespace

Contract random_contract(Draw& draw) {
    constexpr Variance variances[] = {Variance::two_pass, Variance::welford, Variance::one_pass};
    constexpr Residual residuals[] = {Residual::none, Residual::none, Residual::wide, Residual::rounded};
    Contract contract;
    contract.norm = draw.chance(50) ? Norm::layer : Norm::rms;
    draw_formats(draw, contract);
    draw_eps(draw, contract);
    draw_parameters(draw, contract);
    if (contract.norm == Norm::layer) {
        contract.apply = draw.chance(30) ? Apply::folded : Apply::centred;
        contract.variance = draw.of(variances);
    }
    draw_stored(draw, contract);
    contract.residual = draw.of(residuals);
    contract.overflow = draw.chance(20) ? Overflow::saturate : Overflow::inf;
    return contract;
}

}  // namespace normcheck::twin
