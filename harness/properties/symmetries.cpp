// Properties of x: what the bits do when x is scaled by a power of two or negated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/properties/property_calls.hpp"
#include "harness/properties/property_functions.hpp"
#include "harness/properties/row_values.hpp"

namespace normcheck {
namespace {

/// By which power of x eps must be scaled so that the formula stays the same; nothing where no power does it.
std::optional<int> degree_of_eps(const Contract& contract) {
    if (contract.eps.value == 0) return 0;
    switch (contract.eps_at) {
        case EpsAt::inside:
        case EpsAt::max_variance:
        case EpsAt::on_sum:
            return 2;
        case EpsAt::outside:
        case EpsAt::max_std:
        case EpsAt::max_norm:
            return 1;
        case EpsAt::none:
        case EpsAt::on_count:
            return 0;
        case EpsAt::inside_and_outside:
            return std::nullopt;
    }
    return std::nullopt;
}

/// Why the contract lets the bits depend on the scale; empty where it does not.
std::string scale_matters(const Contract& contract) {
    if (!bits_repeat(contract)) return "the contract fixes no order of summation";
    if (contract.rsqrt.kind != RsqrtKind::exact) return "an approximate root may depend on the exponent";
    if (contract.subnormals != Subnormals::keep) return "subnormals may be flushed";
    if (!degree_of_eps(contract)) return "eps stands in two places";
    for (const auto& stored : contract.stored)
        if (stored && format(*stored).max_exponent() < format(FormatId::f32).max_exponent())
            return "a statistic is stored in a format of few exponents";
    return "";
}

struct Powers {
    int lowest, highest;
};

void narrow(Powers& powers, int lowest, int highest) {
    powers.lowest = std::max(powers.lowest, lowest);
    powers.highest = std::min(powers.highest, highest);
}

/// a / b rounded up, b > 0.
int ceil_quotient(int a, int b) {
    return a > 0 ? (a + b - 1) / b : -(-a / b);
}

/// The powers k for which nothing in the computation leaves the normal numbers. Sums of floats are exact where they are
/// subnormal (Hauser 1996), so only products and quotients matter:
///   squares of x    at least 4^least, or that over n where the quotient comes first; with their sum at most n 4^top;
///   layer           partial sums, hence means, are multiples of 2^lowest_bit; a mean is at least 2^(lowest_bit - log2
///   n)
///                   or 0, a value of p bits, and so is the difference of another value to it: a multiple of
///                   2^(lowest_bit - log2 n - p). Once more p for the means of lanes that are merged.
Powers normal_powers(const Contract& contract, const Extent& all, int64_t cols, bool adds) {
    const Format &acc = format(contract.acc), &moments = format(contract.moments), &stored = format(contract.x);
    const int bottom = std::max(acc.min_exponent(), moments.min_exponent());
    const int top = std::min(acc.max_exponent(), moments.max_exponent());
    const int precision = std::max(acc.significand_bits, moments.significand_bits);
    const int columns = ceil_log2(cols);
    const bool layer = contract.norm == Norm::layer;
    const int least = layer ? all.lowest_bit - columns - 2 * precision - 2 : adds ? all.lowest_bit : all.least;
    const int largest = all.top + (adds ? 1 : 0) + (layer ? 1 : 0);
    Powers powers{ceil_quotient(bottom + columns + 1, 2) - least, (top - columns - 2) / 2 - largest};
    narrow(powers, stored.min_exponent() - all.least, stored.max_exponent() - all.top);
    return powers;
}

/// The same for eps, which is scaled by degree * k and must stay a normal value of the formats that hold it.
void narrow_for_eps(Powers& powers, const Contract& contract, int degree) {
    if (degree == 0 || contract.eps.value == 0) return;
    const int exponent = std::ilogb(contract.eps.value);
    for (const FormatId id : {contract.eps.format, contract.acc, contract.moments})
        narrow(powers, ceil_quotient(format(id).min_exponent() - exponent, degree),
               (format(id).max_exponent() - 2 - exponent) / degree);
}

Setting scaled_by(const Setting& row, int power, int degree) {
    Setting result = row;
    const FormatId x = row.contract.x;
    result.inputs.x = codes_of(x, scaled(values_of(x, row.inputs.x), power));
    result.inputs.residual = codes_of(x, scaled(values_of(x, row.inputs.residual), power));
    result.contract.eps.value = std::ldexp(row.contract.eps.value, degree * power);
    return result;
}

PropertyResult compare_scales(const Setting& row, int lower, int higher, int degree) {
    const Called a = call(scaled_by(row, lower, degree)), b = call(scaled_by(row, higher, degree));
    if (const auto why = unusable(a)) return not_applicable(*why);
    if (const auto why = unusable(b)) return not_applicable(*why);
    const FormatId y = row.contract.y;
    for (int64_t i = 0; i < row.c.cols; ++i) {
        const uint64_t one = a.result.outputs.y[static_cast<size_t>(i)];
        const uint64_t other = b.result.outputs.y[static_cast<size_t>(i)];
        if (same_value(y, one, other)) continue;
        return violated(
            fmt::format("y[{}] is {} for x 2^{}, but {} for x 2^{}", i, shown(y, one), lower, shown(y, other), higher),
            case_of_inputs(b.setting));
    }
    return held();
}

PropertyResult scales_alike(const Setting& row) {
    if (const std::string why = scale_matters(row.contract); !why.empty()) return not_applicable(why);
    const Values all = values_and_residual(row);
    if (!all_finite(all)) return not_applicable("x is not finite");
    const Extent extent = extent_of(row.contract.x, all);
    if (!extent.any) return not_applicable("x is 0");
    const int degree = *degree_of_eps(row.contract);
    Powers powers = normal_powers(row.contract, extent, row.c.cols, !row.inputs.residual.empty());
    narrow_for_eps(powers, row.contract, degree);
    if (powers.lowest >= powers.highest) return not_applicable("no two scales keep everything normal");
    const int lower = std::clamp(0, powers.lowest, powers.highest - 1);
    return compare_scales(row, lower, std::min(lower + 5, powers.highest), degree);
}

std::vector<uint64_t> negated(std::vector<uint64_t> codes, FormatId id) {
    for (uint64_t& code : codes) code ^= format(id).sign_bit();
    return codes;
}

bool is_opposite(FormatId id, uint64_t one, uint64_t other) {
    const Format& numbers = format(id);
    if (is_nan(numbers, one) || is_nan(numbers, other)) return is_nan(numbers, one) && is_nan(numbers, other);
    return rank(numbers, one) == -rank(numbers, other);
}

PropertyResult compare_signs(const Called& plain, const Called& opposite) {
    const FormatId y = plain.setting.contract.y;
    for (size_t i = 0; i < plain.result.outputs.y.size(); ++i) {
        const uint64_t one = plain.result.outputs.y[i], other = opposite.result.outputs.y[i];
        if (is_opposite(y, one, other)) continue;
        const int64_t cols = plain.setting.c.cols, row = static_cast<int64_t>(i) / cols;
        return violated(fmt::format("y[{}] of row {} is {} for x, but {} for -x", static_cast<int64_t>(i) % cols, row,
                                    shown(y, one), shown(y, other)),
                        case_of_inputs(one_row(opposite.setting, row)));
    }
    return held();
}

}  // namespace

// Theorem: scaling x by 2^k (and eps by 4^k, or 2^k where it stands outside the root) scales every real step by a power
// of two, and rounding to nearest commutes with that among normal numbers, in any order of summation and any
// contraction, for casts and stored intermediates too. Root: the scale under it is 4^k. The normalised value is the
// same number at both scales, so from there on every bit is. Condition: normal_powers, narrow_for_eps, scale_matters.
// Two scales are compared of which the row as it stands need not be one.
PropertyResult property_power_of_two_scaling(const nc_kernel& kernel, const Case& c) {
    return of_rows(kernel, c, scales_alike);
}

// Theorem: to nearest, every operation of the program is odd or even in x, so all bits but the sign are the same; where
// an exact 0 comes out it may have either sign. Condition: nothing is added last, bits repeat. An approximate root,
// flushing, overflow and saturation are symmetric as well.
PropertyResult property_sign_symmetry(const nc_kernel& kernel, const Case& c) {
    Setting plain = setting_of(kernel, on_one_thread(c));
    if (!bits_repeat(plain.contract)) return not_applicable("the contract fixes no order of summation");
    plain.inputs.beta.clear();
    Setting opposite = plain;
    opposite.inputs.x = negated(plain.inputs.x, plain.contract.x);
    opposite.inputs.residual = negated(plain.inputs.residual, plain.contract.x);
    const Called a = call(plain), b = call(opposite);
    if (const auto why = unusable(a)) return not_applicable(*why);
    if (const auto why = unusable(b)) return not_applicable(*why);
    return compare_signs(a, b);
}

}  // namespace normcheck
