// What a fill function gets and the helpers it writes with. A fill is one function here and one row in fills.def.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/cases/random.hpp"
#include "oracles/contract.hpp"

namespace normcheck {

/// One row to be filled: what it is drawn for, and where its codes go.
struct FillRow {
    const Contract& contract;
    const Format& format;
    bool is_beta;   // only parameter fills tell gamma and beta apart
    int64_t index;  // of the row in the stream of rows: position + row of the case
    Stream stream;
    std::span<const double> parameters;
    std::span<uint64_t> codes;

    int64_t cols() const { return static_cast<int64_t>(codes.size()); }
    /// Parameter i of the fill, or its default.
    double parameter(size_t i, double otherwise) const { return i < parameters.size() ? parameters[i] : otherwise; }
};

/// Largest finite value of the format.
double largest(const Format& format);

/// Rounds once to the format; what lies past the largest finite value is taken as that value.
uint64_t round_finite(const Format& format, double value);

/// Writes one value, or one value per element.
void put(FillRow& row, int64_t i, double value);
void put_all(FillRow& row, const std::vector<double>& values);

/// One draw per element.
std::vector<double> gaussians(FillRow& row);

/// The cyclic choice of a row: values[row mod count].
double cycled(const FillRow& row, std::span<const double> values);

#define FILL(name, random, parameters, meaning) void fill_##name(FillRow& row);
#define PARAMETER_FILL(name, meaning) void parameter_##name(FillRow& row);
#include "harness/cases/fills.def"
#undef FILL
#undef PARAMETER_FILL

}  // namespace normcheck
