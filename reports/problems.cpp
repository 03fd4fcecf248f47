// What asks for action; see problems.hpp.
#include "reports/problems.hpp"

#include <fmt/format.h>

#include "reports/summary.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

Problem problem(const Report& report, const Finding& finding) {
    const bool suspect = finding.verdict == Verdict::suspect;
    Problem result{suspect ? ProblemKind::suspect : ProblemKind::fail, !suspect || report.strict};
    result.kernel = finding.kernel;
    result.subject = subject(finding);
    result.message = finding.reason + (finding.numbers ? ": " + numbers_of(finding) : "");
    result.place = place_of(finding);
    result.case_line = finding.case_line;
    result.options = options_of(report, finding);
    return result;
}

}  // namespace

std::vector<Problem> problems_of(const Report& report) {
    std::vector<Problem> result;
    for (const Finding& finding : report.findings) result.push_back(problem(report, finding));
    for (const std::string& kernel : kernels_without_pass(report))
        result.push_back({ProblemKind::unproven, true, kernel, kernel, "no row passes in any format", "", ""});
    for (const Change& change : report.changes)
        if (change.trend == Trend::worse)
            result.push_back({ProblemKind::worse, true, change.kernel, subject(change), change.what, "",
                              change.case_line, options_of(report, change.kernel)});
    return result;
}

int64_t findings_left_out(const Report& report) {
    return finding_count(report) - static_cast<int64_t>(report.findings.size());
}

}  // namespace normcheck
