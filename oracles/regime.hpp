// Which kind of row it is. Every error is reported per regime; the first that applies is taken.
#pragma once

#include <cstdint>
#include <span>

namespace normcheck {

enum class Regime : uint8_t { special, extreme, subnormal, offset, eps_dominated, transition, ordinary };
constexpr int regime_count = 7;

struct RegimeInfo {
    Regime regime;
    const char* name;
    const char* meaning;
};
/// All regimes in order of precedence.
std::span<const RegimeInfo> regimes();
const char* name(Regime regime);

}  // namespace normcheck
