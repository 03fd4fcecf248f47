// The result of a sweep as a block of text.
#pragma once

#include <optional>
#include <string>

#include "harness/sweep/result.hpp"
#include "reports/layout.hpp"

namespace normcheck {

/// What this process ran, and how long it took; less than the result where a sweep was taken up again.
struct SweepTiming {
    uint64_t rows = 0;
    double seconds = 0;
};

std::string sweep_text(const SweepResult& result, const std::optional<SweepTiming>& timing, const Page& page);

/// 12345678 as "12,345,678".
std::string show_grouped(uint64_t number);

}  // namespace normcheck
