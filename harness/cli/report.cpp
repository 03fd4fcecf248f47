// The verb `report`: reads reports in JSON, one or several, and writes them in any other format.
#include <fmt/format.h>

#include <memory>

#include "harness/cli/report_output.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/io/atomic_file.hpp"
#include "oracles/error.hpp"
#include "reports/json.hpp"
#include "reports/merge_runs.hpp"
#include "reports/text_table.hpp"

namespace normcheck {
namespace {

struct ConvertOptions {
    std::vector<std::string> inputs;
    std::string format;
    std::string output = "-";
};

void add_options(CLI::App& app, ConvertOptions& options) {
    app.add_option("REPORT", options.inputs,
                   "reports in JSON, as verify --json writes them; several are read as one run")
        ->required()
        ->type_name("FILE");
    app.add_option("--to", options.format,
                   "the format: " + report_formats() + " (default: that of -o's extension, else text)")
        ->type_name("FORMAT")
        ->take_last();
    app.add_option("-o,--output", options.output, "write to this file; - is standard output (default)")
        ->type_name("FILE")
        ->take_last()
        ->check(can_be_written);
}

const Writer& writer_of(const ConvertOptions& options) {
    if (!options.format.empty()) return writer_named(options.format);
    return options.output == "-" ? writer_named("text") : writer_for_file(options.output);
}

NamedReport read(const std::string& file) {
    return {file, parse_report(read_file(file, largest_report), file)};
}

int convert(const ConvertOptions& options) {
    const Writer& writer = writer_of(options);
    std::vector<NamedReport> reports;
    for (const std::string& file : options.inputs) reports.push_back(read(file));
    const Report whole = merge_runs(std::move(reports));
    const Page page = output_page(0);
    const bool for_terminal = options.output == "-" && std::string_view(writer.name) == "text";
    write_document(options.output, for_terminal ? to_text(whole, page.columns, page.color) : writer.write(whole));
    return 0;
}

constexpr Example examples[] = {
    {"normcheck report rms.json", "a report of verify --json as text again"},
    {"normcheck report rms.json --to markdown", "for a pull request"},
    {"normcheck report rms.json -o rms.html", "a page with figures"},
};

}  // namespace

Verb add_report(CLI::App& app) {
    const auto options = std::make_shared<ConvertOptions>();
    CLI::App* verb =
        app.add_subcommand("report", "write reports in JSON as a page, Markdown, JUnit XML, SARIF, CSV, ...");
    add_options(*verb, *options);
    return {verb, [options](const std::string&) { return convert(*options); }, examples};
}

}  // namespace normcheck
