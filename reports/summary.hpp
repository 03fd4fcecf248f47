// What is said of a whole report in few words: the sentence of the verdict, kernels with their formats, totals.
#pragma once

#include <string>
#include <vector>

#include "reports/record.hpp"

namespace normcheck {

/// A kernel with its records, one per format, in the order of the report.
struct KernelFormats {
    std::string kernel;
    Verdict verdict = Verdict::doubtful;
    std::vector<const KernelReport*> formats;
};
/// The kernels of a report, gravest verdict first, else in the order of the report. The report must outlive them.
std::vector<KernelFormats> kernels_of(const Report& report);

/// All cells of a record in one.
Cell whole(const KernelReport& report);
/// All cells of a report in one.
Cell whole(const Report& report);
int64_t row_count(const Cell& cell);
int64_t case_count(const Report& report);
int64_t finding_count(const Report& report);
int64_t finding_count(const KernelReport& report);
/// The findings of one kernel and format that the report keeps.
std::vector<const Finding*> findings_of(const Report& report, const KernelReport& kernel);

/// Worse ones first, then better ones, then others.
std::vector<const Change*> changes_by_trend(const Report& report);

/// One sentence: what the verdict is and whom it is about.
std::string verdict_sentence(const Report& report);
/// The counts behind it: cases, rows by verdict, outputs.
std::string counts_sentence(const Report& report);
/// "kernel f32" and the regime where there is one.
std::string subject(const Finding& finding);
std::string subject(const Change& change);
/// The options that `case` needs for this kernel beside a line; mostly empty.
std::string options_of(const Report& report, const std::string& kernel);
/// The options by which `case` shows this finding again: those of its kernel and, of a property, its name.
std::string options_of(const Report& report, const Finding& finding);
/// The command that reruns a case; what is no case line (the name of a recording) comes as it is.
/// `options`: what the command needs beside the line.
std::string rerun_command(const std::string& case_line, const std::string& options);
/// ", row 3, y[17]" of a finding, "" where it is about the whole call.
std::string place_of(const Finding& finding);
/// "got 0x1p+0 (3c00), target ..., admissible ... to ...": values with their codes.
std::string numbers_of(const Finding& finding);

/// A number with commas between its thousands, from five digits on.
std::string show_thousands(int64_t number);

}  // namespace normcheck
