// What every verb that ends in a report has in common: its options, and how the report is delivered.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "reports/record.hpp"

namespace normcheck {

struct ReportOptions {
    std::string json;     // file, "-" for standard output, empty for none
    bool strict = false;  // suspect rows make the exit status 1
    bool quiet = false;
    int width = 0;  // 0: the terminal's
    Oracle oracle = Oracle::certified;
};

/// Says before a long run what would stop a document from being written; empty where nothing would.
std::string can_be_written(const std::string& file);

/// certified or exact; throws InputError for anything else.
Oracle oracle_named(const std::string& name);

void add_report_options(CLI::App& options, ReportOptions& report);

/// Writes the document where one is asked for.
void write_report_document(const Report& report, const ReportOptions& options);
/// Writes the document and the text that are asked for; standard output takes one of them. Returns the exit status.
int deliver(Report report, const ReportOptions& options);

}  // namespace normcheck
