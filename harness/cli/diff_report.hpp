// What `diff` found of two kernels, as text and as JSON.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "harness/check/diff.hpp"
#include "reports/layout.hpp"

namespace normcheck {

struct KernelDiff {
    Context context;
    std::array<std::string, 2> kernels;
    std::vector<FormatDiff> formats;
};

bool is_equal(const FormatDiff& diff);
/// 0 where all outputs are equal bit by bit, else 1.
int exit_status(const KernelDiff& diff);

std::string diff_text(const KernelDiff& diff, const Page& page);
std::string diff_json(const KernelDiff& diff);

}  // namespace normcheck
