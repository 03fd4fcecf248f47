// Words of gnuplot that several figures share. Coordinates are computed here, on linear axes, so that a script holds
// numbers and labels only.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/html/svg.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// The ink of a format's lines and bars.
Ink ink_of(FormatId format);

using Tic = std::pair<double, std::string>;
/// "set xtics ..." of labels at places; `axis` is x or y.
std::string tics(std::string_view axis, const std::vector<Tic>& labels);
std::string axis_label(std::string_view axis, std::string_view text);
std::string range(std::string_view axis, double from, double to);
/// A named block of lines of numbers.
std::string data_block(std::string_view name, const std::string& lines);
/// A dashed line across the figure with words at its end.
std::string guide_vertical(double x, std::string_view text);
std::string guide_horizontal(double y, std::string_view text);
/// Colours of border, tics and key, and a thin frame; comes first.
std::string frame();

}  // namespace normcheck
