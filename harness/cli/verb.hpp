// The verbs of the command line: one file each, one line each in verbs.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "reports/layout.hpp"

namespace normcheck {

/// A command as a reader would type it, and one line on what it does. Tests run these, or at least parse them.
struct Example {
    const char* command;
    const char* does;
};

/// A verb as CLI11 knows it, what it does once its options are read, and examples for its help: `command` is the whole
/// command line as text, the result is the exit status. May throw InputError.
struct Verb {
    CLI::App* options;
    std::function<int(const std::string& command)> run;
    std::span<const Example> examples = {};
};

/// All verbs by purpose, in the order in which help lists them, their examples on the page at the end of their help.
std::vector<Verb> add_verbs(CLI::App& app, const Page& page);

Verb add_list(CLI::App& app);
Verb add_verify(CLI::App& app);
Verb add_case(CLI::App& app);
Verb add_export(CLI::App& app);
Verb add_score(CLI::App& app);
Verb add_sweep(CLI::App& app);
Verb add_merge(CLI::App& app);
Verb add_bench(CLI::App& app);
Verb add_detect(CLI::App& app);
Verb add_diff(CLI::App& app);
Verb add_minimize(CLI::App& app);
Verb add_promote(CLI::App& app);
Verb add_fuzz(CLI::App& app);
Verb add_report(CLI::App& app);
Verb add_baseline(CLI::App& app);
Verb add_compare(CLI::App& app);
Verb add_tolerance(CLI::App& app);
Verb add_help(CLI::App& app);

}  // namespace normcheck
