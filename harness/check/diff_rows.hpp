// One case of two kernels, row by row. Between the files of the comparison only.
#pragma once

#include <vector>

#include "harness/check/check.hpp"
#include "harness/check/diff.hpp"

namespace normcheck {

/// What both kernels made of a case.
struct RanCase {
    const SharedCase& shared;
    std::array<CaseResult, 2> results;
};

/// The elements of y in which a row differs.
struct RowDiff {
    int64_t differing = 0;
    int64_t element = -1;  // the one that is farthest off; -1 where none differs
    double values = 0, row_ulp = 0;
};
RowDiff diff_y(const RanCase& ran, int64_t row);

/// Whether a row differs in any output that both kernels give.
bool row_differs(const RanCase& ran, int64_t row);

/// Codes of one output of a call, and their format; both kernels' are comparable where the formats are the same and the
/// statistics are of the same norm.
const std::vector<uint64_t>& codes_of(const Outputs& outputs, Output output);
FormatId format_of(const Contract& contract, Output output);
bool is_shared(const SharedCase& shared, Output output);
bool codes_differ(FormatId id, uint64_t a, uint64_t b);

}  // namespace normcheck
