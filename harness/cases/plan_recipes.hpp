// The recipes of the default plan: cases before format and seed. Between the files of the plan only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.hpp"

namespace normcheck {

/// A case before its format and seed: the same for every format.
struct Recipe {
    Case base;
    std::string eps;  // empty: the contract's
};
using Recipes = std::vector<Recipe>;

/// A plain call with parameters and residual that suit the fill; `turn` moves through the lists of those.
Recipe recipe(std::string_view fill, int64_t rows, int64_t cols, const Contract& contract, int64_t turn);

/// Everything that is run when nothing is asked for.
Recipes default_recipes(const Contract& contract);

/// More rows than 16 bits count, of one element.
Recipe tall_recipe(const Contract& contract);

}  // namespace normcheck
