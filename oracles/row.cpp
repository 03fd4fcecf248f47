// Reads rows and parameters from codes.
#include "oracles/row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

// 1 + gamma rounded to the format in which the contract adds it; exact as a pair where it names none.
Pair offset_gamma(const Contract& contract, double gamma) {
    const Pair sum = two_sum(1.0, gamma);
    if (!contract.offset_in) return sum;
    const Format& target = format(*contract.offset_in);
    return {decode_double(target, round_dyadic(target, dyadic(1.0) + dyadic(gamma))), 0};
}

void read_gamma(const Contract& contract, int64_t cols, const uint64_t* codes, Parameters& into) {
    const Format& params = format(contract.params);
    Upper largest(0);
    into.raw_gamma.reserve(static_cast<size_t>(cols));
    into.gamma.reserve(static_cast<size_t>(cols));
    double largest_plain = 0;
    for (int64_t i = 0; i < cols; ++i) {
        double raw = decode_double(params, codes[i]);
        Pair value{0, 0};
        if (std::isfinite(raw)) {
            value = contract.gamma == Gamma::one_plus ? offset_gamma(contract, raw) : Pair{raw, 0};
            raw = value.hi;
        }
        if (!std::isfinite(raw)) value = {0, 0};
        into.finite = into.finite && std::isfinite(raw);
        into.gamma.push_back(value);
        into.raw_gamma.push_back(raw);
        if (value.lo == 0)
            largest_plain = std::max(largest_plain, std::fabs(value.hi));
        else
            largest = max(largest, upper_magnitude(value.hi) + upper_magnitude(value.lo));
    }
    into.largest_gamma = max(largest, upper_magnitude(largest_plain) + Upper(0));
}

void read_beta(const Contract& contract, int64_t cols, const uint64_t* codes, Parameters& into) {
    const Format& params = format(contract.params);
    into.beta.reserve(static_cast<size_t>(cols));
    into.raw_beta.reserve(static_cast<size_t>(cols));
    double largest = 0;
    for (int64_t i = 0; i < cols; ++i) {
        const double raw = decode_double(params, codes[i]);
        into.finite = into.finite && std::isfinite(raw);
        into.beta.push_back(std::isfinite(raw) ? raw : 0.0);
        into.raw_beta.push_back(raw);
        largest = std::max(largest, std::fabs(into.beta.back()));
    }
    into.largest_beta = upper_magnitude(largest);
}

// The sum x + r and its rounding to x's format, for finite x and r.
struct Added {
    Pair sum;
    uint64_t rounded;
};
Added add(const Format& f, double x, double r) {
    const Pair sum = two_sum(x, r);
    if (sum.lo == 0 && std::isfinite(sum.hi)) return {sum, round_double(f, sum.hi)};
    return {sum, round_dyadic(f, dyadic(x) + dyadic(r))};
}

void read_element(const Contract& contract, double x, const double* r, Row& row) {
    const Format& f = format(contract.x);
    Pair value{x, 0};
    if (r != nullptr) {
        const bool finite = std::isfinite(x) && std::isfinite(*r);
        const Added added = finite ? add(f, x, *r) : Added{{x + *r, 0}, round_double(f, x + *r)};
        row.residual_out.push_back(added.rounded);
        value = contract.residual == Residual::rounded ? Pair{decode_double(f, added.rounded), 0} : added.sum;
        if (finite && contract.residual == Residual::wide && !std::isfinite(value.hi)) {
            row.sum_left_range = true;
            value = {0, 0};
        }
    }
    row.has_nan = row.has_nan || std::isnan(value.hi);
    row.has_inf = row.has_inf || std::isinf(value.hi);
    row.s.push_back(value);
    if (contract.subnormals != Subnormals::flush_both) return;
    const double smallest = std::ldexp(1.0, f.min_exponent());
    const auto vanishing = [&](double term) { return std::fabs(term) < smallest ? upper_magnitude(term) : Upper(0); };
    row.vanishing.push_back(vanishing(x) + (r == nullptr ? Upper(0) : vanishing(*r)));
}

}  // namespace

Parameters read_parameters(const Contract& contract, int64_t cols, const uint64_t* gamma, const uint64_t* beta) {
    Parameters result;
    if (gamma != nullptr && contract.gamma != Gamma::none) read_gamma(contract, cols, gamma, result);
    if (beta != nullptr && contract.beta != Beta::none) read_beta(contract, cols, beta, result);
    const size_t padded = static_cast<size_t>(cols) + vector_padding;
    if (!result.gamma.empty()) result.gamma_values.resize(padded);
    for (size_t i = 0; i < result.gamma.size(); ++i) {
        result.gamma_values[i] = result.gamma[i].hi;
        result.gamma_is_pair = result.gamma_is_pair || result.gamma[i].lo != 0;
    }
    if (result.beta.empty()) return result;
    result.beta_values.resize(padded);
    std::copy(result.beta.begin(), result.beta.end(), result.beta_values.begin());
    return result;
}

