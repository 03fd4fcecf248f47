// Tables of measurements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/layout.hpp"

namespace normcheck {

/// The rows of a table under their heads; where it is too wide for the page, one table below the other, each opened by
/// the column `first` and broken between groups where possible.
std::string table_text(const Column& first, const std::vector<Columns>& groups, const Page& page);

/// A positive number with three significant digits, and no exponent from 0.001 on.
std::string show_three_digits(double value);

/// The heading over target_lines; `judged` says whether the measurement is good enough to be held to them.
std::string targets_heading(bool judged, const Page& page);

/// "met" or "missed", or "-" where that is not judged; the text, and what was measured where.
std::string target_line(std::optional<bool> met, const std::string& text, const std::string& got, const Page& page);

}  // namespace normcheck
