// Where the command line writes to: a terminal or not, how wide, and text made safe for a shell.
#pragma once

#include <string>
#include <string_view>

#include "reports/layout.hpp"

namespace normcheck {

bool is_terminal(int descriptor);

/// The page of standard output: `width` columns, or where it is 0 the terminal's width, 80 elsewhere; colour only on a
/// terminal.
Page output_page(int width);

/// Writes to standard output. Throws InputError where that cannot be written.
void write_output(std::string_view text);

/// Writes a document to a file in one step, or to standard output where `destination` is "-".
void write_document(const std::string& destination, std::string_view text);

/// The text as one word of a shell command, in quotes where it needs them.
std::string shell_word(std::string_view text);

}  // namespace normcheck
