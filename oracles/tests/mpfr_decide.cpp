// Rounding decisions on intervals.
#include "oracles/tests/mpfr_decide.hpp"

#include <algorithm>

#include "oracles/error.hpp"

namespace normcheck::twin {
namespace {

bool is_zero(FormatId format, uint64_t code) {
    return (code & ~sign_bit(format)) == 0;
}

/// Whether the interval is so narrow, seen from the format, that it may count as the boundary that it touches.
bool is_narrow(FormatId format, const Interval& a) {
    Real width(precision(a));
    mpfr_sub(width.value, a.high.value, a.low.value, MPFR_RNDU);
    return mpfr_zero_p(width.value) ||
           mpfr_get_exp(width.value) < spacing_exponent(format, a.high.value) - precision(a) / 2;
}

/// The rounding of a value on the boundary between two neighbouring codes.
uint64_t on_boundary(uint64_t low, uint64_t high, RoundingMode mode) {
    switch (mode) {
        case RoundingMode::nearest_even:
            return low & 1 ? high : low;
        case RoundingMode::down:
            return high;
        case RoundingMode::up:
            return low;
    }
    throw InternalError("internal error: rounding mode without a meaning");
}

}  // namespace

uint64_t decide(const Interval& a, FormatId format, RoundingMode mode, const Effort& effort) {
    if (is_nan(a)) return nan_code(format);
    if (is_point(a) && mpfr_zero_p(a.low.value)) return 0;  // MPFR's sign of a zero sum depends on its rounding
    const uint64_t low = encode(format, a.low.value, mode);
    if (is_point(a)) return low;
    const uint64_t high = encode(format, a.high.value, mode);
    if (low == high || (is_zero(format, low) && is_zero(format, high))) return high;
    if (!effort.last) throw Undecided{};
    require(is_narrow(format, a), "the twin's last precision does not decide a rounding");
    return on_boundary(low, high, mode);
}

Roundings decide_all(const Interval& a, FormatId format, const Effort& effort) {
    return {decide(a, format, RoundingMode::nearest_even, effort), decide(a, format, RoundingMode::down, effort),
            decide(a, format, RoundingMode::up, effort)};
}

double gap(FormatId format, const Interval& a) {
    const uint64_t low = encode(format, a.low.value, RoundingMode::down);
    const uint64_t up = encode(format, a.low.value, RoundingMode::up);
    const uint64_t high = low == up ? up + 1 : up;
    const uint64_t magnitude_bits = sign_bit(format) - 1;
    if (std::max(low & magnitude_bits, high & magnitude_bits) >= inf_code(format)) return 0;
    const Interval sum = decode(format, low, precision(a)) + decode(format, high, precision(a));
    const Interval distance = sum * interval(0.5, precision(a)) - a;
    return mpfr_get_d(distance.low.value, MPFR_RNDN);
}

}  // namespace normcheck::twin
