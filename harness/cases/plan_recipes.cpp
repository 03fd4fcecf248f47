// The default plan goes round and round over all fills; with every round each fill meets another number of columns,
// another eps and other parameters, each list at a pace of its own. Special sections follow: eps, ways to call,
// batches, ends.
#include "harness/cases/plan_recipes.hpp"

#include <fmt/format.h>

#include <span>

#include "harness/cases/fills.hpp"

namespace normcheck {
namespace {

constexpr int64_t plan_cols[] = {1, 2, 3, 5, 17, 64, 127, 128, 129, 255, 256, 257, 768, 1024, 1025, 4096};
constexpr int64_t plan_rows[] = {3, 1, 7};
constexpr int64_t rounds = std::size(plan_cols);
constexpr const char* plan_gammas[] = {"random",     "ones",   "random", "negative",
                                       "with_zeros", "random", "large",  "absent"};
constexpr const char* plan_betas[] = {"random", "random", "zeros", "random", "ones", "absent", "negative"};

template <typename List>
auto pick(const List& list, int64_t turn) {
    return list[static_cast<size_t>(turn) % std::size(list)];
}

/// A subnormal of eps's own format, in the middle of their significands.
std::string subnormal_eps(const Contract& contract) {
    const Format& numbers = format(contract.eps.format);
    const double value = decode_double(numbers, uint64_t{1} << numbers.significand_bits / 2);
    return print_number(value, contract.eps.format);
}

std::vector<std::string> plan_eps(const Contract& contract) {
    if (contract.eps_at == EpsAt::none) return {""};
    return {"", "1e-5", "0", "1e-12", "1", "1e-3", subnormal_eps(contract), "0.1", "1e-6"};
}

/// Fills on which a spread, or all of it, is lost, so that eps = 0 would ask for 0/0.
bool may_be_degenerate(std::string_view fill, const Contract& contract, int64_t cols) {
    if (fill == "zeros") return true;
    if (contract.norm == Norm::rms) return false;
    return cols == 1 || fill == "constant" || fill == "near_constant" || fill == "offset";
}

// A perfect square needs an eps that completes it; the others take what does not make them 0/0.
std::string usable_eps(const Contract& contract, const Case& c, int64_t turn) {
    constexpr const char* completing[] = {"0", "1", ""};
    if (contract.eps_at == EpsAt::none) return "";
    if (c.x.fill == "perfect_square") return pick(completing, turn);
    const std::vector<std::string> list = plan_eps(contract);
    const std::string eps = pick(list, turn);
    return eps == "0" && may_be_degenerate(c.x.fill, contract, c.cols) ? pick(list, turn + 1) : eps;
}

/// Fills whose placing a residual or parameters would undo.
bool is_placed(std::string_view fill) {
    return fill == "perfect_square" || fill == "near_midpoint";
}

Source neutral_gamma(const Contract& contract) {
    return {contract.gamma == Gamma::one_plus ? "zeros" : "ones", {}};
}

void set_parameters(Case& c, const Contract& contract, int64_t turn) {
    const bool neutral = is_placed(c.x.fill) && turn % 4 != 0;
    if (contract.gamma != Gamma::none) {
        c.gamma = neutral ? neutral_gamma(contract) : Source{pick(plan_gammas, turn), {}};
    }
    if (contract.beta != Beta::none) c.beta = Source{neutral ? "zeros" : pick(plan_betas, turn), {}};
}

// Mostly the same fill once more, so that the sum keeps the scale that the fill is about.
void set_residual(Case& c, const Contract& contract, int64_t turn) {
    if (contract.residual == Residual::none) return;
    if (is_placed(c.x.fill)) {
        c.residual = {"zeros", {}};
    } else if (turn % 4 != 3) {
        c.residual = c.x;
    }
}

}  // namespace

Recipe recipe(std::string_view fill, int64_t rows, int64_t cols, const Contract& contract, int64_t turn) {
    Recipe made;
    made.base.x = {std::string(fill), {}};
    made.base.rows = rows;
    made.base.cols = cols;
    set_parameters(made.base, contract, turn);
    set_residual(made.base, contract, turn);
    return made;
}

namespace {

/// The fill's number shifts every list, so that two fills do not meet the same choices in the same round.
Recipe main_recipe(int64_t round, int64_t fill, const Contract& contract) {
    const int64_t cols = pick(plan_cols, 7 * round + 3 * fill);
    Recipe made = recipe(fills()[static_cast<size_t>(fill)].name, pick(plan_rows, round + fill), cols, contract,
                         round + 3 * fill);
    made.base.position = 7 * round;
    made.base.threads = 1 + static_cast<int>((round + fill) % 2);
    made.eps = usable_eps(contract, made.base, 2 * round + fill);
    return made;
}

void add_main(Recipes& recipes, const Contract& contract) {
    for (int64_t round = 0; round < rounds; ++round) {
        for (int64_t fill = 0; fill < std::ssize(fills()); ++fill) {
            recipes.push_back(main_recipe(round, fill, contract));
        }
    }
}

// Seven rows a case, one after the other in the stream of rows: the grid's 81 powers come round within twelve cases.
void add_eps_crossings(Recipes& recipes, const Contract& contract) {
    int64_t turn = 0;
    for (int64_t cols : {64, 257, 768}) {
        for (const char* fill : {"eps_grid", "small"}) {
            for (const std::string& eps : plan_eps(contract)) {
                recipes.push_back(recipe(fill, 7, cols, contract, turn));
                recipes.back().base.position = 7 * turn++;
                recipes.back().eps = eps;
            }
        }
    }
}

struct CallShape {
    int64_t pitch, stride, offset;
    int threads;
};
constexpr CallShape call_shapes[] = {{3, 1, 0, 1}, {64, 1, 0, 2}, {0, 1, 1, 1}, {0, 1, 3, 2}, {5, 1, 7, 1},
                                     {0, 2, 0, 1}, {1, 3, 0, 2},  {7, 2, 5, 2}, {0, 1, 0, 4}};

Recipe call_recipe(const CallShape& shape, Alias alias, int64_t cols, const Contract& contract, int64_t turn) {
    constexpr const char* call_fills[] = {"gaussian", "small", "wide_exponents"};
    Recipe made = recipe(pick(call_fills, turn), 7, cols, contract, turn);
    made.base.pitch = shape.pitch;
    made.base.stride = shape.stride;
    made.base.offset = shape.offset;
    made.base.threads = shape.threads;
    made.base.alias = alias;
    return made;
}

std::vector<Alias> aliases_of(const Contract& contract) {
    std::vector<Alias> aliases = {Alias::none};
    if (contract.in_place) aliases.push_back(Alias::y_is_x);
    if (contract.residual != Residual::none) aliases.push_back(Alias::residual_out_is_residual);
    return aliases;
}

void add_calls(Recipes& recipes, const Contract& contract) {
    int64_t turn = 0;
    for (const CallShape& shape : call_shapes) {
        for (int64_t cols : {5, 128, 257, 1025}) {
            const Alias alias = pick(aliases_of(contract), turn + turn / 4);
            recipes.push_back(call_recipe(shape, alias, cols, contract, turn++));
        }
    }
}

struct Shape {
    const char* fill;
    int64_t rows, cols;
    int64_t pitch = 0;
};
// Batches past any block, rows past every vector width and past the counts and offsets that 11 and 16 bits hold, empty
// calls; and gamma and beta that are not finite or make outputs overflow or underflow.
constexpr Shape special_shapes[] = {{"gaussian", 257, 128},     {"alternating_scales", 257, 257},
                                    {"small", 257, 64},         {"nan_in_row", 257, 33},
                                    {"uniform_bits", 257, 17},  {"eps_grid", 257, 31},
                                    {"gaussian", 1, 65537},     {"gaussian", 3, 2049},
                                    {"offset", 2, 4097},        {"small", 2, 8193},
                                    {"gaussian", 7, 17, 16384}, {"gaussian", 0, 128},
                                    {"gaussian", 3, 0}};
// Long enough for its threads to run side by side: a race shows in rows of very different scale.
constexpr Shape race_shape = {"alternating_scales", 8209, 33};

void add_specials(Recipes& recipes, const Contract& contract) {
    int64_t turn = 0;
    for (const Shape& shape : special_shapes) {
        recipes.push_back(recipe(shape.fill, shape.rows, shape.cols, contract, turn));
        recipes.back().base.pitch = shape.pitch;
        recipes.back().base.threads = 1 + static_cast<int>(turn++ % 2);
    }
    recipes.push_back(recipe(race_shape.fill, race_shape.rows, race_shape.cols, contract, turn));
    recipes.back().base.threads = 4;
    for (const char* extreme : {"specials", "near_overflow", "near_underflow"}) {
        for (int64_t cols : {5, 129, 768}) {
            recipes.push_back(recipe("gaussian", 3, cols, contract, turn));
            if (contract.gamma != Gamma::none) recipes.back().base.gamma = {extreme, {}};
            recipes.back().base.beta = {contract.beta != Beta::none ? extreme : "random", {}};
        }
    }
}

}  // namespace

Recipe tall_recipe(const Contract& contract) {
    return recipe("gaussian", 65537, 1, contract, 0);
}

Recipes default_recipes(const Contract& contract) {
    Recipes recipes;
    add_main(recipes, contract);
    add_eps_crossings(recipes, contract);
    add_calls(recipes, contract);
    add_specials(recipes, contract);
    return recipes;
}

}  // namespace normcheck
