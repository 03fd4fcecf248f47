// Properties of gamma and beta: y is linear in them, exactly so for 0 and powers of two.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/properties/property_calls.hpp"
#include "harness/properties/property_functions.hpp"
#include "harness/properties/row_values.hpp"

namespace normcheck {
namespace {

/// A quarter of the accumulator's exponents: gammas and statistics this far from its ends meet in no product that
/// leaves the normal numbers.
int room(const Contract& contract) {
    return -format(contract.acc).min_exponent() / 4;
}

/// Whether rstd is between 2^-2room and 2^2room whatever the row: x below 2^(2 room - 1), and eps small.
bool is_moderate(const Setting& row) {
    const Values all = values_and_residual(row);
    return all_finite(all) && extent_of(row.contract.x, all).top <= 2 * room(row.contract) - 2 &&
           row.contract.eps.value <= 1;
}

/// Normal in y's format and in acc also before the last rounding, which may have reached the smallest normal number
/// from below, and far enough from overflow to be scaled by 8.
bool has_room(const Contract& contract, double value) {
    const Format &y = format(contract.y), &acc = format(contract.acc);
    return std::fabs(value) >= std::ldexp(1.0, std::max(y.min_exponent(), acc.min_exponent()) + 1) &&
           std::fabs(value) < std::ldexp(1.0, std::min(y.max_exponent(), acc.max_exponent()) - 3);
}

/// Whether gamma may be scaled by up to 4 without anything leaving the normal numbers: exact in its format, moderate.
bool gamma_has_room(const Contract& contract, double gamma) {
    const double size = std::fabs(gamma);
    const int lowest = std::max(-room(contract), format(contract.params).min_exponent());
    const int highest = std::min(room(contract), format(contract.params).max_exponent() - 3);
    return gamma == 0 || (size >= std::ldexp(1.0, lowest) && size < std::ldexp(1.0, highest));
}

/// A product that underflows loses its bits, but then a beta this large is the whole sum.
bool beta_has_room(const Contract& contract, double beta) {
    const Format &acc = format(contract.acc), &params = format(contract.params);
    const int lowest = std::max(acc.min_exponent() + acc.significand_bits + 3, params.min_exponent());
    const int highest = std::min(acc.max_exponent(), params.max_exponent()) - 3;
    return beta == 0 || (std::fabs(beta) >= std::ldexp(1.0, lowest) && std::fabs(beta) < std::ldexp(1.0, highest));
}

/// Why y is not linear in gamma bit by bit under this contract; empty where it is.
std::string gamma_is_no_factor(const Contract& contract) {
    if (contract.gamma != Gamma::mul) return "gamma is no plain factor under this contract";
    if (!bits_repeat(contract)) return "the contract fixes no order of summation";
    if (contract.subnormals != Subnormals::keep) return "subnormals may be flushed";
    const auto scaled_point = contract.stored_at(Point::scaled);
    if (scaled_point && !holds_all_of(*scaled_point, contract.y)) return "y's range is not that of the stored product";
    return "";
}

/// Gamma as the kernel takes it, ones where the case passes none.
Values gammas_of(const Setting& setting) {
    if (setting.inputs.gamma.empty()) return Values(static_cast<size_t>(setting.c.cols), 1.0);
    return values_of(setting.contract.params, setting.inputs.gamma);
}

Values betas_of(const Setting& setting) {
    if (setting.inputs.beta.empty()) return Values(static_cast<size_t>(setting.c.cols), 0.0);
    return values_of(setting.contract.params, setting.inputs.beta);
}

/// Compares element by element, where everything has room, y with y times 2^power.
PropertyResult compare_scaled(const Called& plain, const Called& scaled_call, int power) {
    if (const auto why = unusable(plain)) return not_applicable(*why);
    if (const auto why = unusable(scaled_call)) return not_applicable(*why);
    const Contract& contract = plain.setting.contract;
    const Format& y = format(contract.y);
    const Values gamma = gammas_of(plain.setting), beta = betas_of(plain.setting);
    Parts parts;
    for (int64_t i = 0; i < plain.setting.c.cols && !parts.is_violated(); ++i) {
        const auto at = static_cast<size_t>(i);
        const uint64_t one = plain.result.outputs.y[at], other = scaled_call.result.outputs.y[at];
        const double value = decode_double(y, one);
        const bool comparable =
            gamma_has_room(contract, gamma[at]) && beta_has_room(contract, beta[at]) && has_room(contract, value);
        if (!comparable) continue;
        if (decode_double(y, other) == std::ldexp(value, power)) {
            parts.add(held());
        } else {
            parts.add(violated(fmt::format("y[{}] is {}, but {} where it must be 2^{} times that", i,
                                           shown(contract.y, one), shown(contract.y, other), power),
                               case_of_inputs(scaled_call.setting)));
        }
    }
    return parts.result();
}

/// The row with gamma and beta times 2^power.
Setting with_scaled_parameters(const Setting& row, int power) {
    Setting result = row;
    result.inputs.gamma = codes_of(row.contract.params, scaled(gammas_of(row), power));
    if (!row.inputs.beta.empty()) result.inputs.beta = codes_of(row.contract.params, scaled(betas_of(row), power));
    return result;
}

PropertyResult linear(const Setting& row, int power) {
    if (!is_moderate(row)) return not_applicable("x is not moderate in size");
    return compare_scaled(call(row), call(with_scaled_parameters(row, power)), power);
}

PropertyResult gamma_scales(const Setting& row) {
    if (const std::string why = gamma_is_no_factor(row.contract); !why.empty()) return not_applicable(why);
    Setting plain = row;
    plain.inputs.beta.clear();
    return linear(plain, 2);
}

PropertyResult parameters_scale(const Setting& row) {
    if (const std::string why = gamma_is_no_factor(row.contract); !why.empty()) return not_applicable(why);
    if (row.inputs.beta.empty()) return not_applicable("no beta is added");
    return linear(row, 1);
}

/// The row with a gamma that counts as 0.
Setting with_zero_gamma(const Setting& row) {
    Setting result = row;
    const double stored = row.contract.gamma == Gamma::one_plus ? -1 : 0;
    result.inputs.gamma = codes_of(row.contract.params, Values(static_cast<size_t>(row.c.cols), stored));
    return result;
}

/// Whether the element is beta rounded once to y. Flushed numbers are not asked.
bool is_beta(const Contract& contract, double beta, uint64_t got) {
    const Format& y = format(contract.y);
    uint64_t wanted = std::isnan(beta) ? y.nan_code() : round_double(y, beta);
    if (contract.overflow == Overflow::saturate && std::isfinite(beta)) wanted = saturated(y, wanted);
    if (contract.subnormals != Subnormals::keep &&
        !(std::fabs(decode_double(y, wanted)) >= std::ldexp(1.0, std::max(y.min_exponent(), -126))))
        return true;
    if (is_nan(y, wanted) || is_nan(y, got)) return is_nan(y, wanted) && is_nan(y, got);
    return rank(y, wanted) == rank(y, got);
}

PropertyResult compare_with_beta(const Called& called) {
    const Contract& contract = called.setting.contract;
    const Values beta = betas_of(called.setting);
    for (int64_t i = 0; i < called.setting.c.cols; ++i) {
        const auto at = static_cast<size_t>(i);
        const uint64_t got = called.result.outputs.y[at];
        if (is_beta(contract, beta[at], got)) continue;
        return violated(
            fmt::format(
                "y[{}] is {}, but gamma is 0 and beta {}", i, shown(contract.y, got),
                called.setting.inputs.beta.empty() ? "0" : shown(contract.params, called.setting.inputs.beta[at])),
            case_of_inputs(called.setting));
    }
    return held();
}

/// The row as it stands tells whether it is promised anything, so that the normalised values are finite.
PropertyResult zero_gamma_leaves_beta(const Setting& row) {
    if (row.contract.gamma == Gamma::none) return not_applicable("the contract takes no gamma");
    if (!row.inputs.beta.empty() && !holds_all_of(row.contract.acc, row.contract.params))
        return not_applicable("beta is rounded on the way");
    const Called plain = call(row);
    if (const auto why = unusable(plain)) return not_applicable(*why);
    const RowResult judgement = judge_row(plain, 0);
    if (judgement.verdict != Verdict::pass) return not_applicable("the row as it stands does not pass");
    if (judgement.regime == Regime::special) return not_applicable("x is not finite");
    const Called zeroed = call(with_zero_gamma(row));
    if (const auto why = unusable(zeroed)) return not_applicable(*why);
    return compare_with_beta(zeroed);
}

}  // namespace

// Theorem: y = round(g xhat), or round(g round(xhat)) under a cast, is scaled by a power of two with g: rounding
// commutes with it among normal numbers, whether the kernel forms (x rstd) g or x (rstd g). Condition per element: see
// the has_room functions; y itself says whether its product was normal.
PropertyResult property_gamma_power_of_two(const nc_kernel& kernel, const Case& c) {
    return of_rows(kernel, c, gamma_scales);
}

// Theorem: 0 times a finite normalised value is a zero, and a zero plus beta is beta, exactly, rounded once to y.
// Condition: the accumulator holds beta. Zeros of either sign are alike.
PropertyResult property_gamma_zero_gives_beta(const nc_kernel& kernel, const Case& c) {
    return of_rows(kernel, c, zero_gamma_leaves_beta);
}

// Theorem: as for gamma alone, for g xhat + b is scaled as a whole. A product that underflows has no part in the sum:
// beta_has_room.
PropertyResult property_doubled_gamma_and_beta(const nc_kernel& kernel, const Case& c) {
    return of_rows(kernel, c, parameters_scale);
}

}  // namespace normcheck
