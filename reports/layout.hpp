// Text in a given width: wrapped paragraphs, tables of columns, and colour. Knows nothing of reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normcheck {

enum class Style : uint8_t { plain, bold, dim, red, green, yellow };

/// The page that is written on: width in characters, and whether escape sequences may be used.
struct Page {
    int columns = 80;
    bool color = false;
};

/// The text between escape sequences of its style, or as it is where the page has no colour.
std::string paint(std::string_view text, Style style, const Page& page);

/// Every line of the text painted for itself.
std::string paint_lines(std::string_view lines, Style style, const Page& page);

/// Lines of at most `width` characters, broken at spaces only; a longer word has a line of its own.
std::vector<std::string> wrap(std::string_view text, int width);

/// `lead`, then the wrapped text, its further lines indented by the length of lead; ends with a newline.
std::string paragraph(std::string_view lead, std::string_view text, const Page& page);

struct Entry {
    std::string text;
    Style style = Style::plain;
};
/// A column: a head of one or more lines, separated by newlines, and one entry per row.
struct Column {
    std::string head;
    std::vector<Entry> entries;
    bool left = false;  // aligned to the left instead of the right
};
using Columns = std::vector<Column>;

int width(const Column& column);
/// Two spaces before every column.
int width(const Columns& columns);
/// The lines of the heads, standing on one base line; each ends with a newline.
std::string head_lines(const Columns& columns, const Page& page);
/// Row `index` without a newline.
std::string row_line(const Columns& columns, size_t index, const Page& page);

/// Splits `groups` of columns into as few tables as fit the width, each opened by the column `first`. A group is broken
/// up only where it alone is too wide.
std::vector<Columns> fold(const Column& first, const std::vector<Columns>& groups, int columns);

}  // namespace normcheck
