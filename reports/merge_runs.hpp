// Several reports as one, as where a night's runs are read together.
#pragma once

#include <string>
#include <vector>

#include "reports/record.hpp"

namespace normcheck {

struct NamedReport {
    std::string name;  // of its file, for messages
    Report report;
};

/// All records of at least one report in one: counts are added, peaks and first findings kept, contexts told together.
/// Throws InputError where two of them are the same run, or have different contracts of one kernel and format.
Report merge_runs(std::vector<NamedReport> reports);

}  // namespace normcheck
