// The verb `tolerance`: the rtol and atol that a contract justifies, for people who must write an assert_close.
#include "harness/check/tolerance.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/plan_words.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/tolerance_report.hpp"
#include "harness/cli/verb.hpp"
#include "oracles/error.hpp"
#include "reports/context.hpp"

namespace normcheck {
namespace {

struct ToleranceOptions {
    std::string contract, json;
    std::vector<std::string> kernels;
    PlanWords plan;
    int jobs = 0, width = 0;
    OutsideOptions outside;
};

void add_options(CLI::App& app, ToleranceOptions& options) {
    app.add_option("CONTRACT", options.contract, "contract words, as in 'rms x=bf16' (see: help contract)")->required();
    app.add_option(
           "--kernel", options.kernels,
           "run these kernels on the same rows, as in 'faulty/rms_eps*', and say what the tolerance cannot see; "
           "may be repeated")
        ->type_name("GLOB")
        ->expected(1)
        ->take_all();
    add_plan_options(app, options.plan, "");
    add_jobs_option(app, options.jobs);
    app.add_option("--json,--output", options.json, "write the result to this file; - is standard output")
        ->type_name("FILE")
        ->check(can_be_written);
    add_width_option(app, options.width);
    add_outside_options(app, options.outside);
}

/// The plan of the contract, every case with the words of its whole contract, so that its line stands alone.
std::vector<Case> planned_cases(const Contract& contract, const PlanWords& words) {
    std::vector<Case> cases = plan("", contract, plan_options(words));
    for (Case& c : cases) c.overrides = print(with_overrides(contract, c.overrides));
    return cases;
}

int run(const ToleranceOptions& options, const std::string& command) {
    load_outside(options.outside);
    const Contract contract = parse_contract(options.contract);
    const std::vector<Case> cases = planned_cases(contract, options.plan);
    const int jobs = jobs_or_default(options.jobs, options.outside);
    const std::vector<const nc_kernel*> kernels =
        options.kernels.empty() ? std::vector<const nc_kernel*>{} : kernels_matching(options.kernels);
    const ToleranceVerb verb{make_context(options.plan.seed, command), contract, std::ssize(cases),
                             tolerance_of(cases, kernels, jobs)};
    if (!options.json.empty()) write_document(options.json, tolerance_json(verb));
    if (options.json != "-") write_output(tolerance_text(verb, output_page(options.width)));
    return 0;
}

constexpr Example examples[] = {
    {"normcheck tolerance 'rms x=bf16 cast=before_gamma'", "by regime: rtol and atol, and the case that needs them"},
    {"normcheck tolerance 'layer beta=add x=f32' --cols 4096 --fills gaussian,offset", "on rows as yours are"},
    {"normcheck tolerance 'rms x=bf16' --cases 60 --kernel cpu/rms --kernel 'faulty/rms_eps*'",
     "what a comparison with this tolerance sees of kernels, and what it does not"},
};

}  // namespace

Verb add_tolerance(CLI::App& app) {
    const auto options = std::make_shared<ToleranceOptions>();
    CLI::App* verb = app.add_subcommand("tolerance", "derive the rtol and atol that a contract justifies");
    add_options(*verb, *options);
    return {verb, [options](const std::string& command) { return run(*options, command); }, examples};
}

}  // namespace normcheck
