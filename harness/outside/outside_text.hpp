// The choice of kernels from outside as one text, by which a program hands it to another that it starts.
#pragma once

#include <string>
#include <string_view>

#include "harness/outside/outside.hpp"

namespace normcheck {

/// The environment variable that holds the text.
constexpr const char* outside_variable = "NORMCHECK_OUTSIDE";

/// One line per choice, as in "plugin ./libmine.so"; empty where nothing is chosen. read_outside is its inverse.
std::string outside_text(const OutsideKernels& outside);
/// Throws InputError naming the line that makes no sense.
OutsideKernels read_outside(std::string_view text);

}  // namespace normcheck
