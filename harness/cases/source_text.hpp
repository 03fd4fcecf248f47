// The text of a source: a fill's name with parameters, or inline values as bits.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/cases/case.hpp"
#include "harness/cases/fills.hpp"

namespace normcheck {

/// Reads `bits:HEX,...`, `values:NUMBER,...` (rounded once to the format) or a fill out of `known`. Throws InputError
/// naming the word; `key` names it.
Source parse_source(std::string_view key, std::string_view text, FormatId format, std::span<const FillInfo> known);

/// Inline bits print with all digits of the format.
std::string print_source(const Source& source, FormatId format);

}  // namespace normcheck
