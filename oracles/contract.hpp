// The contract: everything a kernel promises, as plain fields with defaults, and its one text form.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "oracles/format.hpp"

namespace normcheck {

enum class Norm : uint8_t { rms, layer };
enum class EpsAt : uint8_t {
    inside,
    outside,
    none,
    max_variance,
    max_std,
    max_norm,
    inside_and_outside,
    on_sum,
    on_count
};
enum class Gamma : uint8_t { none, mul, one_plus };
enum class Beta : uint8_t { none, add };
enum class Cast : uint8_t { last, before_gamma };
enum class Apply : uint8_t { centred, folded };
enum class Variance : uint8_t { two_pass, welford, one_pass };
enum class Order : uint8_t { any, sequential, lanes, tree };
enum class Residual : uint8_t { none, wide, rounded };
enum class RsqrtKind : uint8_t { exact, ulp, rel };
enum class Subnormals : uint8_t { keep, flush_output, flush_both };
enum class Range : uint8_t { acc, full };
enum class Overflow : uint8_t { inf, saturate };
enum class InfRule : uint8_t { ieee, nan_row };

/// The intermediates that a contract may name as rounded on the way.
enum class Point : uint8_t { mean, var, radicand, std, denominator, rstd, shift, centred, scaled };
constexpr int point_count = 9;

struct Eps {
    double value = 9.9999999747524270787835121154785e-07;  // f32(1e-6), exact
    FormatId format = FormatId::f32;
    bool operator==(const Eps&) const = default;
};
struct Reduce {
    Order order = Order::any;
    int lanes = 0;  // only Order::lanes
    bool operator==(const Reduce&) const = default;
};
struct Rsqrt {
    RsqrtKind kind = RsqrtKind::exact;
    double error = 0;  // in ulp of acc, or relative
    bool operator==(const Rsqrt&) const = default;
};

struct Contract {
    Norm norm = Norm::rms;
    Eps eps;
    EpsAt eps_at = EpsAt::inside;
    Gamma gamma = Gamma::mul;
    std::optional<FormatId> offset_in = FormatId::f32;  // nothing: exact
    Beta beta = Beta::none;
    FormatId x = FormatId::f32;
    FormatId params = FormatId::f32;
    FormatId acc = FormatId::f32;
    FormatId moments = FormatId::f32;
    FormatId y = FormatId::f32;
    Cast cast = Cast::last;
    std::array<std::optional<FormatId>, point_count> stored{};
    Apply apply = Apply::centred;
    Variance variance = Variance::two_pass;
    Reduce reduce;
    Residual residual = Residual::none;
    Rsqrt rsqrt;
    Subnormals subnormals = Subnormals::keep;
    Range range = Range::acc;
    Overflow overflow = Overflow::inf;
    InfRule inf = InfRule::ieee;
    FormatId stats = FormatId::f32;
    bool batch_invariant = false;
    bool in_place = false;

    bool operator==(const Contract&) const = default;
    std::optional<FormatId> stored_at(Point point) const { return stored[static_cast<int>(point)]; }
    bool stores_any() const {
        return std::any_of(stored.begin(), stored.end(), [](const auto& point) { return point.has_value(); });
    }
    /// Whether x, the parameters or y are f64.
    bool has_f64() const { return x == FormatId::f64 || params == FormatId::f64 || y == FormatId::f64; }
};

/// One row of contract_fields.def.
enum class FieldId : uint8_t {
#define FIELD(id, default_text, values, meaning) id,
#include "oracles/contract_fields.def"
#undef FIELD
};
struct FieldInfo {
    FieldId id;
    const char* name;
    const char* default_text;
    const char* values;
    const char* meaning;
};
std::span<const FieldInfo> contract_fields();
bool is_contract_field(std::string_view name);

/// Parses the text form: words `field=value` in any order, the norm also bare. Formats that are not named follow x as
/// the table of fields says. Throws InputError naming the word and what was expected; contradictions are refused too.
Contract parse_contract(std::string_view text);

/// `base` with the words of `overrides` laid over it; defaults that follow x are followed anew only where `base` left
/// them at their default.
Contract with_overrides(const Contract& base, std::string_view overrides);

/// The text form with defaults left out; parse_contract(print(c)) == c.
std::string print(const Contract& contract);

/// The words of print(contract) in which it differs from `base`; with_overrides(base, difference) == contract.
std::string difference(const Contract& contract, const Contract& base);

/// Refuses contradictory contracts with an InputError (parse_contract has called it already).
void validate(const Contract& contract);

/// Reads a number as text (decimal or hex float) and rounds it once to the format, as eps is. Throws InputError; `what`
/// names it.
double parse_number(std::string_view text, FormatId format, std::string_view what);
/// Shortest decimal that parse_number reads back to the same value of that format.
std::string print_number(double value, FormatId format);

const char* name(Point point);
const char* name(EpsAt eps_at);

}  // namespace normcheck
