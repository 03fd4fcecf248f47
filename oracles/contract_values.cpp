// One field of a contract from text and to text. A new field is decided here: the compiler names both switches.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "oracles/contract_words.hpp"
#include "oracles/error.hpp"

namespace normcheck {

namespace {

constexpr int most_lanes = 1 << 20;

template <class Choice>
void set_choice(Choice& field, FieldId id, std::string_view value) {
    const std::vector<std::string> words = choices(id);
    const auto found = std::find(words.begin(), words.end(), value);
    if (found == words.end()) refuse_value(id, value);
    field = static_cast<Choice>(found - words.begin());
}

template <class Choice>
std::string choice_text(Choice field, FieldId id) {
    return choices(id).at(static_cast<size_t>(field));
}

FormatId parse_format(FieldId id, std::string_view value) {
    const std::optional<FormatId> found = find_format(value);
    if (found) return *found;
    throw InputError(
        fmt::format("{}: unknown format '{}'; expected one of {}", field_info(id).name, value, format_names()));
}

std::string format_text(FormatId id) {
    return format(id).name;
}

double parse_magnitude(FieldId id, std::string_view text, FormatId number_format) {
    const char* what = field_info(id).name;
    const double value = parse_number(text, number_format, what);
    if (std::isnan(value)) throw InputError(fmt::format("{}: '{}' is no number; expected a number >= 0", what, text));
    if (std::signbit(value)) throw InputError(fmt::format("{}: '{}' is negative; expected a number >= 0", what, text));
    if (std::isfinite(value)) return value;
    throw InputError(
        fmt::format("{}: '{}' is not finite in {}; expected a number >= 0", what, text, format_text(number_format)));
}

Eps parse_eps(FieldId id, std::string_view value) {
    const Split parts = split_at(value, ':');
    const FormatId number_format = parts.tail ? parse_format(id, *parts.tail) : Eps{}.format;
    return {parse_magnitude(id, parts.head, number_format), number_format};
}

std::string eps_text(const Eps& eps) {
    const std::string number = print_number(eps.value, eps.format);
    return eps.format == Eps{}.format ? number : number + ":" + format_text(eps.format);
}

std::optional<FormatId> parse_offset(FieldId id, std::string_view value) {
    if (value == "exact") return std::nullopt;
    if (const auto found = find_format(value)) return found;
    throw InputError(fmt::format("{}: unknown format '{}'; expected exact or one of {}", field_info(id).name, value,
                                 format_names()));
}

std::string offset_text(std::optional<FormatId> offset) {
    return offset ? format_text(*offset) : "exact";
}

int parse_lanes(FieldId id, std::string_view text) {
    int lanes = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, lanes);
    if (error == std::errc() && stop == end && lanes >= 1 && lanes <= most_lanes) return lanes;
    throw InputError(fmt::format("{}: '{}' lanes are not possible; expected lanes:N with N from 1 to {}",
                                 field_info(id).name, text, most_lanes));
}

Reduce parse_reduce(FieldId id, std::string_view value) {
    const Split parts = split_at(value, ':');
    if (parts.head == "lanes" && parts.tail) return {Order::lanes, parse_lanes(id, *parts.tail)};
    if (value == "any") return {Order::any, 0};
    if (value == "sequential") return {Order::sequential, 0};
    if (value == "tree") return {Order::tree, 0};
    refuse_value(id, value);
}

std::string reduce_text(const Reduce& reduce) {
    switch (reduce.order) {
        case Order::any:
            return "any";
        case Order::sequential:
            return "sequential";
        case Order::lanes:
            return fmt::format("lanes:{}", reduce.lanes);
        case Order::tree:
            return "tree";
    }
    throw InternalError("internal error: no such order");
}

Rsqrt parse_rsqrt(FieldId id, std::string_view value) {
    const Split parts = split_at(value, ':');
    if (value == "exact") return {};
    if (!parts.tail) refuse_value(id, value);
    if (parts.head == "ulp") return {RsqrtKind::ulp, parse_magnitude(id, *parts.tail, FormatId::f64)};
    if (parts.head == "rel") return {RsqrtKind::rel, parse_magnitude(id, *parts.tail, FormatId::f64)};
    refuse_value(id, value);
}

std::string rsqrt_text(const Rsqrt& rsqrt) {
    if (rsqrt.kind == RsqrtKind::exact) return "exact";
    const char* unit = rsqrt.kind == RsqrtKind::ulp ? "ulp:" : "rel:";
    return unit + print_number(rsqrt.error, FormatId::f64);
}

int parse_point(FieldId id, std::string_view word) {
    std::string known;
    for (int i = 0; i < point_count; ++i) {
        const char* const candidate = name(static_cast<Point>(i));
        if (word == candidate) return i;
        known += (i == 0 ? "" : ", ") + std::string(candidate);
    }
    throw InputError(fmt::format("{}: unknown point '{}'; expected none, or POINT:FORMAT with one of {}",
                                 field_info(id).name, word, known));
}

void add_stored(Contract& contract, FieldId id, std::string_view word) {
    const Split parts = split_at(word, ':');
    std::optional<FormatId>& stored = contract.stored[parse_point(id, parts.head)];
    if (!parts.tail) {
        throw InputError(fmt::format("{}: '{}' names no format; expected POINT:FORMAT", field_info(id).name, word));
    }
    if (stored) throw InputError(fmt::format("{}: point '{}' is named twice", field_info(id).name, parts.head));
    stored = parse_format(id, *parts.tail);
}

void set_stored(Contract& contract, FieldId id, std::string_view value) {
    contract.stored.fill(std::nullopt);
    if (value == "none") return;
    for (std::optional<std::string_view> rest = value; rest;) {
        const Split parts = split_at(*rest, ',');
        add_stored(contract, id, parts.head);
        rest = parts.tail;
    }
}

std::string stored_text(const Contract& contract) {
    std::string text;
    for (int i = 0; i < point_count; ++i) {
        if (!contract.stored[i]) continue;
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", name(static_cast<Point>(i)),
                            format_text(*contract.stored[i]));
    }
    return text.empty() ? "none" : text;
}

}  // namespace

