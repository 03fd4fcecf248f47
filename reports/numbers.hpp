// Numbers for people: short, and never rounded so that they say more than was measured.
#pragma once

#include <cstdint>
#include <string>

namespace normcheck {

/// Four significant digits of a value >= 0, rounded up: what is printed is never below what was measured.
std::string show_error(double value);

/// part of whole in percent, with as many decimals as it takes to tell it from 0 and from 100, which appear only when
/// exact;
/// "-" where whole is 0.
std::string show_percent(int64_t part, int64_t whole);

/// "1 row", "12 rows".
std::string show_count(uint64_t number, const char* one, const char* many);

}  // namespace normcheck
