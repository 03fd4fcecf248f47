// Made-up rows and reports for the tests of collecting and writing.
#pragma once

#include <cstdint>
#include <string>

#include "reports/record.hpp"

namespace normcheck {

/// A passing ordinary row of 8 outputs, all correctly rounded, with that row error.
RowResult made_up_row(double row_error, Regime regime = Regime::ordinary, Verdict verdict = Verdict::pass);

/// A finding with numbers in f16.
Finding made_up_finding(const std::string& kernel, int64_t case_index, int64_t row, int64_t element);

/// Two kernels in three blocks: one that passes, one with every verdict and two findings, one that never ran.
Report made_up_report();

}  // namespace normcheck
