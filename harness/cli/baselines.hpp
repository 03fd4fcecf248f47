// Baselines as files, one per kernel, and a run held against them: what `baseline`, `compare` and `verify` share.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/run_plan.hpp"
#include "reports/baseline.hpp"
#include "reports/compare.hpp"

namespace normcheck {

constexpr const char* baseline_folder = "reports/baselines";

/// FOLDER/KERNEL.json, as in reports/baselines/cpu/rms.json. Throws InputError where the name would lead out of there.
std::filesystem::path baseline_file(const std::filesystem::path& folder, const std::string& kernel);

/// The kernels that have a baseline in the folder, sorted; none where there is no folder.
std::vector<std::string> kernels_with_baseline(const std::filesystem::path& folder);

/// The kernel's baseline; nothing where there is none. Throws InputError where the file is no baseline, or of another
/// kernel.
std::optional<Baseline> read_baseline(const std::filesystem::path& folder, const std::string& kernel);

enum class Written : uint8_t { unchanged, created, replaced };
/// Writes the kernel's file, and the folders that it takes, unless it says that already.
Written write_baseline(const std::filesystem::path& folder, const Baseline& baseline);

/// The options of a run that is held against baselines.
struct BaselineOptions {
    bool compare = false;
    bool update = false;
    std::string folder;  // empty: baseline_folder
    double margin_percent = 100 * default_margin;
};
void add_baseline_options(CLI::App& app, BaselineOptions& options);
/// --margin alone.
void add_margin_option(CLI::App& app, double& percent);

/// Throws InputError where a comparison is asked for and there is no baseline at all: said before a long run.
void require_baselines(const BaselineOptions& options);

/// Which kernels were asked for: those of the patterns, or where there are none, of the namespaces of the report.
/// `formats`: those that were asked for; empty for all.
struct Asked {
    std::vector<std::string> patterns;
    std::vector<FormatId> formats;
};

/// Reruns the witnesses of the kernels' baselines, fills in report.changes, records what is better where that is asked
/// for, and says on standard error in a line or two what was compared. `run`: as for the run itself. Throws InputError
/// where a file is no baseline.
void hold_against_baselines(Report& report, const Asked& asked, const BaselineOptions& options, const RunOptions& run);

/// "2 worse, 1 better, 3 other", or "nothing changed".
std::string changes_summary(const std::vector<Change>& changes);

}  // namespace normcheck
