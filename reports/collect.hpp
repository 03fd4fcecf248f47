// Gathers judged rows, refused calls, broken rules and findings into the records. Every result is the same in whatever
// order, on however many threads, the parts come in, because maxima and lists are ordered by value, case index and row.
#pragma once

#include <cstdint>
#include <string>

#include "oracles/judge.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// The record of that kernel and format, appended where there is none; the next append makes the reference invalid.
/// Name the selected kernels first, in order: that fixes their order in the report, and a kernel that never ran is then
/// seen.
KernelReport& kernel_report(Report& report, const std::string& kernel, FormatId format, const std::string& contract);

/// The record of that kernel and format, or nullptr.
const KernelReport* find_record(const std::vector<KernelReport>& records, const std::string& kernel, FormatId format);

/// Counts one case that ran.
void add_case(KernelReport& report);
/// Counts one call that the kernel refused.
void add_refusal(KernelReport& report, const std::string& reason);
/// Counts a rule broken by a call rather than by a row (guard, input changed, bits differ); the verdict becomes fail.
void add_broken_rule(KernelReport& report, const std::string& reason);
/// Takes in one judged row; case_index is the case's place in the run. Throws InternalError on the verdict unsupported.
void add_row(KernelReport& report, const RowResult& result, const std::string& case_line, int64_t case_index,
             int64_t row);
/// Adds the counts of a cell and keeps the larger peaks.
void merge(Cell& into, Cell from);
/// Adds all of `from`, which must be of the same kernel and format.
void merge(KernelReport& into, KernelReport from);

/// Fills in output, element and numbers of a finding.
void describe(Finding& finding, const ElementStory& story);
/// Counts a finding and keeps the first ones of its kernel and format, report.finding_cap of them, in the order of
/// finding_order.hpp.
void add_finding(Report& report, Finding finding);
/// Adds the kernels and findings of `from`; context and settings stay those of `into`, and both must have the same cap.
void merge(Report& into, Report from);

}  // namespace normcheck
