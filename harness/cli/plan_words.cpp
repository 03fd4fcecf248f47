// Options of a plan; see plan_words.hpp.
#include "harness/cli/plan_words.hpp"

#include <fmt/format.h>

#include "harness/cli/option_values.hpp"
#include "harness/cli/selection.hpp"

namespace normcheck {

void add_plan_options(CLI::App& app, PlanWords& words, const std::string& formats) {
    if (!formats.empty())
        app.add_option("--formats,--format", words.formats,
                       fmt::format("formats of x, as in f32,bf16 (default: {})", formats))
            ->type_name("LIST");
    app.add_option("--cols", words.cols, "columns, as in 128,768")->type_name("LIST");
    app.add_option("--rows", words.rows, "rows, as in 1,7")->type_name("LIST");
    app.add_option("--fills", words.fills, "fills of x, as in gaussian,spike:3000:1 (see: list fills)")
        ->type_name("LIST");
    app.add_option("--eps", words.eps, "epsilons, as in 1e-6,0")->type_name("LIST");
    app.add_option("--seed", words.seed, "seed of all random inputs (default 1)")->type_name("N")->check(seed_number());
    app.add_option("--cases", words.max_cases, "at most so many cases per kernel and format")
        ->type_name("N")
        ->check(whole_number(1, INT64_MAX));
}

PlanOptions plan_options(const PlanWords& words) {
    PlanOptions result;
    result.formats = read_formats(words.formats);
    result.cols = read_extents("--cols", words.cols);
    result.rows = read_extents("--rows", words.rows);
    result.fills = read_fills(words.fills);
    result.eps = read_list(words.eps);
    result.seed = words.seed;
    result.max_cases = words.max_cases;
    return result;
}

}  // namespace normcheck
