// Which cases `verify` runs for a kernel when nobody names one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.hpp"

namespace normcheck {

/// What the user narrowed down. Empty lists are open. As soon as cols, rows, fills or eps are given, the plan is the
/// product of the lists, with all fills, a few cols, three rows and the contract's own eps where they are open.
struct PlanOptions {
    std::vector<FormatId> formats = {};  // of x; empty: the contract's
    std::vector<int64_t> cols = {};
    std::vector<int64_t> rows = {};
    std::vector<std::string> fills = {};  // with parameters, or inline bits or values
    std::vector<std::string> eps = {};    // as text, rounded to the format in which the contract takes eps
    uint64_t seed = 1;
    int64_t max_cases = 0;  // 0: all
    bool tall = false;      // the default plan ends with a batch past 16 bits of rows, which takes long: once a kernel
};

/// The cases for a kernel of that name and contract (formats left out, as in nc_kernel). Case i depends on the options
/// and i alone; the first cases of a plan already spread over fills, formats and shapes. Throws InputError on a bad
/// fill or eps.
std::vector<Case> plan(std::string_view kernel, const Contract& contract, const PlanOptions& options);

}  // namespace normcheck
