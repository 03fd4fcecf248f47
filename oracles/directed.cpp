// Conversions between exact numbers and directed bounds.
#include "oracles/directed.hpp"

#include <limits>

namespace normcheck {
namespace {

// The leading 62 bits of |a|, truncated, scaled: off by less than one part in 2^61.
long double truncated_magnitude(const Dyadic& a) {
    if (a.mantissa == 0) return 0;
    const Int magnitude = boost::multiprecision::abs(a.mantissa);
    const int64_t excess = static_cast<int64_t>(boost::multiprecision::msb(magnitude)) - 61;
    const Int leading = excess > 0 ? Int(magnitude >> static_cast<unsigned>(excess)) : magnitude;
    const int64_t exponent = a.exponent + (excess > 0 ? excess : 0);
    return std::ldexp(static_cast<long double>(leading.convert_to<uint64_t>()), static_cast<int>(exponent));
}

}  // namespace

Upper upper_magnitude(const Dyadic& a) {
    return Upper(truncated_magnitude(a) * (1.0L + 0x1p-59L));
}
Lower lower_magnitude(const Dyadic& a) {
    return Lower(truncated_magnitude(a) * directed_detail::shrink);
}

double to_double_up(Upper a) {
    const double nearest = static_cast<double>(a.value);
    if (static_cast<long double>(nearest) >= a.value) return nearest;
    return std::nextafter(nearest, std::numeric_limits<double>::infinity());
}

}  // namespace normcheck
