// Baselines: what a kernel did when it was last accepted, as a document that is reviewed in a diff: of each format and
// regime the largest errors with the cases that reached them, counts and contract, and nothing of when and where.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/record.hpp"

namespace normcheck {

constexpr int baseline_version = 1;

/// A kernel's records, one per format. Of each only contract, inputs, cases, rows, outputs, the largest row error,
/// absolute error and slack, broken rules and the names of properties that held (counted once) are kept.
struct Baseline {
    std::string kernel;
    std::vector<KernelReport> formats;
    bool operator==(const Baseline&) const = default;
};

/// One of each kernel, in the order of the records.
std::vector<Baseline> baselines_of(const std::vector<KernelReport>& records);

/// Numbers are decimal, and exact: errors have 11 significant bits. Equal baselines are equal texts.
std::string to_baseline_text(const Baseline& baseline);

/// The records of a report or of a baseline, whichever the text is. Throws InputError that begins with `file`, and
/// names the place in it and what was expected there.
std::vector<KernelReport> parse_records(std::string_view text, std::string_view file);

/// The baseline in the text; refuses a report. Throws InputError like parse_records.
Baseline parse_baseline(std::string_view text, std::string_view file);

/// The cases that reached the largest errors and slacks of a record, each once, in the order of the regimes.
std::vector<std::string> witnesses_of(const KernelReport& record);

}  // namespace normcheck
