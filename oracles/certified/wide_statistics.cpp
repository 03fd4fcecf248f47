// Statistics in double-double arithmetic.
//
// Proof. With e = 2^-100, a sum of n terms one after the other is off by at most n e of the sum of magnitudes, so the
// mean by E = (n + 2) e mean|x|. About that mean, mean (x - m)^2 = v + E^2 at most, and the computed one is within (n +
// 4) e of it. The steps to the denominator add at most 8 e of quantities that do not cancel, a root halves what came
// before, and the reciprocal adds e.
#include "oracles/certified/wide_statistics.hpp"

#include <algorithm>

namespace normcheck::certified {
namespace {

constexpr double e = double_double_error;

bool in_range(double a) {
    return a == 0 || (std::fabs(a) > 0x1p-300 && std::fabs(a) < 0x1p300);
}

DoubleDouble larger(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble difference = a + -b;
    return difference.hi > 0 ? a : b;
}

DoubleDouble denominator(const Contract& c, DoubleDouble v, double n) {
    const DoubleDouble eps{c.eps.value, 0}, count{n, 0};
    switch (c.eps_at) {
        case EpsAt::inside:
            return sqrt(v + eps);
        case EpsAt::outside:
            return sqrt(v) + eps;
        case EpsAt::none:
            return sqrt(v);
        case EpsAt::max_variance:
            return sqrt(larger(v, eps));
        case EpsAt::max_std:
            return larger(sqrt(v), eps);
        case EpsAt::max_norm:
            return larger(sqrt(v), eps / sqrt(count));
        case EpsAt::inside_and_outside:
            return sqrt(v + eps) + eps;
        case EpsAt::on_sum:
            return sqrt(v + eps / count);
        case EpsAt::on_count:
            return sqrt(v * (count / (count + eps)));
    }
    return {};
}

}  // namespace

std::optional<WideStatistics> wide_statistics(const Contract& contract, std::span<const double> values) {
    WideStatistics result;
    const auto n = static_cast<double>(values.size());
    const bool layer = contract.norm == Norm::layer;
    double largest = 0;
    bool constant = layer;
    for (const double value : values) {
        if (!in_range(value)) return std::nullopt;
        largest = std::max(largest, std::fabs(value));
        constant = constant && value == values[0];
    }
    if (!in_range(contract.eps.value)) return std::nullopt;
    if (constant) {
        result.mean = DoubleDouble{values[0], 0};  // exactly
    } else if (layer) {
        DoubleDouble sum;
        for (const double value : values) sum = sum + DoubleDouble{value, 0};
        result.mean = sum / DoubleDouble{n, 0};
        result.mean_error = (n + 4) * e * largest;
    }
    DoubleDouble squares;
    for (const double value : values) {
        const DoubleDouble c = layer ? DoubleDouble{value, 0} + -result.mean : DoubleDouble{value, 0};
        squares = squares + c * c;
    }
    const DoubleDouble v = squares / DoubleDouble{n, 0};
    const DoubleDouble d = denominator(contract, v, n);
    // A spread that the mean's own error may make up is not known at all.
    if (!(v.hi == 0 ? contract.eps.value > 0 : v.hi > 0x1p20 * result.mean_error * result.mean_error) || !(d.hi > 0))
        return std::nullopt;
    if (v.hi == 0 && result.mean_error > 0 && largest > 0) return std::nullopt;
    if (!in_range(v.hi) || !in_range(d.hi)) return std::nullopt;
    result.rstd = DoubleDouble{1, 0} / d;
    const double moved = v.hi == 0 ? 0 : result.mean_error * result.mean_error / v.hi;
    result.rstd_relative = (n + 20) * e + moved * 1.01;
    return result;
}

}  // namespace normcheck::certified
