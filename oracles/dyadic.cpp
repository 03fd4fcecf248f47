// Exact dyadic arithmetic. Nothing is ever rounded here, except in to_double, which goes through the format codec.
#include "oracles/dyadic.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "oracles/error.hpp"
#include "oracles/format.hpp"

namespace normcheck {

namespace {

using boost::multiprecision::limb_type;
constexpr int limb_bits = std::numeric_limits<limb_type>::digits;

Int shifted_left(const Int& value, int64_t count) {
    return value << static_cast<unsigned long>(count);
}

int64_t highest_bit(const Int& value) {
    const auto& backend = value.backend();
    const auto last = static_cast<int64_t>(backend.size()) - 1;
    return last * limb_bits + std::bit_width(backend.limbs()[last]) - 1;
}

int compare_integers(const Int& a, const Int& b) {
    const int order = a.compare(b);
    return (order > 0) - (order < 0);
}

int compare_aligned(const Dyadic& a, const Dyadic& b) {
    if (a.exponent == b.exponent) return compare_integers(a.mantissa, b.mantissa);
    if (a.exponent > b.exponent) {
        return compare_integers(shifted_left(a.mantissa, a.exponent - b.exponent), b.mantissa);
    }
    return compare_integers(a.mantissa, shifted_left(b.mantissa, b.exponent - a.exponent));
}

}  // namespace

Dyadic dyadic(double value) {
    const Format& f64 = format(FormatId::f64);
    const auto code = std::bit_cast<uint64_t>(value);
    require(is_finite(f64, code), "dyadic: the value is not finite");
    return decode(f64, code);
}

Dyadic dyadic_integer(int64_t value) {
    return {Int(value), 0};
}

Dyadic operator-(const Dyadic& a) {
    return {-a.mantissa, a.exponent};
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
    if (a.mantissa.is_zero()) return b;
    if (b.mantissa.is_zero()) return a;
    if (a.exponent == b.exponent) return {a.mantissa + b.mantissa, a.exponent};
    if (a.exponent < b.exponent) return {shifted_left(b.mantissa, b.exponent - a.exponent) + a.mantissa, a.exponent};
    return {shifted_left(a.mantissa, a.exponent - b.exponent) + b.mantissa, b.exponent};
}

Dyadic operator-(const Dyadic& a, const Dyadic& b) {
    return a + -b;
}

Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    return {a.mantissa * b.mantissa, a.exponent + b.exponent};
}

int sign(const Dyadic& a) {
    return a.mantissa.sign();
}

// Magnitudes are told apart by their leading bits first, so that far exponents never cause a long shift.
int compare(const Dyadic& a, const Dyadic& b) {
    const int sign_a = sign(a);
    const int sign_b = sign(b);
    if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
    if (sign_a == 0) return 0;
    const int64_t top_a = floor_log2(a);
    const int64_t top_b = floor_log2(b);
    if (top_a != top_b) return top_a < top_b ? -sign_a : sign_a;
    return compare_aligned(a, b);
}

Dyadic abs(const Dyadic& a) {
    return sign(a) < 0 ? -a : a;
}

const Dyadic& max(const Dyadic& a, const Dyadic& b) {
    return compare(a, b) < 0 ? b : a;
}

int64_t floor_log2(const Dyadic& a) {
    require(!a.mantissa.is_zero(), "floor_log2 of zero");
    return highest_bit(a.mantissa) + a.exponent;
}

Dyadic normalized(Dyadic a) {
    if (a.mantissa.is_zero()) return {};
    const bool negative = a.mantissa.sign() < 0;
    if (negative) a.mantissa.backend().negate();
    const auto zeros = boost::multiprecision::lsb(a.mantissa);
    a.mantissa >>= zeros;
    a.exponent += static_cast<int64_t>(zeros);
    if (negative) a.mantissa.backend().negate();
    return a;
}

double to_double(const Dyadic& a) {
    return std::bit_cast<double>(round_dyadic(format(FormatId::f64), a));
}

}  // namespace normcheck
