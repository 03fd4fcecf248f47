// The verb `minimize`: shrinks a failing case while it shows the same kind of finding.
#include "harness/check/minimize.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/host/hosted_call.hpp"
#include "oracles/error.hpp"
#include "reports/text_blocks.hpp"

namespace normcheck {
namespace {

struct MinimizeOptions {
    std::string line, kernel;
    int64_t budget = 2000;
    bool quiet = false;
    int width = 0;
    OutsideOptions outside;
};

void add_options(CLI::App& app, MinimizeOptions& options) {
    app.add_option("LINE", options.line, "the case, as reports print it")->required();
    app.add_option("--kernel", options.kernel, "run this kernel, whatever the line names")->type_name("NAME");
    app.add_option("--budget", options.budget, "try at most so many cases (default 2000)")
        ->type_name("N")
        ->check(whole_number(1, INT64_MAX));
    app.add_flag("--quiet", options.quiet, "print the line alone");
    add_width_option(app, options.width);
    add_outside_options(app, options.outside);
}

std::string minimized_text(const Minimized& result, const Case& before, const std::string& kind, const Page& page) {
    const auto shape = [](const Case& c) { return fmt::format("{} x {}", c.rows, c.cols); };
    return paragraph("case      ", print(result.smallest), page) + paragraph("shows     ", kind, page) +
           paragraph(
               "from      ",
               fmt::format("{} values to {}, by trying {} cases", shape(before), shape(result.smallest), result.checks),
               page);
}

int run(const MinimizeOptions& options) {
    Case c = parse_case(options.line);
    if (!options.kernel.empty()) c.kernel = options.kernel;
    if (c.kernel.empty())
        throw InputError(
            fmt::format("case '{}' names no kernel; expected kernel=NAME in it, or --kernel NAME", options.line));
    load_outside(options.outside);
    const nc_kernel& kernel = kernel_named(c.kernel);
    const host::ShortCalls short_calls;
    const std::string kind = kind_of_finding(kernel, c);
    if (kind.empty()) {
        throw InputError(fmt::format(
            "case '{}' shows nothing to shrink: expected one on which the kernel fails or breaks a rule", print(c)));
    }
    const Minimized result = minimize(
        kernel, c, [&](const Case& smaller) { return kind_of_finding(kernel, smaller) == kind; }, options.budget);
    if (options.quiet) {
        write_output(print(result.smallest) + '\n');
    } else {
        write_output(minimized_text(result, c, kind, output_page(options.width)));
    }
    return 0;
}

constexpr Example examples[] = {
    {"normcheck minimize 'kernel=faulty/rms_eps_outside x=bf16 rows=3 cols=64 fill=small'",
     "the smallest case that shows the same"},
    {"normcheck minimize 'kernel=faulty/rms_eps_outside x=bf16 rows=3 cols=64 fill=small' --quiet --budget 100",
     "its line alone, after at most 100 tries"},
};

}  // namespace

Verb add_minimize(CLI::App& app) {
    const auto options = std::make_shared<MinimizeOptions>();
    CLI::App* verb = app.add_subcommand("minimize", "shrink a failing case while it shows the same kind of finding");
    add_options(*verb, *options);
    return {verb, [options](const std::string&) { return run(*options); }, examples};
}

}  // namespace normcheck
