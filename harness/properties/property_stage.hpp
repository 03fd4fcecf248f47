// The stage of `verify` that asks properties: of some small cases of every job, spread over its plan.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/check/run_plan.hpp"
#include "harness/properties/properties.hpp"

namespace normcheck {

/// The properties that a list names, in the order of properties(): all, none, or names with commas between. Throws
/// InputError naming the word that is none of these.
std::vector<const PropertyInfo*> read_properties(const std::string& list);

/// Counts an answer in the report; a violation becomes a broken rule and a finding.
void record(Report& report, const Job& job, const Case& c, int64_t index, const PropertyInfo& property,
            const PropertyResult& answer);

/// What is done after a case of the run: nothing unless the case was selected; else some properties are asked (each of
/// them, where they or the cases are few), counted in the report, and a violation made a broken rule and a finding.
/// Small cases are selected, and where a job has none, a few larger ones. The selection depends on the jobs alone.
AfterCase property_stage(std::span<const Job> jobs, std::vector<const PropertyInfo*> properties);

/// One line that names the jobs of which property_stage asks nothing since their cases are too large, and what to do;
/// empty where there is none.
std::string why_not_asked(std::span<const Job> jobs);

}  // namespace normcheck
