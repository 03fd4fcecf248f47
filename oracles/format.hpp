// Number formats and the oracles' own codec: integer code driven by the table formats.def, no machine floating point.
// A code is the bit pattern of a value, in the low bits of a uint64_t.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oracles/dyadic.hpp"
#include "oracles/error.hpp"

namespace normcheck {

enum class FormatId : uint8_t {
#define FORMAT(name, exponent, significand, specials) name,
#include "oracles/formats.def"
#undef FORMAT
};

/// One row of the format table. All exponents are those of a significand in [1, 2).
struct Format {
    FormatId id;
    const char* name;
    int exponent_bits;
    int significand_bits;  // precision p, the hidden bit included

    int bits() const { return exponent_bits + significand_bits; }
    int bytes() const { return bits() / 8; }
    int max_exponent() const { return (1 << (exponent_bits - 1)) - 1; }
    int min_exponent() const { return 1 - max_exponent(); }
    /// Exponent of the smallest subnormal, which is also the smallest spacing.
    int min_spacing_exponent() const { return min_exponent() - (significand_bits - 1); }
    uint64_t sign_bit() const { return uint64_t{1} << (bits() - 1); }
    uint64_t inf_code() const { return ((uint64_t{1} << exponent_bits) - 1) << (significand_bits - 1); }
    uint64_t nan_code() const { return inf_code() | uint64_t{1} << (significand_bits - 2); }
    uint64_t max_finite_code() const { return inf_code() - 1; }
};

constexpr int format_count = 0
#define FORMAT(name, exponent, significand, specials) +1
#include "oracles/formats.def"
#undef FORMAT
    ;

inline constexpr std::array<Format, format_count> format_table = {{
#define FORMAT(name, exponent, significand, specials) {FormatId::name, #name, exponent, significand},
#include "oracles/formats.def"
#undef FORMAT
}};
inline const Format& format(FormatId id) {
    return format_table[static_cast<size_t>(id)];
}
/// The format of that name; nothing where there is none.
std::optional<FormatId> find_format(std::string_view name);
/// All names, comma separated, for messages.
std::string format_names();

enum class RoundingMode : uint8_t { nearest_even, down, up };

inline uint64_t magnitude(const Format& format, uint64_t code) {
    return code & ~format.sign_bit();
}
inline bool is_nan(const Format& format, uint64_t code) {
    return magnitude(format, code) > format.inf_code();
}
bool is_inf(const Format& format, uint64_t code);
bool is_finite(const Format& format, uint64_t code);
inline bool is_negative(const Format& format, uint64_t code) {
    return (code & format.sign_bit()) != 0;
}
/// Zero counts as not subnormal.
bool is_subnormal(const Format& format, uint64_t code);

/// The exact value of a finite code.
Dyadic decode(const Format& format, uint64_t code);
/// The value as a double: exact in every format; NaN and Inf carry over.
double decode_double(const Format& format, uint64_t code);

/// Position of a non-NaN code on the number line: consecutive values have consecutive ranks, both zeros rank 0.
inline int64_t rank(const Format& format, uint64_t code) {
    require(!is_nan(format, code), "rank of NaN");
    const auto distance = static_cast<int64_t>(magnitude(format, code));
    return is_negative(format, code) ? -distance : distance;
}
/// Representable values from one rank to another, |a - b|; in f64 it may be past the largest int64.
uint64_t rank_distance(int64_t a, int64_t b);
/// The code at a rank (0 gives +0); ranks past Inf are clamped to Inf.
uint64_t code_of_rank(const Format& format, int64_t rank);

/// Exponent of the spacing of the format at magnitude |value| (subnormal spacing at the bottom, that of the largest
/// binade at the top).
int spacing_exponent(const Format& format, const Dyadic& value);
int spacing_exponent(const Format& format, double value);

/// The midpoint between the values at rank and rank + 1, where Inf stands for the next power of two.
Dyadic midpoint_above(const Format& format, int64_t rank);

/// The value at a rank, where the rank of Inf stands for the next power of two (2^(max_exponent+1)).
Dyadic value_of_rank(const Format& format, int64_t rank);

/// Rounds an exact value into the format: one rounding, overflow by IEEE 754 rules; an exact zero gives +0.
uint64_t round_dyadic(const Format& format, const Dyadic& value, RoundingMode mode = RoundingMode::nearest_even);

/// The largest finite value of the same sign in place of Inf; every other code as it is.
uint64_t saturated(const Format& format, uint64_t code);

/// Whether the format has this finite value.
bool is_value(const Format& format, double value);

/// Rounds a finite or infinite double into the format, to nearest even, in 64-bit integer arithmetic.
uint64_t round_double(const Format& format, double value);

}  // namespace normcheck
