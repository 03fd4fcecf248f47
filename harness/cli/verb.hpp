// The verbs of the command line: one file each, one line each in main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace normcheck {

/// A verb as CLI11 knows it, and what it does once its options are read: `command` is the whole command line as text,
/// the result is the exit status. May throw InputError.
struct Verb {
    CLI::App* options;
    std::function<int(const std::string& command)> run;
};

Verb add_list(CLI::App& app);
Verb add_verify(CLI::App& app);
Verb add_case(CLI::App& app);
Verb add_export(CLI::App& app);
Verb add_score(CLI::App& app);
Verb add_sweep(CLI::App& app);
Verb add_merge(CLI::App& app);
Verb add_bench(CLI::App& app);
Verb add_detect(CLI::App& app);
Verb add_minimize(CLI::App& app);
Verb add_promote(CLI::App& app);
Verb add_fuzz(CLI::App& app);
Verb add_report(CLI::App& app);
Verb add_baseline(CLI::App& app);
Verb add_compare(CLI::App& app);

}  // namespace normcheck
