// Checks of what stands behind an option: one line that names the option, what was found and what was expected. They
// print no ranges in the help text, as CLI11's own checks do.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace normcheck {

constexpr int narrowest_page = 40, widest_page = 1000;  // columns that --width may ask for

/// A whole number in decimal digits, without needless zeros; a limit that is that of its type is not told.
CLI::Validator whole_number(int64_t lowest, int64_t highest);

/// A seed: any whole number of 64 bits without a sign.
CLI::Validator seed_number();

/// A finite number above 0, or from 0 on, in decimal digits.
CLI::Validator number_above_zero();
CLI::Validator number_from_zero();

/// A length of time: seconds, or with a unit, as in 90s, 10m or 8h. The option then reads seconds. `whole`: nothing
/// shorter than a second is taken, nor parts of one.
CLI::Validator time_span(bool whole = false);

/// --width N: the columns of what is printed, 0 where the option is not given.
void add_width_option(CLI::App& app, int& width);

}  // namespace normcheck
