// Delivery of reports; see report_output.hpp.
#include "harness/cli/report_output.hpp"

#include "harness/cli/terminal.hpp"
#include "reports/json.hpp"
#include "reports/text_table.hpp"
#include "reports/verdict.hpp"

namespace normcheck {

void add_report_options(CLI::App& options, ReportOptions& report) {
    options.add_option("--json", report.json, "write the report as JSON to this file; - is standard output")
        ->type_name("FILE");
    options.add_flag("--strict", report.strict, "exit with 1 where a row is suspect");
    options.add_flag("--quiet", report.quiet, "print no text; the exit status and --json tell the result");
    options.add_option("--width", report.width, "columns of the text (default: the terminal's, 80 elsewhere)")
        ->type_name("N")
        ->check(CLI::Range(40, 1000));
}

void write_report_document(const Report& report, const ReportOptions& options) {
    if (!options.json.empty()) write_document(options.json, to_json_text(report));
}

int deliver(Report report, const ReportOptions& options) {
    report.strict = options.strict;
    write_report_document(report, options);
    const Page page = output_page(options.width);
    if (!options.quiet && options.json != "-") write_output(to_text(report, page.columns, page.color));
    return exit_status(report);
}

}  // namespace normcheck
