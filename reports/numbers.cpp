// Numbers for people; see numbers.hpp.
#include "reports/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace normcheck {
namespace {

// digits / 1000 * 10^exponent, digits from 1000 to 9999.
struct Decimal {
    int digits;
    int exponent;
};

Decimal round_up(double value) {
    const std::string text = fmt::format("{:.3e}", value);  // d.ddde+dd
    Decimal result{1000 * (text[0] - '0') + std::atoi(text.substr(2, 3).c_str()), std::atoi(text.c_str() + 6)};
    if (std::strtod(text.c_str(), nullptr) < value) ++result.digits;
    return result.digits < 10000 ? result : Decimal{1000, result.exponent + 1};
}

}  // namespace

std::string show_error(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return "inf";
    if (value == 0) return "0";
    const auto [digits, exponent] = round_up(value);
    if (exponent < -3 || exponent > 5) return fmt::format("{}.{:03}e{:+03}", digits / 1000, digits % 1000, exponent);
    return fmt::format("{:.{}f}", digits * std::pow(10.0, exponent - 3), std::max(0, 3 - exponent));
}

std::string show_percent(int64_t part, int64_t whole) {
    if (whole == 0) return "-";
    if (part == 0) return "0";
    if (part == whole) return "100";
    const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    const double rest = 100.0 * static_cast<double>(whole - part) / static_cast<double>(whole);
    int decimals = 2;
    while (decimals < 12 && std::min(share, rest) * std::pow(10.0, decimals) < 1) ++decimals;
    return fmt::format("{:.{}f}", share, decimals);
}

std::string show_count(uint64_t number, const char* one, const char* many) {
    return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace normcheck
