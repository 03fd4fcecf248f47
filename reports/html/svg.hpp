// What gnuplot draws, made fit to stand inside a page: only shapes and text are kept, no identifiers, links or scripts,
// and colours are classes, so that the page's style sheet decides them, by day and by night.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace normcheck {

/// What a colour stands for in a figure. A script names it by colour_of; the page styles it by the classes s-NAME
/// (lines) and f-NAME (areas and text).
enum class Ink : uint8_t { text, f64, f32, f16, bf16, heat0, heat1, heat2, heat3, heat4, heat5 };
constexpr int heat_count = 6;

/// The colour, in gnuplot's spelling, that stands for an ink until the figure is in the page.
std::string colour_of(Ink ink);
const char* class_of(Ink ink);

/// A file of gnuplot's terminal svg as an element of a page, with a title and a description; `id` is unique in the
/// page. Throws InternalError where the text is no such file.
std::string inline_svg(std::string_view file, const std::string& id, const std::string& title,
                       const std::string& description);

}  // namespace normcheck
