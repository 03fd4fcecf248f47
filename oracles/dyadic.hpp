// Exact dyadic numbers, integer * 2^exponent: every input of a norm is one, and so are all sums and products of inputs.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

namespace normcheck {

/// Arbitrary-precision integer; up to 512 bits live inside the object, without allocation.
using Int = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<512, 0, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked>,
    boost::multiprecision::et_off>;

/// The exact value mantissa * 2^exponent.
struct Dyadic {
    Int mantissa = 0;
    int64_t exponent = 0;
};

/// The exact value of a finite double. Throws InternalError on NaN and Inf.
Dyadic dyadic(double value);
Dyadic dyadic_integer(int64_t value);

Dyadic operator-(const Dyadic& a);
Dyadic operator+(const Dyadic& a, const Dyadic& b);
Dyadic operator-(const Dyadic& a, const Dyadic& b);
Dyadic operator*(const Dyadic& a, const Dyadic& b);

/// -1, 0 or 1.
int sign(const Dyadic& a);
int compare(const Dyadic& a, const Dyadic& b);
inline bool operator==(const Dyadic& a, const Dyadic& b) {
    return compare(a, b) == 0;
}
inline bool operator<(const Dyadic& a, const Dyadic& b) {
    return compare(a, b) < 0;
}

Dyadic abs(const Dyadic& a);
const Dyadic& max(const Dyadic& a, const Dyadic& b);

/// floor(log2 |a|) of a nonzero value.
int64_t floor_log2(const Dyadic& a);

/// The same value with an odd mantissa (zero has exponent 0).
Dyadic normalized(Dyadic a);

/// Nearest double; overflows to Inf, underflows to zero or a subnormal. For display and filters only.
double to_double(const Dyadic& a);

}  // namespace normcheck
