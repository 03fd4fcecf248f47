// The choice of kernels from outside as one text, by which a program hands it to another that it starts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/outside/outside.hpp"

namespace normcheck {

/// The environment variable that holds the text.
constexpr const char* outside_variable = "NORMCHECK_OUTSIDE";

/// A choice, as the option of that name without its dashes takes it.
struct OutsideSetting {
    const char* name;
    std::string value;  // empty of a flag
};
/// The choices that are made, in the order of OutsideKernels; none where no kernel is chosen.
std::vector<OutsideSetting> outside_settings(const OutsideKernels& outside);

/// One line per choice, as in "plugin ./libmine.so"; empty where nothing is chosen. read_outside is its inverse.
std::string outside_text(const OutsideKernels& outside);
/// Throws InputError naming the line that makes no sense.
OutsideKernels read_outside(std::string_view text);

}  // namespace normcheck
