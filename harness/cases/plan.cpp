// From recipes to cases: the default plan or the product of lists, in every format, with overrides and seeds.
#include "harness/cases/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cases/fills.hpp"
#include "harness/cases/plan_recipes.hpp"
#include "harness/cases/random.hpp"
#include "harness/cases/source_text.hpp"

namespace normcheck {
namespace {

constexpr uint64_t seed_stream = uint64_t{1} << 63;  // no tensor draws from it
constexpr int64_t open_rows = 3;

std::vector<std::string> all_fill_names() {
    std::vector<std::string> names;
    for (const FillInfo& info : fills()) names.push_back(info.name);
    return names;
}

template <typename Value>
std::vector<Value> given_or(const std::vector<Value>& given, std::vector<Value> otherwise) {
    return given.empty() ? otherwise : given;
}

bool is_inline(std::string_view fill) {
    return fill.starts_with("bits:") || fill.starts_with("values:");
}

/// The columns where the user named none: as many as there are inline values, or a few.
std::vector<int64_t> open_cols(std::string_view fill) {
    if (is_inline(fill)) return {1 + std::count(fill.begin(), fill.end(), ',')};
    return {3, 128, 768};
}

Recipes product_recipes(const Contract& contract, const PlanOptions& options) {
    Recipes recipes;
    for (const std::string& fill : given_or(options.fills, all_fill_names())) {
        for (int64_t cols : given_or(options.cols, open_cols(fill))) {
            for (int64_t rows : given_or(options.rows, {open_rows})) {
                for (const std::string& eps : given_or(options.eps, {""})) {
                    recipes.push_back(recipe(fill, rows, cols, contract, std::ssize(recipes)));
                    recipes.back().eps = eps;
                }
            }
        }
    }
    return recipes;
}

bool is_product(const PlanOptions& options) {
    return !(options.cols.empty() && options.rows.empty() && options.fills.empty() && options.eps.empty());
}

/// The word for eps in the format in which the contract takes it, unless the text names one.
std::string eps_word(const std::string& eps, const Contract& contract) {
    if (eps.find(':') != std::string::npos) return " eps=" + eps;
    return fmt::format(" eps={}:{}", eps, format(contract.eps.format).name);
}

/// The contract words of a recipe in a format, as far as they change the contract.
std::string overrides_of(const Contract& contract, const Recipe& made, FormatId x) {
    const std::string words = fmt::format("x={}", format(x).name);
    return difference(with_overrides(contract, made.eps.empty() ? words : words + eps_word(made.eps, contract)),
                      contract);
}

// Reading the line back checks what the user's lists brought in.
Case finished(Case c, std::string_view kernel, const std::string& overrides, uint64_t seed, int64_t index) {
    c.kernel = kernel;
    c.overrides = overrides;
    c.x = parse_source("fill", c.x.fill, x_format(overrides), fills());
    c.residual = parse_source("residual_fill", c.residual.fill, x_format(overrides), fills());
    c.seed = random_value(seed, seed_stream, static_cast<uint64_t>(index)) % 1000000;
    return parse_case(print(c));
}

}  // namespace

std::vector<Case> plan(std::string_view kernel, const Contract& contract, const PlanOptions& options) {
    Recipes recipes = is_product(options) ? product_recipes(contract, options) : default_recipes(contract);
    if (options.tall && !is_product(options)) recipes.push_back(tall_recipe(contract));
    const std::vector<FormatId> formats = given_or(options.formats, {contract.x});
    std::vector<Case> cases;
    for (const Recipe& made : recipes) {
        for (FormatId x : formats) {
            if (options.max_cases > 0 && std::ssize(cases) == options.max_cases) return cases;
            const std::string overrides = overrides_of(contract, made, x);
            cases.push_back(finished(made.base, kernel, overrides, options.seed, std::ssize(cases)));
        }
    }
    return cases;
}

}  // namespace normcheck
