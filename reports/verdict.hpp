// The rule from records to one verdict and the exit status.
#pragma once

#include <string>
#include <vector>

#include "reports/record.hpp"

namespace normcheck {

/// Rows by verdict over all regimes of one kernel and format; `unsupported` counts refused calls.
VerdictCounts totals(const KernelReport& report);
/// The same over the whole report.
VerdictCounts totals(const Report& report);

/// fail where anything failed, else suspect, pass, doubtful, outside, the first of which there is any, else
/// unsupported.
Verdict verdict(const KernelReport& report);
/// The gravest verdict over the kernels, each with its formats taken together: fail, then kernels without any pass
/// (unsupported, outside, doubtful), then suspect, then pass. A report without kernels is unsupported.
Verdict verdict(const Report& report);

/// Kernels without a single passing row in any format, in order of the report.
std::vector<std::string> kernels_without_pass(const Report& report);

/// 0, or 1 where something failed, some kernel (or the whole report) has no pass, or a strict report holds a suspect
/// row.
int exit_status(const Report& report);

}  // namespace normcheck
