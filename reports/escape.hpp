// Foreign text made harmless: names, reasons and case lines come from kernels, files and command lines, and nothing in
// them may act on the terminal, page or parser that a report is read with.
#pragma once

#include <string>
#include <string_view>

#include "reports/record.hpp"

namespace normcheck {

/// The text without what acts on a terminal or hides from a reader: control characters, marks that turn the direction
/// of writing, and bytes that are not UTF-8 become visible as \x1b, \u202e. Other letters stay.
std::string printable(std::string_view text);
/// A report whose every text is printable. Writers of formats for people begin with it.
Report printable(Report report);

/// Printable text as content or attribute value of HTML or XML.
std::string escape_html(std::string_view text);

/// Printable text that Markdown shows as it is: no emphasis, link, table cell, HTML or mention comes out of it.
std::string escape_markdown(std::string_view text);
/// Printable text as a code span; in a cell of a table a bar in it needs a backslash.
std::string code_span(std::string_view text);
std::string cell_code(std::string_view text);
/// Printable text as a block of code of one language.
std::string code_block(std::string_view text, std::string_view language);

/// The text as one word of a shell command, in single quotes.
std::string shell_quoted(std::string_view text);

}  // namespace normcheck
