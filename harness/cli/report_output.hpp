// What every verb that ends in a report has in common: its options, and how the report is delivered.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/record.hpp"
#include "reports/writers.hpp"

namespace normcheck {

/// Bytes of a report that is read; none is larger: a thousand kernels take some ten MiB.
constexpr uint64_t largest_report = uint64_t{1} << 30;

/// A report in one format, and where it goes.
struct ReportFile {
    const Writer* writer = nullptr;
    std::string file;  // "-" is standard output
};

struct ReportOptions {
    std::string json;               // file, "-" for standard output, empty for none
    std::vector<ReportFile> files;  // further ones
    bool strict = false;            // suspect rows make the exit status 1
    bool quiet = false;
    int width = 0;  // 0: the terminal's
    Oracle oracle = Oracle::certified;
};

/// Says before a long run what would stop a document from being written; empty where nothing would.
std::string can_be_written(const std::string& file);

/// A report file as options name it: FILE, whose extension tells the format, or FORMAT:FILE. Throws InputError where
/// neither tells one, or the file cannot be written.
ReportFile read_report_file(const std::string& words);
/// "text (.txt), json (.json), ...": the formats that a report can have.
std::string report_formats();

/// certified or exact; throws InputError for anything else.
Oracle oracle_named(const std::string& name);

void add_report_options(CLI::App& options, ReportOptions& report);
/// --report, for a verb whose only document is its report.
void add_report_files(CLI::App& options, ReportOptions& report);
/// Throws InputError where more than one document is to go to standard output.
void require_one_standard_output(const ReportOptions& options);

/// Whether a document goes to standard output, which then takes no text.
bool takes_standard_output(const ReportOptions& options);
/// Writes the documents that are asked for.
void write_report_document(const Report& report, const ReportOptions& options);
/// Writes the documents and the text that are asked for; standard output takes one of them. Returns the exit status.
int deliver(Report report, const ReportOptions& options);

}  // namespace normcheck
