// The verb `compare`: tells what is worse, better or different between two reports or baselines.
#include "reports/compare.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "harness/cli/baselines.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/report_output.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"
#include "reports/collect.hpp"
#include "reports/context.hpp"
#include "reports/text_blocks.hpp"

namespace normcheck {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
    std::string base, now;
    double margin_percent = 100 * default_margin;
    bool no_rerun = false;
    int jobs = 0;
    OutsideOptions outside;
    ReportOptions report;
};

void add_options(CLI::App& app, CompareOptions& options) {
    constexpr const char* kinds = "a report in JSON, a baseline, or a folder of baselines";
    app.add_option("BASE", options.base, fmt::format("what was: {}", kinds))->required();
    app.add_option("NEW", options.now, "what is: likewise")->required();
    add_margin_option(app, options.margin_percent);
    app.add_flag("--no-rerun", options.no_rerun, "do not rerun the witnesses of BASE on the kernels that are here");
    add_jobs_option(app, options.jobs);
    add_outside_options(app, options.outside);
    add_report_options(app, options.report);
    add_report_files(app, options.report);
}

void append(std::vector<KernelReport>& records, std::vector<KernelReport> more, const std::string& file) {
    for (KernelReport& one : more) {
        if (find_record(records, one.kernel, one.format))
            throw InputError(fmt::format("{}: expected each kernel and format once, found {} {} a second time", file,
                                         one.kernel, format(one.format).name));
        records.push_back(std::move(one));
    }
}

std::vector<KernelReport> read_records(const std::string& path) {
    if (!fs::is_directory(path)) return parse_records(read_file(path, largest_report), path);
    std::vector<KernelReport> records;
    for (const std::string& kernel : kernels_with_baseline(path)) {
        const std::string file = baseline_file(path, kernel).string();
        append(records, read_baseline(path, kernel)->formats, file);
    }
    if (records.empty()) throw InputError(fmt::format("{}: expected baselines in this folder, found none", path));
    return records;
}

std::vector<KernelReport> rerun(const std::vector<KernelReport>& base, const CompareOptions& options) {
    if (options.no_rerun) return {};
    RunOptions run;
    run.threads = jobs_or_default(options.jobs, options.outside);
    run.oracle = options.report.oracle;
    return rerun_witnesses(base, run);
}

/// The kernels of `base` whose witnesses could not be rerun.
std::string not_here(const std::vector<KernelReport>& base) {
    std::string names;
    std::string last;
    for (const KernelReport& one : base) {
        if (find_kernel(one.kernel) || one.kernel == last) continue;
        last = one.kernel;
        names += (names.empty() ? "" : ", ") + one.kernel;
    }
    return names;
}

int compare_files(const CompareOptions& options, const std::string& command) {
    require_one_standard_output(options.report);
    load_outside(options.outside);
    const std::vector<KernelReport> base = read_records(options.base);
    Report report;
    report.kernels = read_records(options.now);
    for (KernelReport& kernel : report.kernels) kernel.findings = {};  // the findings themselves are not read
    report.changes = compare({base, report.kernels, rerun(base, options)}, options.margin_percent / 100);
    report.context = make_context(std::nullopt, command);
    report.strict = options.report.strict;
    write_report_document(report, options.report);
    const bool worse = std::ranges::any_of(report.changes, [](const Change& one) { return one.trend == Trend::worse; });
    if (options.report.quiet || takes_standard_output(options.report)) return worse ? 1 : 0;
    const Page page = output_page(options.report.width);
    const std::string missing = options.no_rerun ? "" : not_here(base);
    write_output(changes_text(report, page) +
                 (missing.empty() ? "" : paragraph("not rerun: ", missing + " (no such kernel here)", page)) +
                 paragraph(worse ? "worse  " : "fine   ",
                           fmt::format("{}; margin {:.3g} %; exit status {}", changes_summary(report.changes),
                                       options.margin_percent, worse ? 1 : 0),
                           page));
    return worse ? 1 : 0;
}

constexpr Example examples[] = {
    {"normcheck compare kept/cpu/rms.json rms.json",
     "what is worse in a report than in a baseline, the baseline's worst cases rerun"},
    {"normcheck compare rms.json rms.json --no-rerun", "two reports by their records alone"},
};

}  // namespace

Verb add_compare(CLI::App& app) {
    const auto options = std::make_shared<CompareOptions>();
    CLI::App* verb =
        app.add_subcommand("compare", "tell what is worse or better than in an earlier report or baseline");
    add_options(*verb, *options);
    return {verb, [options](const std::string& command) { return compare_files(*options, command); }, examples};
}

}  // namespace normcheck
