// Delivery of reports; see report_output.hpp.
#include "harness/cli/report_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "harness/cli/option_values.hpp"
#include "harness/cli/terminal.hpp"
#include "oracles/error.hpp"
#include "reports/json.hpp"
#include "reports/text_table.hpp"
#include "reports/verdict.hpp"

namespace normcheck {

std::string can_be_written(const std::string& file) {
    if (file.empty()) return "the name is empty; expected a file or -";
    if (file == "-") return "";
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (std::filesystem::is_directory(file)) return file + " is a folder; expected a file";
    if (access(folder.c_str(), W_OK) == 0) return "";
    return fmt::format("cannot write to {}: {}", folder.string(), std::strerror(errno));
}

ReportFile read_report_file(const std::string& words) {
    const size_t colon = words.find(':');
    const std::string before = words.substr(0, colon == words.npos ? 0 : colon);
    const auto named =
        std::ranges::find(writers(), before, [](const Writer& writer) { return std::string(writer.name); });
    const bool has_name = colon != words.npos && named != writers().end();
    ReportFile result{has_name ? &*named : &writer_for_file(words), has_name ? words.substr(colon + 1) : words};
    if (const std::string problem = can_be_written(result.file); !problem.empty()) throw InputError(problem);
    return result;
}

std::string report_formats() {
    std::string result;
    for (const Writer& writer : writers()) {
        const std::string extension = *writer.extension == '\0' ? "" : fmt::format(" ({})", writer.extension);
        result += (result.empty() ? "" : ", ") + std::string(writer.name) + extension;
    }
    return result;
}

Oracle oracle_named(const std::string& name) {
    if (name == "certified") return Oracle::certified;
    if (name == "exact") return Oracle::exact;
    throw InputError(fmt::format("--oracle: there is no oracle '{}'; expected certified or exact", name));
}

void add_report_options(CLI::App& options, ReportOptions& report) {
    options.add_option("--json,--output", report.json, "write the report as JSON to this file; - is standard output")
        ->type_name("FILE")
        ->take_last()
        ->check(can_be_written);
    options
        .add_option_function<std::string>(
            "--oracle", [&report](const std::string& name) { report.oracle = oracle_named(name); },
            "certified (default): fast, and leaves to the exact one what it cannot decide; or exact alone")
        ->type_name("NAME")
        ->take_last();
    options.add_flag("--strict", report.strict, "exit with 1 where a row is suspect");
    options.add_flag("--quiet", report.quiet, "print no text; the exit status and --json tell the result");
    add_width_option(options, report.width);
}

void add_report_files(CLI::App& options, ReportOptions& report) {
    options
        .add_option_function<std::vector<std::string>>(
            "--report",
            [&report](const std::vector<std::string>& files) {
                for (const std::string& words : files) report.files.push_back(read_report_file(words));
            },
            "write the report to this file too, in the format of its extension or as FORMAT:FILE; may be repeated. "
            "Formats: " +
                report_formats())
        ->type_name("FILE")
        ->expected(1)
        ->take_all();
}

void require_one_standard_output(const ReportOptions& options) {
    const auto on_output = std::ranges::count(options.files, "-", &ReportFile::file) + (options.json == "-" ? 1 : 0);
    if (on_output > 1)
        throw InputError(
            fmt::format("standard output takes one report; expected one of them on -, found {}", on_output));
}

bool takes_standard_output(const ReportOptions& options) {
    return options.json == "-" ||
           std::ranges::any_of(options.files, [](const ReportFile& one) { return one.file == "-"; });
}

void write_report_document(const Report& report, const ReportOptions& options) {
    if (!options.json.empty()) write_document(options.json, to_json_text(report));
    for (const ReportFile& one : options.files) write_document(one.file, one.writer->write(report));
}

int deliver(Report report, const ReportOptions& options) {
    report.strict = options.strict;
    write_report_document(report, options);
    const Page page = output_page(options.width);
    if (!options.quiet && !takes_standard_output(options)) write_output(to_text(report, page.columns, page.color));
    return exit_status(report);
}

}  // namespace normcheck
