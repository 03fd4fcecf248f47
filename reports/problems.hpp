// What of a report asks for action, in one list: what SARIF and annotations are written from.
#pragma once

#include <string>
#include <vector>

#include "reports/record.hpp"

namespace normcheck {

enum class ProblemKind : uint8_t { fail, suspect, unproven, worse };

struct Problem {
    ProblemKind kind = ProblemKind::fail;
    bool counts = true;  // makes the exit status 1
    std::string kernel{};
    std::string subject{};  // kernel, format, regime
    std::string message{};  // what is wrong, and the numbers
    std::string place{};    // row and element; empty where the whole call is meant
    std::string case_line{};
    std::string options{};  // of `case`, beside the line
};

/// Findings, kernels without a pass, and what is worse than before.
std::vector<Problem> problems_of(const Report& report);
/// Findings that were made and not kept.
int64_t findings_left_out(const Report& report);

}  // namespace normcheck
