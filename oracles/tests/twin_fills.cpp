// Families of rows, among them those whose roots are exact.
#include "oracles/tests/twin_fills.hpp"

#include <algorithm>
#include <cmath>

#include "oracles/tests/mpfr_interval.hpp"

namespace normcheck::twin {
namespace {

uint64_t smallest_normal(FormatId format) {
    return inf_code(format) & -inf_code(format);
}

uint64_t subnormal_code(Draw& draw, FormatId format) {
    const uint64_t sign = draw.chance(50) ? sign_bit(format) : 0;
    return sign | draw.bits() % smallest_normal(format);
}

void fill_gaussian(Draw& draw, const Contract& contract, Codes& x) {
    const double scale = power_of_two(draw.below(9) - 4);
    for (uint64_t& code : x) code = finite_code(contract.x, scale * draw.bell());
}

void fill_uniform_bits(Draw& draw, const Contract& contract, Codes& x) {
    for (uint64_t& code : x) code = uniform_code(draw, contract.x);
}

void fill_subnormal(Draw& draw, const Contract& contract, Codes& x) {
    for (uint64_t& code : x) code = subnormal_code(draw, contract.x);
}

void fill_wide_exponents(Draw& draw, const Contract& contract, Codes& x) {
    const int64_t range = 1 + draw.below(60);
    for (uint64_t& code : x) code = finite_code(contract.x, draw.bell() * power_of_two(draw.below(range) - range / 2));
}

void fill_constant(Draw& draw, const Contract& contract, Codes& x) {
    std::fill(x.begin(), x.end(), finite_code(contract.x, draw.bell() * 10));
}

void fill_near_constant(Draw& draw, const Contract& contract, Codes& x) {
    const uint64_t base = finite_code(contract.x, 1 + draw.unit() * 100);
    for (uint64_t& code : x) code = base + static_cast<uint64_t>(draw.below(4));
}

void fill_spike(Draw& draw, const Contract& contract, Codes& x) {
    std::fill(x.begin(), x.end(), 0);
    x[static_cast<size_t>(draw.below(static_cast<int64_t>(x.size())))] =
        draw.chance(50) ? uniform_code(draw, contract.x) : finite_code(contract.x, 100 * draw.bell());
}

void fill_large_offset(Draw& draw, const Contract& contract, Codes& x) {
    const double offset = std::pow(10.0, static_cast<double>(2 + draw.below(6)));
    for (uint64_t& code : x) code = finite_code(contract.x, offset + draw.bell());
}

void fill_small_integers(Draw& draw, const Contract& contract, Codes& x) {
    const int64_t range = 1 + draw.below(100);
    for (uint64_t& code : x) code = finite_code(contract.x, static_cast<double>(draw.below(2 * range + 1) - range));
}

void fill_zeros(Draw&, const Contract&, Codes& x) {
    std::fill(x.begin(), x.end(), 0);
}

/// Mean square, or variance, within a few powers of two of eps.
void fill_around_eps(Draw& draw, const Contract& contract, Codes& x) {
    const double scale = std::sqrt(contract.eps.value) * power_of_two(draw.below(31) - 15);
    for (uint64_t& code : x) code = finite_code(contract.x, scale * draw.bell());
}

constexpr Family all_families[] = {
    {"gaussian", fill_gaussian},
    {"uniform_bits", fill_uniform_bits},
    {"subnormal", fill_subnormal},
    {"wide_exponents", fill_wide_exponents},
    {"constant", fill_constant},
    {"near_constant", fill_near_constant},
    {"spike", fill_spike},
    {"large_offset", fill_large_offset},
    {"small_integers", fill_small_integers},
    {"zeros", fill_zeros},
    {"around_eps", fill_around_eps},
};

/// An eps for which rows of mean square (variance) a^2 have a denominator of a / 4 to 4 a by powers of two.
double perfect_eps(Draw& draw, EpsAt eps_at, double a, double cols) {
    constexpr double square_factors[] = {0, 3, 15};
    constexpr double linear_factors[] = {0, 1, 3};
    switch (eps_at) {
        case EpsAt::inside:
            return draw.of(square_factors) * a * a;
        case EpsAt::outside:
            return draw.of(linear_factors) * a;
        case EpsAt::none:
            return 0;
        case EpsAt::max_variance:
            return draw.chance(50) ? 4 * a * a : a * a / 4;
        case EpsAt::max_std:
            return draw.chance(50) ? 2 * a : a / 2;
        case EpsAt::max_norm:
            return draw.chance(50) ? 2 * a * std::sqrt(cols) : a;
        case EpsAt::inside_and_outside:
            return a == 2 ? 5 : 0;
        case EpsAt::on_sum:
            return draw.of(square_factors) * a * a * cols;
        case EpsAt::on_count:
            return draw.chance(50) ? 3 * cols : 0;
    }
    return 0;
}

/// Half of the values lie a above the centre and half a below it.
void fill_two_valued(Draw& draw, TwinRow& row, double a, double centre) {
    for (size_t i = 0; i < row.x.size(); ++i) {
        const bool above = i % 2 == 0;
        row.x[i] = finite_code(row.contract.x, centre + (above ? a : -a));
    }
    for (size_t i = row.x.size() - 1; i > 0; --i)
        std::swap(row.x[i], row.x[static_cast<size_t>(draw.below(static_cast<int64_t>(i) + 1))]);
}

}  // namespace

std::span<const Family> families() {
    return all_families;
}

uint64_t finite_code(FormatId format, double value) {
    const uint64_t code = encode(format, value);
    return (code & ~sign_bit(format)) >= inf_code(format) ? code - 1 : code;
}

uint64_t uniform_code(Draw& draw, FormatId format) {
    const uint64_t sign = draw.chance(50) ? sign_bit(format) : 0;
    return sign | draw.bits() % inf_code(format);
}

double power_of_two(int64_t exponent) {
    return std::ldexp(1.0, static_cast<int>(exponent));
}

void make_perfect_square(Draw& draw, TwinRow& row) {
    constexpr size_t counts[] = {2, 4, 8, 16, 16, 64};
    constexpr double units[] = {0.25, 0.5, 1, 2, 2, 3, 6};
    row.family = "perfect_square";
    row.contract.residual = Residual::none;
    row.x.resize(draw.of(counts));
    const double a = draw.of(units);
    const double centre = row.contract.norm == Norm::layer ? static_cast<double>(draw.below(40)) : 0.0;
    fill_two_valued(draw, row, a, centre);
    const double eps = perfect_eps(draw, row.contract.eps_at, a, static_cast<double>(row.x.size()));
    row.contract.eps.value = decode(row.contract.eps.format, encode(row.contract.eps.format, eps));
}

void make_hidden_tie(Draw& draw, TwinRow& row) {
    make_perfect_square(draw, row);
    row.family = "hidden_tie";
    row.contract.eps_at = EpsAt::inside;
    row.contract.eps.value = 16;
    fill_two_valued(draw, row, 3, 0);
}

}  // namespace normcheck::twin
