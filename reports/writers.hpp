// The writers: each one function from a report to text. A new one is its function, and a line in writers.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/record.hpp"

namespace normcheck {

// One record per line: the run, then each kernel and format, finding and change, as in schema.json.
std::string to_json_lines(const Report& report);
/// For a pull request: the verdict, what failed or changed, case lines.
std::string to_markdown(const Report& report);
/// JUnit XML: a suite per kernel and format, a test case per regime.
std::string to_junit(const Report& report);
/// SARIF 2.1.0: a result per finding, change and kernel without a pass.
std::string to_sarif(const Report& report);
/// Workflow commands of GitHub Actions: an annotation per finding, change and kernel without a pass.
std::string to_annotations(const Report& report);
/// One line per kernel, format and regime.
std::string to_csv(const Report& report);
/// A page that needs nothing else; figures by gnuplot, and where that is missing the page says so.
std::string to_html(const Report& report);

/// A writer as options name it.
struct Writer {
    const char* name;
    const char* extension;  // of files that are written so; empty where none is usual
    const char* description;
    std::string (*write)(const Report& report);
};
std::span<const Writer> writers();

/// The writer of that name. Throws InputError that lists all.
const Writer& writer_named(std::string_view name);
/// The writer for a file of this name, by its extension. Throws InputError that lists all.
const Writer& writer_for_file(std::string_view file);

}  // namespace normcheck
