// The oracles' number codec. A finite magnitude code is read as exponent field * 2^(p-1) + fraction, so that codes,
// ranks and carries out of a rounding are one and the same integer arithmetic; the code after the largest finite one is
// Inf.
#include "oracles/format.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "oracles/error.hpp"

namespace normcheck {

namespace {

constexpr const Format& f64 = format_table[static_cast<int>(FormatId::f64)];
constexpr int f64_fraction_bits = 52;

using boost::multiprecision::limb_type;
constexpr int limb_bits = std::numeric_limits<limb_type>::digits;
static_assert(limb_bits == 64, "significands are read as single limbs");

/// A magnitude as significand * 2^exponent.
struct Parts {
    uint64_t significand;
    int exponent;
};

uint64_t smallest_normal_code(const Format& format) {
    return uint64_t{1} << (format.significand_bits - 1);
}
/// Bits of a double's fraction that the format has not.
int dropped_bits(const Format& format) {
    return f64.significand_bits - format.significand_bits;
}
/// What is added to a magnitude code, shifted by dropped_bits, to make a double's of it.
uint64_t added_bias(const Format& format) {
    return static_cast<uint64_t>(f64.max_exponent() - format.max_exponent()) << f64_fraction_bits;
}

// The code of Inf reads as the next power of two here.
Parts parts_of_magnitude(const Format& format, uint64_t code) {
    const int fraction_bits = format.significand_bits - 1;
    const uint64_t hidden = uint64_t{1} << fraction_bits;
    const auto field = static_cast<int>(code >> fraction_bits);
    const uint64_t fraction = code & (hidden - 1);
    if (field == 0) return {fraction, format.min_spacing_exponent()};
    return {hidden | fraction, format.min_spacing_exponent() + field - 1};
}

Dyadic signed_dyadic(const Parts& parts, bool negative) {
    Dyadic value{Int(parts.significand), parts.exponent};
    if (negative) value.mantissa.backend().negate();
    return value;
}

int spacing_at(const Format& format, int64_t top) {
    const int64_t clamped = std::clamp<int64_t>(top, format.min_exponent(), format.max_exponent());
    return static_cast<int>(clamped) - (format.significand_bits - 1);
}

/// A magnitude cut at a bit: the kept integer, the first bit cut off, and whether anything nonzero lies below that.
struct Cut {
    uint64_t kept;
    bool half;
    bool rest;
};

Cut cut_word(uint64_t word, int64_t count) {
    if (count <= 0) return {word << -count, false, false};
    if (count > 64) return {0, false, word != 0};
    const uint64_t half = uint64_t{1} << (count - 1);
    return {count == 64 ? 0 : word >> count, (word & half) != 0, (word & (half - 1)) != 0};
}

uint64_t limb(const Int& value, int64_t index) {
    const auto& backend = value.backend();
    return index < static_cast<int64_t>(backend.size()) ? backend.limbs()[index] : 0;
}

bool any_below(const Int& value, int64_t bit) {
    const int64_t whole = bit / limb_bits;
    const int64_t present = std::min<int64_t>(whole, static_cast<int64_t>(value.backend().size()));
    for (int64_t i = 0; i < present; ++i) {
        if (limb(value, i) != 0) return true;
    }
    return (limb(value, whole) & ((uint64_t{1} << bit % limb_bits) - 1)) != 0;
}

// Reads the limbs of |value| in place; the kept part has at most 64 bits because of where the callers cut.
Cut cut_integer(const Int& value, int64_t count) {
    if (value.backend().size() == 1) return cut_word(limb(value, 0), count);
    require(count > 0, "cut_integer: the value has more bits than the format");
    const int64_t index = count / limb_bits;
    const int64_t offset = count % limb_bits;
    uint64_t kept = limb(value, index) >> offset;
    if (offset != 0) kept |= limb(value, index + 1) << (limb_bits - offset);
    const int64_t below = count - 1;
    const bool half = (limb(value, below / limb_bits) >> below % limb_bits & 1) != 0;
    return {kept, half, any_below(value, below)};
}

bool rounds_away(const Cut& cut, bool negative, RoundingMode mode) {
    switch (mode) {
        case RoundingMode::nearest_even:
            return cut.half && (cut.rest || (cut.kept & 1) != 0);
        case RoundingMode::down:
            return negative && (cut.half || cut.rest);
        case RoundingMode::up:
            return !negative && (cut.half || cut.rest);
    }
    return false;
}

uint64_t overflow_code(const Format& format, bool negative, RoundingMode mode) {
    const RoundingMode towards_zero = negative ? RoundingMode::up : RoundingMode::down;
    return mode == towards_zero ? format.max_finite_code() : format.inf_code();
}

/// Rounds the nonzero magnitude whose leading bit has exponent `top`; `cut_at(e)` cuts it at bit 2^e.
template <class CutAt>
uint64_t round_magnitude(const Format& format, int64_t top, bool negative, RoundingMode mode, CutAt cut_at) {
    const uint64_t sign = negative ? format.sign_bit() : 0;
    if (top > format.max_exponent()) return sign | overflow_code(format, negative, mode);
    const int spacing = spacing_at(format, top);
    const Cut cut = cut_at(spacing);
    const auto binade = static_cast<uint64_t>(spacing - format.min_spacing_exponent());
    const uint64_t code = (binade << (format.significand_bits - 1)) + cut.kept;
    return sign | (code + (rounds_away(cut, negative, mode) ? 1 : 0));
}

uint64_t widen_magnitude(const Format& format, uint64_t code) {
    const Parts parts = parts_of_magnitude(format, code);
    if (parts.significand == 0) return 0;
    const int top = std::bit_width(parts.significand) - 1;
    const auto field = static_cast<uint64_t>(parts.exponent + top + f64.max_exponent());
    const uint64_t significand = parts.significand << (f64_fraction_bits - top);
    return (field - 1) * (uint64_t{1} << f64_fraction_bits) + significand;
}

}  // namespace

std::optional<FormatId> find_format(std::string_view name) {
    for (const Format& row : format_table) {
        if (name == row.name) return row.id;
    }
    return std::nullopt;
}

std::string format_names() {
    std::string names;
    for (const Format& row : format_table) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

bool is_inf(const Format& format, uint64_t code) {
    return magnitude(format, code) == format.inf_code();
}
bool is_finite(const Format& format, uint64_t code) {
    return magnitude(format, code) < format.inf_code();
}
bool is_subnormal(const Format& format, uint64_t code) {
    const uint64_t value = magnitude(format, code);
    return value != 0 && value >> (format.significand_bits - 1) == 0;
}

Dyadic decode(const Format& format, uint64_t code) {
    require(is_finite(format, code), "decode: the code is not finite");
    return signed_dyadic(parts_of_magnitude(format, magnitude(format, code)), is_negative(format, code));
}

double decode_double(const Format& format, uint64_t code) {
    if (format.id == FormatId::f64) return std::bit_cast<double>(code);
    const uint64_t sign = is_negative(format, code) ? f64.sign_bit() : 0;
    const uint64_t size = magnitude(format, code);
    // Normal: the exponent rebiased, the fraction filled up with zeros.
    if (size - smallest_normal_code(format) < format.inf_code() - smallest_normal_code(format))
        return std::bit_cast<double>(sign | ((size << dropped_bits(format)) + added_bias(format)));
    if (is_nan(format, code)) return std::bit_cast<double>(sign | f64.nan_code());
    if (is_inf(format, code)) return std::bit_cast<double>(sign | f64.inf_code());
    return std::bit_cast<double>(sign | widen_magnitude(format, magnitude(format, code)));
}

bool is_value(const Format& format, double value) {
    const auto code = std::bit_cast<uint64_t>(value);
    const int exponent = static_cast<int>(code >> f64_fraction_bits & 0x7ff) - f64.max_exponent();
    const uint64_t beyond = (uint64_t{1} << (f64.significand_bits - format.significand_bits)) - 1;
    if (exponent >= format.min_exponent() && exponent <= format.max_exponent()) return (code & beyond) == 0;
    return decode_double(format, round_double(format, value)) == value;
}

uint64_t rank_distance(int64_t a, int64_t b) {
    const uint64_t high = static_cast<uint64_t>(std::max(a, b)), low = static_cast<uint64_t>(std::min(a, b));
    return high - low;
}

uint64_t code_of_rank(const Format& format, int64_t rank) {
    const auto last = static_cast<int64_t>(format.inf_code());
    const int64_t clamped = std::clamp(rank, -last, last);
    return clamped < 0 ? format.sign_bit() | static_cast<uint64_t>(-clamped) : static_cast<uint64_t>(clamped);
}

int spacing_exponent(const Format& format, const Dyadic& value) {
    return sign(value) == 0 ? format.min_spacing_exponent() : spacing_at(format, floor_log2(value));
}

int spacing_exponent(const Format& format, double value) {
    const auto code = std::bit_cast<uint64_t>(value);
    require(!is_nan(f64, code), "spacing_exponent of NaN");
    const Parts parts = parts_of_magnitude(f64, magnitude(f64, code));
    if (parts.significand == 0) return format.min_spacing_exponent();
    return spacing_at(format, parts.exponent + std::bit_width(parts.significand) - 1);
}

Dyadic value_of_rank(const Format& format, int64_t rank) {
    const uint64_t code = code_of_rank(format, rank);
    return signed_dyadic(parts_of_magnitude(format, magnitude(format, code)), rank < 0);
}

Dyadic midpoint_above(const Format& format, int64_t rank) {
    const auto last = static_cast<int64_t>(format.inf_code());
    require(-last <= rank && rank < last, "midpoint_above: no value above this rank");
    Dyadic middle = value_of_rank(format, rank) + value_of_rank(format, rank + 1);
    middle.exponent -= 1;
    return middle;
}

uint64_t round_dyadic(const Format& format, const Dyadic& value, RoundingMode mode) {
    if (sign(value) == 0) return 0;
    return round_magnitude(format, floor_log2(value), sign(value) < 0, mode,
                           [&](int bit) { return cut_integer(value.mantissa, bit - value.exponent); });
}

uint64_t round_double(const Format& format, double value) {
    const auto code = std::bit_cast<uint64_t>(value);
    if (is_nan(f64, code)) return format.nan_code();
    if (format.id == FormatId::f64) return code;
    const bool negative = is_negative(f64, code);
    const uint64_t sign = negative ? format.sign_bit() : 0;
    if (is_inf(f64, code)) return sign | format.inf_code();
    // Normal in both: the bits that the format has not are rounded off, and a carry goes on into the exponent.
    const int dropped = dropped_bits(format);
    const uint64_t rebiased = magnitude(f64, code) - added_bias(format);
    if (rebiased - (smallest_normal_code(format) << dropped) < (format.inf_code() - smallest_normal_code(format))
                                                                   << dropped)
        return sign | (rebiased + (uint64_t{1} << (dropped - 1)) - 1 + (rebiased >> dropped & 1)) >> dropped;
    const Parts parts = parts_of_magnitude(f64, magnitude(f64, code));
    if (parts.significand == 0) return sign;
    return round_magnitude(format, parts.exponent + std::bit_width(parts.significand) - 1, negative,
                           RoundingMode::nearest_even,
                           [&](int bit) { return cut_word(parts.significand, bit - parts.exponent); });
}

uint64_t saturated(const Format& format, uint64_t code) {
    if (!is_inf(format, code)) return code;
    return format.max_finite_code() | (code & format.sign_bit());
}

}  // namespace normcheck
