// The part of a page about one kernel.
#pragma once

#include <string>
#include <vector>

#include "reports/html/figures.hpp"
#include "reports/summary.hpp"

namespace normcheck {

/// A verdict as a word in its colour.
std::string verdict_word(Verdict verdict);

/// A command or case line that one click selects whole.
std::string copy_block(const std::string& case_line, const std::string& options);

/// What the kernel promises, its findings, its figures, and a table per format. `svgs` holds as many figures as there
/// are, or none; `id` is the anchor of the section. The report is printable.
std::string kernel_section(const Report& report, const KernelFormats& kernel, const std::vector<Figure>& figures,
                           const std::vector<std::string>& svgs, const std::string& id);

}  // namespace normcheck
