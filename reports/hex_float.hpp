// Doubles as hex floats: exact, short, and the same with every compiler and C library.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace normcheck {

/// The shortest exact hex float with a leading 1, e.g. "0x1.8p+1", also of subnormals; "0x0p+0", "inf", "-inf" or
/// "nan".
inline std::string hex_float(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    if (value == 0) return std::signbit(value) ? "-0x0p+0" : "0x0p+0";
    int exponent = 0;
    const double significand = 2 * std::frexp(value, &exponent);
    const std::string text = fmt::format("{:a}", significand);
    return fmt::format("{}p{:+d}", text.substr(0, text.find('p')), exponent - 1);
}

}  // namespace normcheck
