// Baseline files, and runs held against them; see baselines.hpp.
#include "harness/cli/baselines.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "harness/cli/option_values.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"
#include "reports/collect.hpp"
#include "reports/numbers.hpp"
#include "reports/text_blocks.hpp"

namespace normcheck {
namespace {

namespace fs = std::filesystem;

/// A baseline is some 20 KiB.
constexpr uint64_t largest_baseline = uint64_t{1} << 26;

fs::path folder_of(const BaselineOptions& options) {
    return options.folder.empty() ? baseline_folder : options.folder;
}

std::string namespace_of(const std::string& kernel) {
    return kernel.substr(0, kernel.find('/'));
}

/// Whether a baseline's kernel is among those that were asked for.
bool is_asked(const std::string& kernel, const Asked& asked, const Report& report) {
    const auto fits = [&](const std::string& pattern) { return fnmatch(pattern.c_str(), kernel.c_str(), 0) == 0; };
    if (!asked.patterns.empty()) return std::ranges::any_of(asked.patterns, fits);
    return std::ranges::any_of(
        report.kernels, [&](const KernelReport& one) { return namespace_of(one.kernel) == namespace_of(kernel); });
}

std::vector<KernelReport> records_of(const Report& report, const std::string& kernel) {
    std::vector<KernelReport> result;
    for (const KernelReport& one : report.kernels)
        if (one.kernel == kernel) result.push_back(one);
    return result;
}

/// The formats that were asked for, or that the kernel no longer takes: those are missed.
void keep_asked(Baseline& baseline, const Asked& asked) {
    if (asked.formats.empty()) return;
    std::erase_if(baseline.formats, [&](const KernelReport& one) {
        return std::ranges::find(asked.formats, one.format) == asked.formats.end();
    });
}

/// The kernels of the report, in its order, then those that only baselines have.
std::vector<std::string> kernels_to_compare(const Report& report, const Asked& asked, const fs::path& folder) {
    std::vector<std::string> result;
    const auto add = [&](const std::string& kernel) {
        if (std::ranges::find(result, kernel) == result.end()) result.push_back(kernel);
    };
    for (const KernelReport& one : report.kernels) add(one.kernel);
    for (const std::string& kernel : kernels_with_baseline(folder))
        if (!find_kernel(kernel) && is_asked(kernel, asked, report)) add(kernel);
    return result;
}

bool is_worse(const Change& change) {
    return change.trend == Trend::worse;
}

/// The kernel's formats that were not run stay as they are.
Baseline with_formats_of(Baseline updated, const std::optional<Baseline>& base) {
    if (!base) return updated;
    for (const KernelReport& one : base->formats)
        if (!find_record(updated.formats, one.kernel, one.format)) updated.formats.push_back(one);
    std::ranges::sort(updated.formats, {}, &KernelReport::format);
    return updated;
}

/// Why what is better cannot be recorded; empty where it can.
std::string why_not_recorded(const std::optional<Baseline>& base, const std::vector<KernelReport>& now,
                             const std::vector<Change>& changes) {
    if (now.empty()) return "the kernel is gone";
    if (std::ranges::any_of(changes, is_worse))
        return fmt::format("something is worse; `normcheck baseline {}` accepts it", now[0].kernel);
    for (const KernelReport& one : now) {
        if (one.skipped_cases > 0) return "cases were skipped";
        const KernelReport* before = base ? find_record(base->formats, one.kernel, one.format) : nullptr;
        if (before && before->inputs != one.inputs)
            return fmt::format("it ran other inputs; `normcheck baseline {}` makes it anew", one.kernel);
    }
    return "";
}

void update(const fs::path& folder, const std::string& kernel, const std::optional<Baseline>& base,
            const std::vector<KernelReport>& now, const std::vector<Change>& changes) {
    const std::string file = baseline_file(folder, kernel).string();
    if (const std::string why = why_not_recorded(base, now, changes); !why.empty()) {
        fmt::print(stderr, "baselines: {} stays as it was: {}\n", file, why);
        return;
    }
    const std::vector<KernelReport> before = base ? base->formats : std::vector<KernelReport>{};
    const Baseline updated = with_formats_of({kernel, improved(before, now)}, base);
    if (const Written written = write_baseline(folder, updated); written != Written::unchanged)
        fmt::print(stderr, "baselines: {} {}\n", file, written == Written::created ? "is new" : "is updated");
}

}  // namespace

fs::path baseline_file(const fs::path& folder, const std::string& kernel) {
    for (const fs::path& part : fs::path(kernel))
        if (part.empty() || part == "." || part == ".." || part == "/")
            throw InputError(fmt::format("'{}' names no file of a baseline; expected NAMESPACE/NAME", kernel));
    return folder / (kernel + ".json");
}

std::vector<std::string> kernels_with_baseline(const fs::path& folder) {
    std::vector<std::string> result;
    if (!fs::is_directory(folder)) return result;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().extension() == ".json")
            result.push_back(fs::relative(entry.path(), folder).replace_extension().generic_string());
    std::ranges::sort(result);
    return result;
}

