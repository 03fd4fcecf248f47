// From a judged row to a finding: which output is meant, which element, and the numbers behind it.
#pragma once

#include <cstdint>

#include "harness/check/check.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// Fills in reason, row, regime and, where one output is to blame, its name, element and numbers. The row must have
/// failed or be suspect; the judge must be that of the case (make_judge). `with_numbers` asks for the slow part.
void describe_row(Finding& finding, const Judge& judge, const Contract& contract, const CaseResult& result,
                  int64_t cols, int64_t row, bool with_numbers);

}  // namespace normcheck
