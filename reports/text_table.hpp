// The report as text for a terminal: a block with a table per kernel and format, the findings, and one line of totals.
#pragma once

#include <string>

#include "reports/record.hpp"

namespace normcheck {

/// The whole report in lines of at most `columns` characters (40 at least; only a single longer word goes past it);
/// escape sequences only where `color` is set.
std::string to_text(const Report& report, int columns, bool color);

}  // namespace normcheck