std::optional<Baseline> read_baseline(const fs::path& folder, const std::string& kernel) {
    const fs::path file = baseline_file(folder, kernel);
    if (!fs::exists(file)) return std::nullopt;
    Baseline baseline = parse_baseline(read_file(file, largest_baseline), file.string());
    if (baseline.kernel != kernel)
        throw InputError(
            fmt::format("{}: expected the baseline of {}, found that of {}", file.string(), kernel, baseline.kernel));
    return baseline;
}

Written write_baseline(const fs::path& folder, const Baseline& baseline) {
    const fs::path file = baseline_file(folder, baseline.kernel);
    const std::string text = to_baseline_text(baseline);
    const bool exists = fs::exists(file);
    if (exists && read_file(file, largest_baseline) == text) return Written::unchanged;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error)
        throw InputError(fmt::format("cannot make the folder {}: {}", file.parent_path().string(), error.message()));
    write_file_atomically(file, text);
    return exists ? Written::replaced : Written::created;
}

void add_margin_option(CLI::App& app, double& percent) {
    app.add_option("--margin", percent,
                   fmt::format("largest errors may grow by so many percent (default {:.3g})", 100 * default_margin))
        ->type_name("PERCENT")
        ->check(number_from_zero());
}

void add_baseline_options(CLI::App& app, BaselineOptions& options) {
    constexpr const char* group = "Baselines";
    CLI::Option* compare = app.add_flag("--baseline", options.compare,
                                        "compare with the kernels' baselines: exit with 1 where one is worse")
                               ->group(group);
    app.add_option("--baselines", options.folder, fmt::format("where baselines are (default {})", baseline_folder))
        ->type_name("FOLDER")
        ->needs(compare)
        ->group(group);
    app.add_flag("--update", options.update, "record in the baselines what is better or new")
        ->needs(compare)
        ->group(group);
    add_margin_option(app, options.margin_percent);
    app.get_option("--margin")->needs(compare)->group(group);
}

std::string changes_summary(const std::vector<Change>& changes) {
    std::string result;
    for (const Trend trend : {Trend::worse, Trend::better, Trend::other}) {
        const auto number = std::ranges::count(changes, trend, &Change::trend);
        if (number > 0) result += fmt::format("{}{} {}", result.empty() ? "" : ", ", number, name(trend));
    }
    return result.empty() ? "nothing changed" : result;
}

void require_baselines(const BaselineOptions& options) {
    const fs::path folder = folder_of(options);
    if (!options.compare || options.update || !kernels_with_baseline(folder).empty()) return;
    throw InputError(
        fmt::format("--baseline: there is none in {}; `normcheck baseline` writes them, or expected "
                    "another --baselines FOLDER",
                    folder.string()));
}

void hold_against_baselines(Report& report, const Asked& asked, const BaselineOptions& options, const RunOptions& run) {
    const fs::path folder = folder_of(options);
    int64_t compared = 0;
    for (const std::string& kernel : kernels_to_compare(report, asked, folder)) {
        std::optional<Baseline> base = read_baseline(folder, kernel);
        Baseline held = base.value_or(Baseline{kernel, {}});
        keep_asked(held, asked);
        const std::vector<KernelReport> now = records_of(report, kernel);
        std::vector<Change> changes =
            compare({held.formats, now, rerun_witnesses(held.formats, run)}, options.margin_percent / 100);
        add_cases(changes, report.findings);
        report.changes.insert(report.changes.end(), changes.begin(), changes.end());
        compared += base ? 1 : 0;
        if (options.update) update(folder, kernel, base, now, changes);
    }
    fmt::print(stderr, "baselines: {} compared with {}, margin {:.3g} %: {}\n",
               show_count(static_cast<uint64_t>(compared), "kernel", "kernels"), folder.string(),
               options.margin_percent, changes_summary(report.changes));
}

}  // namespace normcheck
