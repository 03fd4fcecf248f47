// One judged call as a report and as text: what `case` and `score` share.
#pragma once

#include <cstdint>
#include <string>

#include "harness/check/check.hpp"
#include "reports/layout.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// A call with its judgement and what it is called in reports.
struct JudgedCall {
    std::string kernel;     // or the name of the file
    std::string case_line;  // or the name of the file
    Contract contract;
    int64_t rows = 0;
    int64_t cols = 0;
    CaseResult result;
};

/// Judges the outputs of a recorded call row by row, on all cores, and fills in call.result.rows.
void judge_rows(JudgedCall& call, Oracle oracle);

/// The report of this call alone; its context is left to the caller.
Report report_of(const JudgedCall& call);

/// The elements behind the verdicts in full: of the first rows that failed those that are not admissible, and of the
/// row with the largest error the worst.
std::string explanation(const JudgedCall& call, const Page& page);

}  // namespace normcheck
