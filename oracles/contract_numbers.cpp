// Numbers as text. A number is read as an exact value and rounded once into the format: reading it into a double first
// would round twice. A decimal N * 10^e with e < 0 is cut to a quotient with a sticky last bit, long enough for every
// format.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/contract.hpp"
#include "oracles/error.hpp"

namespace normcheck {

namespace {

constexpr size_t longest_number = 2000;      // characters
constexpr int64_t exponent_limit = 1000000;  // exponents are clamped here; far outside every format's range
constexpr int64_t decimal_range = 400;       // 10^400 is Inf and 10^-400 is 0 in every format
constexpr int quotient_bits = 80;            // more than the longest significand and a rounding bit

/// Digits of a number in its base, the point taken out: integer * base^-places.
struct Digits {
    Int integer = 0;
    int64_t places = 0;
    int64_t count = 0;
};

int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::numeric_limits<int>::max();
}

bool take(std::string_view& text, char lower) {
    if (text.empty() || (text.front() | 0x20) != lower) return false;
    text.remove_prefix(1);
    return true;
}

bool take_minus(std::string_view& text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    return negative;
}

Digits take_digits(std::string_view& text, int base) {
    Digits digits;
    bool fraction = false;
    for (; !text.empty(); text.remove_prefix(1)) {
        if (text.front() == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (digit_value(text.front()) >= base) break;
        digits.integer = digits.integer * base + digit_value(text.front());
        digits.places += fraction;
        ++digits.count;
    }
    return digits;
}

/// The exponent after `marker`, 0 where there is none; nothing where the marker has no digits.
std::optional<int64_t> take_exponent(std::string_view& text, char marker) {
    if (!take(text, marker)) return 0;
    const bool negative = take_minus(text);
    int64_t exponent = 0;
    const size_t before = text.size();
    for (; !text.empty() && digit_value(text.front()) < 10; text.remove_prefix(1)) {
        exponent = std::min(exponent * 10 + digit_value(text.front()), exponent_limit);
    }
    if (text.size() == before) return std::nullopt;
    return negative ? -exponent : exponent;
}

Int power_of_five(int64_t exponent) {
    return pow(Int(5), static_cast<unsigned>(exponent));
}

int64_t bit_length(const Int& value) {
    return value.is_zero() ? 0 : floor_log2({value, 0}) + 1;
}

Dyadic quotient_with_sticky(const Int& integer, int64_t exponent) {
    const Int divisor = power_of_five(-exponent);
    const int64_t shift = std::max<int64_t>(0, bit_length(divisor) - bit_length(integer) + quotient_bits);
    Int quotient;
    Int remainder;
    divide_qr(Int(integer << static_cast<unsigned>(shift)), divisor, quotient, remainder);
    return {(quotient << 1) + (remainder.is_zero() ? 0 : 1), exponent - shift - 1};
}

/// integer * 10^exponent, or a value that rounds like it in every format.
Dyadic decimal_value(const Int& integer, int64_t exponent) {
    if (integer.is_zero()) return {};
    if (exponent > decimal_range) return {1, exponent_limit};
    // log10(integer) < 0.302 * bits
    if (exponent + bit_length(integer) * 302 / 1000 + 1 < -decimal_range) return {1, -exponent_limit};
    if (exponent < 0) return quotient_with_sticky(integer, exponent);
    return {integer * power_of_five(exponent), exponent};
}

std::optional<Dyadic> read_decimal(std::string_view text) {
    const Digits digits = take_digits(text, 10);
    const std::optional<int64_t> exponent = take_exponent(text, 'e');
    if (digits.count == 0 || !exponent || !text.empty()) return std::nullopt;
    return decimal_value(digits.integer, *exponent - digits.places);
}

std::optional<Dyadic> read_hex(std::string_view text) {
    const Digits digits = take_digits(text, 16);
    const std::optional<int64_t> exponent = take_exponent(text, 'p');
    if (digits.count == 0 || !exponent || !text.empty()) return std::nullopt;
    return Dyadic{digits.integer, *exponent - 4 * digits.places};
}

std::optional<uint64_t> read_magnitude(const Format& format, std::string_view text) {
    if (text == "inf") return format.inf_code();
    if (text == "nan") return format.nan_code();
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    const std::optional<Dyadic> value = hex ? read_hex(text.substr(2)) : read_decimal(text);
    if (!value) return std::nullopt;
    return round_dyadic(format, *value);
}

/// The magnitude's nearest decimal of so many digits, as integer * 10^exponent.
struct Decimal {
    int64_t integer;
    int exponent;
};

Decimal nearest_decimal(double magnitude, int digits) {
    const std::string text = fmt::format("{:.{}e}", magnitude, digits - 1);
    const size_t mark = text.find('e');
    std::string integer = text.substr(0, mark);
    std::erase(integer, '.');
    return {std::stoll(integer), std::stoi(text.substr(mark + 1)) - (digits - 1)};
}

std::string decimal_text(const Decimal& decimal) {
    return fmt::format("{}e{}", decimal.integer, decimal.exponent);
}

// Above a power of two the values lie twice as far apart as below it: there the next decimal may read back where the
// nearest does not. No value of a format up to f32 needs more digits than max_digits10.
std::string shortest_decimal(double magnitude, FormatId id) {
    constexpr int most_digits = std::numeric_limits<float>::max_digits10;
    for (int digits = 1; digits <= most_digits; ++digits) {
        const Decimal nearest = nearest_decimal(magnitude, digits);
        for (const Decimal& decimal : {nearest, Decimal{nearest.integer + 1, nearest.exponent}}) {
            const std::string text = decimal_text(decimal);
            if (parse_number(text, id, "number") == magnitude) return text;
        }
    }
    throw InternalError("internal error: print_number got a value that is not in its format");
}

}  // namespace

double parse_number(std::string_view text, FormatId id, std::string_view what) {
    if (text.size() > longest_number) {
        throw InputError(fmt::format("{}: '{}...' is too long; expected a number of at most {} characters", what,
                                     text.substr(0, 20), longest_number));
    }
    std::string_view rest = text;
    const bool negative = take_minus(rest);
    const std::optional<uint64_t> magnitude = read_magnitude(format(id), rest);
    if (!magnitude) {
        throw InputError(
            fmt::format("{}: '{}' is not a number; expected a decimal or hex float, as 1e-6 or 0x1p-20", what, text));
    }
    return decode_double(format(id), negative ? *magnitude | format(id).sign_bit() : *magnitude);
}

// A decimal of so few digits names the same double as its shortest spelling does, which has the tidier form (0.5,
// 1e-05).
std::string print_number(double value, FormatId id) {
    if (id == FormatId::f64 || !std::isfinite(value)) return fmt::format("{}", value);
    const double tidy = parse_number(shortest_decimal(std::fabs(value), id), FormatId::f64, "number");
    return fmt::format("{}", std::copysign(tidy, value));
}

}  // namespace normcheck