// A wide sum is rounded in the accumulator: relative error u unless it is representable. Flushed inputs vanish.
void read_input_loss(const Contract& contract, Row& row) {
    const Machine acc = machine(contract.acc, contract.subnormals);
    const bool flushes = contract.subnormals == Subnormals::flush_both;
    const bool adds = contract.residual == Residual::wide && !row.residual_out.empty();
    if (!flushes && !adds) return;
    Upper total;
    Upper squares;
    bool any = false;
    for (size_t i = 0; i < row.s.size(); ++i) {
        const Pair& value = row.s[i];
        const double back = decode_double(*acc.format, round_double(*acc.format, value.hi));
        Upper error;
        if (adds && (value.lo != 0 || back != value.hi))
            error = acc.roundoff * upper_magnitude(value.hi) * Upper(1.0001L);
        if (flushes) error = error + row.vanishing[i];
        if (flushes && std::fabs(value.hi) < static_cast<double>(acc.flush.value))
            error = error + upper_magnitude(value.hi);
        any = any || error.value > 0;
        row.input_loss.push_back(error);
        total = total + error;
        squares = squares + error * error;
    }
    if (!any) return row.input_loss.clear();
    const Lower n(static_cast<long double>(row.s.size()));
    row.loss = {total / n, sqrt(squares / n)};
}

Row read_elements(const Contract& contract, int64_t cols, const RowInputs& inputs) {
    Row row;
    const Format& f = format(contract.x);
    const bool adds = contract.residual != Residual::none && inputs.residual != nullptr;
    row.s.reserve(static_cast<size_t>(cols));
    for (int64_t i = 0; i < cols; ++i) {
        const double x = decode_double(f, inputs.x[i]);
        const double r = adds ? decode_double(f, inputs.residual[i]) : 0;
        read_element(contract, x, adds ? &r : nullptr, row);
    }
    if (row.has_nan || row.has_inf) {
        for (const Pair& value : row.s) row.special.push_back(value.hi);
    }
    return row;
}

Row read_row(const Contract& contract, int64_t cols, const RowInputs& inputs) {
    Row row = read_elements(contract, cols, inputs);
    if (!row.special.empty() || row.sum_left_range) return row;
    row.sums = row_sums(row.s);
    row.subnormal_input = row.sums.largest > 0 && row.sums.largest < std::ldexp(1.0, format(contract.x).min_exponent());
    read_input_loss(contract, row);
    return row;
}

// The exponents are even: the square reaches 2^k where the value reaches 2^(k / 2).
bool square_leaves_range(const Contract& contract, double largest) {
    const Format& f = format(contract.x == FormatId::f64 ? contract.acc : FormatId::f32);
    if (largest == 0) return false;
    return largest >= power_of_two((f.max_exponent() + 1) / 2) || largest < power_of_two(f.min_exponent() / 2);
}

namespace {

// |mean| > 2^8 std: S^2 > 2^16 (n Q - S^2).
bool is_offset(const Contract& contract, const RowSums& sums, const Dyadic& spread) {
    if (contract.norm != Norm::layer) return false;
    Dyadic scaled = spread;
    scaled.exponent += 16;
    return scaled < sums.sum * sums.sum;
}

double log2_of(const Dyadic& value) {
    if (sign(value) == 0) return -std::numeric_limits<double>::infinity();
    const int64_t exponent = floor_log2(value);
    const Dyadic leading{value.mantissa, value.exponent - exponent};
    return static_cast<double>(exponent) + std::log2(to_double(leading));
}

}  // namespace

Placement place_row(const Contract& contract, const Row& row, const Dyadic& spread, double largest_y) {
    Placement result;
    const Format& y = format(contract.y);
    const double n = static_cast<double>(row.sums.n);
    const bool has_eps = contract.eps.value > 0 && contract.eps_at != EpsAt::none;
    result.log2_ratio = log2_of(spread) - 2 * std::log2(n) -
                        (has_eps ? log2_of(dyadic(contract.eps.value)) : -std::numeric_limits<double>::infinity());
    if (sign(spread) == 0 && !has_eps) result.log2_ratio = 0;
    const bool subnormal_output = largest_y > 0 && largest_y < std::ldexp(1.0, y.min_exponent());
    if (square_leaves_range(contract, row.sums.largest))
        result.regime = Regime::extreme;
    else if (row.subnormal_input || subnormal_output)
        result.regime = Regime::subnormal;
    else if (is_offset(contract, row.sums, spread))
        result.regime = Regime::offset;
    else if (!has_eps || result.log2_ratio > 10)
        result.regime = Regime::ordinary;
    else
        result.regime = result.log2_ratio < -10 ? Regime::eps_dominated : Regime::transition;
    return result;
}

}  // namespace normcheck
