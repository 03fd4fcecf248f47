// The options by which a verb takes kernels from outside, alike for all verbs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/outside/outside.hpp"

namespace normcheck {

struct OutsideOptions {
    OutsideKernels kernels;
    std::string log;
};

void add_outside_options(CLI::App& app, OutsideOptions& options);

/// Loads what the options name, so that its kernels are there to be chosen. Throws InputError.
void load_outside(const OutsideOptions& options);

/// What a later command needs to have the same kernels, as in "--plugin ./libmine.so"; empty where nothing is named.
std::string outside_words(const OutsideOptions& options);

/// Calls at a time where the user names no number: one a core, but at most 4 where a command is a host, which is
/// started once for each.
int default_jobs(const OutsideOptions& options);
/// `jobs` where it is above 0, else as many as default_jobs says.
int jobs_or_default(int jobs, const OutsideOptions& options);
/// --jobs, for verbs that run cases; 0 stays where it is not given.
void add_jobs_option(CLI::App& app, int& jobs);

}  // namespace normcheck
