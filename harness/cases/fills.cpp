// The table of fills, reading their names, and the helpers that fill functions share.
#include "harness/cases/fills.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/cases/bulk.hpp"
#include "harness/cases/fill_row.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr FillInfo all_fills[] = {
#define FILL(name, random, parameters, meaning) {#name, random, parameters, meaning, fill_##name},
#define PARAMETER_FILL(name, meaning)
#include "harness/cases/fills.def"
#undef FILL
#undef PARAMETER_FILL
};

constexpr FillInfo all_parameter_fills[] = {
#define FILL(name, random, parameters, meaning)
#define PARAMETER_FILL(name, meaning) {#name, true, "", meaning, parameter_##name},
#include "harness/cases/fills.def"
#undef FILL
#undef PARAMETER_FILL
};

std::string names(std::span<const FillInfo> known) {
    std::string text;
    for (const FillInfo& info : known) text += (text.empty() ? "" : ", ") + std::string(info.name);
    return text;
}

const FillInfo& find(std::span<const FillInfo> known, std::string_view name, std::string_view key) {
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const FillInfo& info) { return info.name == name; });
    if (found == known.end()) {
        throw InputError(fmt::format("{}={}: no such fill; expected one of {}", key, name, names(known)));
    }
    return *found;
}

size_t most_parameters(const FillInfo& info) {
    const std::string_view text = info.parameters;
    return text.empty() ? 0 : static_cast<size_t>(std::count(text.begin(), text.end(), ':')) + 1;
}

double read_parameter(std::string_view text, std::string_view whole, std::string_view key) {
    const double value = parse_number(text, FormatId::f64, fmt::format("{}={}: parameter", key, whole));
    if (!std::isfinite(value)) throw InputError(fmt::format("{}={}: '{}' is not a finite number", key, whole, text));
    return value;
}

}  // namespace

std::span<const FillInfo> fills() {
    return all_fills;
}

std::span<const FillInfo> parameter_fills() {
    return all_parameter_fills;
}

FillCall parse_fill(std::span<const FillInfo> known, std::string_view text, std::string_view key) {
    size_t colon = text.find(':');
    FillCall call{&find(known, text.substr(0, colon), key), {}};
    while (colon != std::string_view::npos) {
        const size_t end = text.find(':', colon + 1);
        call.parameters.push_back(read_parameter(text.substr(colon + 1, end - colon - 1), text, key));
        colon = end;
    }
    if (call.parameters.size() > most_parameters(*call.info)) {
        throw InputError(fmt::format("{}={}: too many parameters; {} takes {}", key, text, call.info->name,
                                     *call.info->parameters ? call.info->parameters : "none"));
    }
    return call;
}

double largest(const Format& format) {
    return decode_double(format, format.max_finite_code());
}

uint64_t round_finite(const Format& format, double value) {
    const double limit = largest(format);
    return round_double(format, std::clamp(value, -limit, limit));
}

void put(FillRow& row, int64_t i, double value) {
    row.codes[static_cast<size_t>(i)] = round_finite(row.format, value);
}

void put_all(FillRow& row, const std::vector<double>& values) {
    round_finite(row.format, values, row.codes);
}

std::vector<double> gaussians(FillRow& row) {
    std::vector<double> values(row.codes.size());
    draw_gaussians(row.stream, values);
    return values;
}

double cycled(const FillRow& row, std::span<const double> values) {
    return values[static_cast<size_t>(row.index) % values.size()];
}

}  // namespace normcheck
