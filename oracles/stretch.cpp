// Exact comparison and rounding of A / (sqrt(R) + k) + b.
#include "oracles/stretch.hpp"

#include <algorithm>
#include <cmath>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

Stretch negated(const Stretch& a) {
    return {-a.numerator, a.radicand, a.offset, -a.addend};
}

constexpr int64_t widest_step = int64_t{1} << 61;

// The largest rank whose value is <= the nonnegative value of a, by galloping from the guess and then bisecting.
int64_t floor_rank(const Format& format, const Stretch& a, int64_t guess) {
    const int64_t top = rank(format, format.inf_code());
    const auto at_least = [&](int64_t r) { return compare(a, value_of_rank(format, r)) >= 0; };
    int64_t low = std::clamp<int64_t>(guess, 0, top);
    int64_t step = 1;
    while (low > 0 && !at_least(low)) {
        low = std::max<int64_t>(0, low - step);
        step = std::min(2 * step, widest_step);
    }
    int64_t high = low;  // invariant: the value is at least that of low
    step = 1;
    do {
        high += std::min(step, top + 1 - high);
        step = std::min(2 * step, widest_step);
    } while (high <= top && at_least(high));
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        (at_least(middle) ? low : high) = middle;
    }
    return low;
}

int64_t nearest_rank(const Format& format, const Stretch& a, int64_t below) {
    if (below >= rank(format, format.inf_code())) return below;
    const int side = compare(a, midpoint_above(format, below));
    if (side != 0) return side > 0 ? below + 1 : below;
    return below % 2 == 0 ? below : below + 1;
}

// Rank of the rounded magnitude of a nonnegative value.
int64_t rounded_rank(const Format& format, const Stretch& a, double guess, RoundingMode mode) {
    const int64_t top = rank(format, format.inf_code());
    const double start = std::isnan(guess) ? 0 : guess;
    const int64_t below = floor_rank(format, a, rank(format, round_double(format, start)));
    if (mode == RoundingMode::nearest_even) return nearest_rank(format, a, below);
    if (mode == RoundingMode::down) return std::min(below, top - 1);
    const bool exact = compare(a, value_of_rank(format, below)) == 0;
    return exact && below < top ? below : std::min(below + 1, top);
}

RoundingMode mirrored(RoundingMode mode) {
    if (mode == RoundingMode::down) return RoundingMode::up;
    return mode == RoundingMode::up ? RoundingMode::down : mode;
}

}  // namespace

Wide wide(const Dyadic& a) {
    return ldexp(Wide(a.mantissa), static_cast<int>(a.exponent));
}

Stretch constant_stretch(const Dyadic& a) {
    return {Dyadic{}, Dyadic{}, dyadic_integer(1), a};
}

// value - m = (A - c k - c sqrt(R)) / (sqrt(R) + k) with c = m - b. Where A - c k and c have opposite signs (or one is
// 0) the sign is plain; where they agree, squares are compared.
int compare(const Stretch& a, const Dyadic& m) {
    const Dyadic c = m - a.addend;
    const Dyadic left = a.numerator - c * a.offset;
    const int left_sign = sign(left);
    const int c_sign = sign(a.radicand) == 0 ? 0 : sign(c);
    if (c_sign == 0) return left_sign;
    if (left_sign != c_sign) return left_sign != 0 ? left_sign : -c_sign;
    return left_sign * compare(left * left, c * c * a.radicand);
}

uint64_t round_stretch(const Format& format, const Stretch& a, double guess, RoundingMode mode) {
    const int value_sign = compare(a, Dyadic{});
    if (value_sign == 0) return 0;
    if (value_sign > 0) return code_of_rank(format, rounded_rank(format, a, std::fabs(guess), mode));
    const int64_t magnitude = rounded_rank(format, negated(a), std::fabs(guess), mirrored(mode));
    return code_of_rank(format, magnitude) | format.sign_bit();
}

Wide approximate(const Stretch& a) {
    const Wide denominator = sqrt(wide(a.radicand)) + wide(a.offset);
    return wide(a.numerator) / denominator + wide(a.addend);
}

}  // namespace normcheck
