// The regimes in order of precedence; which one a row is in, the judge decides.
#include "oracles/regime.hpp"

#include <array>

namespace normcheck {

namespace {

constexpr std::array<RegimeInfo, regime_count> table = {{
    {Regime::special, "special", "an input of the row is Inf or NaN"},
    {Regime::extreme, "extreme", "the square of an input overflows or underflows f32 or the accumulator"},
    {Regime::subnormal, "subnormal", "the row's largest input or largest output is subnormal"},
    {Regime::offset, "offset", "the mean is more than 2^8 standard deviations away from 0 (layer only)"},
    {Regime::eps_dominated, "eps_dominated", "the mean square (layer: the variance) is below 2^-10 eps"},
    {Regime::transition, "transition", "the mean square (layer: the variance) lies between 2^-10 eps and 2^10 eps"},
    {Regime::ordinary, "ordinary", "the mean square (layer: the variance) is above 2^10 eps, or eps is 0"},
}};

constexpr bool in_order() {
    for (int i = 0; i < regime_count; ++i) {
        if (static_cast<int>(table[i].regime) != i) return false;
    }
    return true;
}
static_assert(in_order(), "one row for each regime, in order of precedence");

}  // namespace

std::span<const RegimeInfo> regimes() {
    return table;
}

const char* name(Regime regime) {
    return table[static_cast<int>(regime)].name;
}

}  // namespace normcheck