Split split_at(std::string_view text, char separator) {
    const size_t end = text.find(separator);
    if (end == text.npos) return {text, std::nullopt};
    return {text.substr(0, end), text.substr(end + 1)};
}

void refuse_value(FieldId id, std::string_view value) {
    const FieldInfo& row = field_info(id);
    throw InputError(fmt::format("{}: '{}' is not a value of it; expected {}", row.name, value, row.values));
}

void set_field(Contract& contract, FieldId id, std::string_view value) {
    // clang-format off
    switch (id) {
        case FieldId::norm: return set_choice(contract.norm, id, value);
        case FieldId::eps: contract.eps = parse_eps(id, value); return;
        case FieldId::eps_at: return set_choice(contract.eps_at, id, value);
        case FieldId::gamma: return set_choice(contract.gamma, id, value);
        case FieldId::offset_in: contract.offset_in = parse_offset(id, value); return;
        case FieldId::beta: return set_choice(contract.beta, id, value);
        case FieldId::x: contract.x = parse_format(id, value); return;
        case FieldId::params: contract.params = parse_format(id, value); return;
        case FieldId::acc: contract.acc = parse_format(id, value); return;
        case FieldId::moments: contract.moments = parse_format(id, value); return;
        case FieldId::y: contract.y = parse_format(id, value); return;
        case FieldId::cast: return set_choice(contract.cast, id, value);
        case FieldId::stored: return set_stored(contract, id, value);
        case FieldId::apply: return set_choice(contract.apply, id, value);
        case FieldId::variance: return set_choice(contract.variance, id, value);
        case FieldId::reduce: contract.reduce = parse_reduce(id, value); return;
        case FieldId::residual: return set_choice(contract.residual, id, value);
        case FieldId::rsqrt: contract.rsqrt = parse_rsqrt(id, value); return;
        case FieldId::subnormals: return set_choice(contract.subnormals, id, value);
        case FieldId::range: return set_choice(contract.range, id, value);
        case FieldId::overflow: return set_choice(contract.overflow, id, value);
        case FieldId::inf: return set_choice(contract.inf, id, value);
        case FieldId::stats: contract.stats = parse_format(id, value); return;
        case FieldId::batch_invariant: return set_choice(contract.batch_invariant, id, value);
        case FieldId::in_place: return set_choice(contract.in_place, id, value);
    }
    // clang-format on
}

std::string field_text(const Contract& contract, FieldId id) {
    // clang-format off
    switch (id) {
        case FieldId::norm: return choice_text(contract.norm, id);
        case FieldId::eps: return eps_text(contract.eps);
        case FieldId::eps_at: return choice_text(contract.eps_at, id);
        case FieldId::gamma: return choice_text(contract.gamma, id);
        case FieldId::offset_in: return offset_text(contract.offset_in);
        case FieldId::beta: return choice_text(contract.beta, id);
        case FieldId::x: return format_text(contract.x);
        case FieldId::params: return format_text(contract.params);
        case FieldId::acc: return format_text(contract.acc);
        case FieldId::moments: return format_text(contract.moments);
        case FieldId::y: return format_text(contract.y);
        case FieldId::cast: return choice_text(contract.cast, id);
        case FieldId::stored: return stored_text(contract);
        case FieldId::apply: return choice_text(contract.apply, id);
        case FieldId::variance: return choice_text(contract.variance, id);
        case FieldId::reduce: return reduce_text(contract.reduce);
        case FieldId::residual: return choice_text(contract.residual, id);
        case FieldId::rsqrt: return rsqrt_text(contract.rsqrt);
        case FieldId::subnormals: return choice_text(contract.subnormals, id);
        case FieldId::range: return choice_text(contract.range, id);
        case FieldId::overflow: return choice_text(contract.overflow, id);
        case FieldId::inf: return choice_text(contract.inf, id);
        case FieldId::stats: return format_text(contract.stats);
        case FieldId::batch_invariant: return choice_text(contract.batch_invariant, id);
        case FieldId::in_place: return choice_text(contract.in_place, id);
    }
    // clang-format on
    throw InternalError("internal error: no such field");
}

// "as x" in the table means: the value of field x.
std::string default_value(const Contract& contract, FieldId id) {
    constexpr std::string_view follow = "as ";
    if (id == FieldId::acc) return contract.x == FormatId::f64 ? "f64" : "f32";
    const std::string_view text = field_info(id).default_text;
    if (!text.starts_with(follow)) return std::string(text);
    const std::optional<FieldId> leader = find_field(text.substr(follow.size()));
    require(leader.has_value(), "a default follows an unknown field");
    return field_text(contract, *leader);
}

}  // namespace normcheck
