// The blocks of a text report: one kernel and format with its table, and one finding.
#pragma once

#include <string>
#include <vector>

#include "reports/layout.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// Heading, contract, counts, table of regimes and reasons of one kernel and format, whose findings these are.
std::string kernel_text(const KernelReport& report, const std::vector<const Finding*>& findings, const Page& page);
/// Why rows failed or prove nothing and calls were refused: the most frequent reasons of each verdict, with their
/// counts. Of broken rules that differ in their places the first is told, as far as a finding has it.
std::string reasons_text(const KernelReport& report, const std::vector<const Finding*>& findings, const Page& page);
/// "3 calls, the first: y[0,3] was not written": a reason with its count, and in place of one without its place the
/// first finding of it.
std::string counted_reason(int64_t times, const char* one, const char* many, const std::string& reason,
                           const std::vector<const Finding*>& findings);
/// One finding: what, its case line in quotes, and its numbers.
std::string finding_text(const Finding& finding, const Page& page);

/// What differs from an earlier report, worse things first: a line or two each; empty where nothing does.
std::string changes_text(const Report& report, const Page& page);

/// How many cases, rows and outputs there were, and how many of them were refused, skipped, short or cancelled.
std::string ran_sentence(const KernelReport& report);
/// How often properties were asked, in all, and how often they held; empty where none was.
std::string asked_sentence(const KernelReport& report);

/// red for fail, green for pass, yellow for what needs a look.
Style style_of(Verdict verdict);
/// `text` with `word`, by which it begins, in the style of a verdict.
std::string paint_first(const std::string& text, const std::string& word, Verdict verdict, const Page& page);
/// A case line as it is given to a shell, with the place inside the case.
std::string quoted(const std::string& case_line, int64_t row, const std::string& output, int64_t element);

}  // namespace normcheck
