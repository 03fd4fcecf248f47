// The options that narrow a plan of cases, alike for all verbs that run one.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/cases/plan.hpp"

namespace normcheck {

/// As the user wrote them; empty where nothing was said.
struct PlanWords {
    std::string formats, cols, rows, fills, eps;
    uint64_t seed = 1;
    int64_t max_cases = 0;
};

/// `formats` says what is taken where none are named; empty leaves the option out.
void add_plan_options(CLI::App& app, PlanWords& words, const std::string& formats);

/// What the words say. Throws InputError naming the option and the word.
PlanOptions plan_options(const PlanWords& words);

}  // namespace normcheck
