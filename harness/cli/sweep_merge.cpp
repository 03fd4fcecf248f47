// The verb `merge`: joins the results of all shards of a sweep into the result of the whole.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/sweep_text.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/sweep/result.hpp"
#include "harness/sweep/result_file.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

struct MergeOptions {
    std::vector<std::string> files;
    std::string output;
    bool quiet = false;
    int width = 0;
    OutsideOptions outside;
};

void add_options(CLI::App& app, MergeOptions& options) {
    app.add_option("FILE", options.files, "results of sweep --shard, all of them, in any order")->required();
    app.add_option("--output,--json", options.output, "write the joined result to this file")->type_name("FILE");
    app.add_flag("--quiet", options.quiet, "print nothing but errors");
    add_width_option(app, options.width);
    add_outside_options(app, options.outside);
}

/// A shard's result is not to be written over.
void require_other_output(const MergeOptions& options) {
    for (const std::string& file : options.files) {
        std::error_code none;
        if (options.output != file && !std::filesystem::equivalent(options.output, file, none)) continue;
        throw InputError(fmt::format("--output {} is one of the files to join; expected another one", options.output));
    }
}

int merge_files(const MergeOptions& options) {
    require_other_output(options);
    load_outside(options.outside);
    std::vector<NamedResult> parts;
    for (const std::string& file : options.files) parts.push_back({file, read_result(file)});
    const SweepResult whole = join(parts);
    if (!options.output.empty()) write_document(options.output, to_json_text(whole));
    if (!options.quiet && options.output != "-")
        write_output(sweep_text(whole, std::nullopt, output_page(options.width)));
    return exit_status(whole);
}

constexpr Example examples[] = {
    {"normcheck merge part1.json part2.json", "the result of both shards; tells if one is missing"},
    {"normcheck merge part1.json part2.json --output whole.json", "the same, kept"},
};

}  // namespace

Verb add_merge(CLI::App& app) {
    const auto options = std::make_shared<MergeOptions>();
    CLI::App* verb = app.add_subcommand("merge", "join the results of all shards of a sweep");
    add_options(*verb, *options);
    return {verb, [options](const std::string&) { return merge_files(*options); }, examples};
}

}  // namespace normcheck
