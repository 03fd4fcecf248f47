// Where the values of a comparison row are placed.
#pragma once

#include <span>

#include "oracles/tests/twin_rows.hpp"

namespace normcheck::twin {

using Codes = std::vector<uint64_t>;

/// A named way to fill x, whose size is given.
struct Family {
    const char* name;
    void (*fill)(Draw&, const Contract&, Codes&);
};
std::span<const Family> families();

/// The code of a number, the largest finite one where it overflows.
uint64_t finite_code(FormatId format, double value);
/// Any finite code with equal chance.
uint64_t uniform_code(Draw& draw, FormatId format);
double power_of_two(int64_t exponent);

/// Chooses x and eps so that root and quotients are exact dyadic numbers and outputs can lie on midpoints.
void make_perfect_square(Draw& draw, TwinRow& row);

/// Quotients are 3/5, so with gammas that are multiples of 5 the outputs are dyadic and nothing before them is.
void make_hidden_tie(Draw& draw, TwinRow& row);

}  // namespace normcheck::twin
