// Tables of a page.
#pragma once

#include <string>
#include <vector>

namespace normcheck {

/// A table: its cells are HTML already, the first of each row is its head. `label` says what it is, in plain text;
/// columns from `numbers_from` on are aligned to the right.
struct HtmlTable {
    std::string label;
    std::vector<std::string> heads;
    std::vector<std::vector<std::string>> rows;
    size_t numbers_from = 1;
    size_t numbers_to = SIZE_MAX;  // past the last such column
};

/// The table in a box of its own that scrolls where it is too wide.
std::string html_table(const HtmlTable& table);
/// A summary to click and what it hides.
std::string html_details(const std::string& summary, const std::string& content, bool open = false);

}  // namespace normcheck
