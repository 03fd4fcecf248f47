// Baselines as a user meets them: written, held against, improved, and a kernel that was swapped for a worse one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

namespace fs = std::filesystem;

const std::string plugin = NORMCHECK_PLANTED_PLUGIN;

std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A run of some cases of a kernel, and of the same ones whenever it is asked for.
Ran few_cases(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--cases", "60"});
    return run_program(arguments);
}

Ran hold(const Folder& folder, const std::string& kernel, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"verify", kernel, "--baseline", "--baselines", folder / "b"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return few_cases(std::move(arguments));
}

void write_baseline(const Folder& folder, const std::string& kernel) {
    const Ran ran = few_cases({"baseline", kernel, "--baselines", folder / "b"});
    ASSERT_EQ(ran.status, 0) << ran.errors;
}

TEST(BaselineVerb, writes_what_a_run_is_held_to) {
    const Folder folder;
    const Ran ran = few_cases({"baseline", "cpu/rms", "cpu/layer_f64", "--baselines", folder / "b"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "pass  cpu/rms ")) << ran.output;
    EXPECT_TRUE(contains(ran.output, " regimes: new\n")) << ran.output;
    EXPECT_TRUE(fs::exists(folder / "b/cpu/rms.json"));
    EXPECT_TRUE(fs::exists(folder / "b/cpu/layer_f64.json"));
    const std::string before = content(folder / "b/cpu/rms.json");
    const Ran again = few_cases({"baseline", "cpu/rms", "--baselines", folder / "b", "--jobs", "1"});
    EXPECT_TRUE(contains(again.output, " regimes: unchanged\n")) << again.output;
    EXPECT_EQ(content(folder / "b/cpu/rms.json"), before);

    const Ran held = hold(folder, "cpu/rms", {"--quiet"});
    EXPECT_EQ(held.status, 0) << held.errors;
    EXPECT_TRUE(contains(held.errors, "baselines: 1 kernel compared with ")) << held.errors;
    EXPECT_TRUE(contains(held.errors, "margin 5 %: nothing changed")) << held.errors;
}

TEST(VerifyBaseline, fails_where_an_error_grew_and_names_regime_and_case) {
    const Folder folder;
    write_baseline(folder, "cpu/rms");
    const std::string file = folder / "b/cpu/rms.json", text = content(file);
    // The first error in the file, made ten times smaller than the kernel's.
    const size_t value = text.find("\"value\": ", text.find("\"row_error\"")) + 9, end = text.find('\n', value);
    write(file, text.substr(0, value) + "0.01" + text.substr(end));
    const Ran ran = hold(folder, "cpu/rms", {"--width", "160", "--report", "markdown:" + (folder / "c.md")});
    EXPECT_EQ(ran.status, 1) << ran.output;
    EXPECT_TRUE(contains(ran.errors, "1 worse")) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "worse  cpu/rms f32, ")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "rows: largest row error 0.01000 -> ")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "more than the margin of 5 %")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "'kernel=cpu/rms ")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "\nworse  ")) << ran.output;  // the last line, though every row passes
    EXPECT_TRUE(contains(content(folder / "c.md"), "- **worse** `cpu/rms f32, ")) << content(folder / "c.md");
    // On other inputs the witness shows it.
    const Ran other = hold(folder, "cpu/rms", {"--seed", "9"});
    EXPECT_EQ(other.status, 1) << other.output;
    EXPECT_TRUE(contains(other.output, "ran other inputs than the baseline")) << other.output;
    // And a margin that is wide enough admits it.
    EXPECT_EQ(hold(folder, "cpu/rms", {"--margin", "1e6"}).status, 0);
}

TEST(VerifyBaseline, update_records_what_is_better_and_nothing_worse) {
    const Folder folder;
    EXPECT_EQ(hold(folder, "cpu/rms", {"--update"}).status, 0);
    const std::string file = folder / "b/cpu/rms.json", text = content(file);
    const size_t value = text.find("\"value\": ", text.find("\"row_error\"")) + 9, end = text.find('\n', value);
    const std::string better = text.substr(0, value) + "99" + text.substr(end);
    write(file, better);
    const Ran shown = hold(folder, "cpu/rms");
    EXPECT_EQ(shown.status, 0) << shown.errors;
    EXPECT_TRUE(contains(shown.output, "better cpu/rms f32")) << shown.output;
    EXPECT_EQ(content(file), better);
    const Ran updated = hold(folder, "cpu/rms", {"--update"});
    EXPECT_EQ(updated.status, 0);
    EXPECT_TRUE(contains(updated.errors, "rms.json is updated")) << updated.errors;
    EXPECT_EQ(content(file), text);

    const std::string worse = text.substr(0, value) + "0.01" + text.substr(end);
    write(file, worse);
    const Ran refused = hold(folder, "cpu/rms", {"--update"});
    EXPECT_EQ(refused.status, 1);
    EXPECT_TRUE(
        contains(refused.errors, "stays as it was: something is worse; `normcheck baseline cpu/rms` accepts it"))
        << refused.errors;
    EXPECT_EQ(content(file), worse);

    write(file, text);
    const Ran other = hold(folder, "cpu/rms", {"--update", "--seed", "9"});
    EXPECT_EQ(other.status, 0);
    EXPECT_TRUE(contains(other.errors, "stays as it was: it ran other inputs")) << other.errors;
}

TEST(VerifyBaseline, misses_a_kernel_that_is_gone_and_another_contract) {
    const Folder folder;
    write_baseline(folder, "cpu/rms");
    const std::string file = folder / "b/cpu/rms.json", text = content(file);
    write(folder / "b/cpu/rms_gone.json", replaced(text, "\"cpu/rms\"", "\"cpu/rms_gone\""));
    write(file, replaced(text, "\"contract\": \"rms ", "\"contract\": \"rms eps=0 "));
    const Ran ran = hold(folder, "cpu/rms*", {"--formats", "f32"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(contains(ran.output, "worse  cpu/rms_gone f32: coverage: it is gone")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "worse  cpu/rms f32: the contract is another one: 'rms eps=0 ")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "other  cpu/rms_composed f32: it is new")) << ran.output;
}

TEST(VerifyBaseline, sees_a_narrower_plan_as_less_coverage) {
    const Folder folder;
    write_baseline(folder, "cpu/rms");
    const Ran ran = run_program({"verify", "cpu/rms", "--baseline", "--baselines", folder / "b", "--cases", "9"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(contains(ran.output, "coverage: ")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "was asked 9 cases where the baseline has ")) << ran.output;  // which is why
}

/// A correct kernel, swapped for one that rounds once more.
TEST(Compare, names_the_regime_and_the_case_of_doubled_rounding) {
    const Folder folder;
    const auto report = [&](const std::string& name) {
        return few_cases(
            {"verify", "planted/rms", "planted/rms_f32", "--plugin", plugin, "--quiet", "--json", folder / name});
    };
    EXPECT_EQ(report("base.json").status, 0);
    setenv("NORMCHECK_PLANTED", "rounds_twice", 1);
    EXPECT_EQ(report("new.json").status, 1);
    const Ran rerun = run_program({"compare", folder / "base.json", folder / "base.json", "--plugin", plugin});
    unsetenv("NORMCHECK_PLANTED");
    const Ran ran = run_program({"compare", folder / "base.json", folder / "new.json", "--width", "160"});
    EXPECT_EQ(ran.status, 1) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "worse  planted/rms f32: verdict pass -> fail")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "worse  planted/rms_f32 f32, ordinary rows: largest row error 0.5000 -> "))
        << ran.output;
    EXPECT_TRUE(contains(ran.output, "'kernel=planted/rms_f32 ")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "not rerun: planted/rms, planted/rms_f32")) << ran.output;
    // Two equal documents hide it; the witnesses do not.
    EXPECT_EQ(rerun.status, 1) << rerun.output;
    EXPECT_TRUE(contains(rerun.output, "worse  planted/rms_f32 f32, ")) << rerun.output;
    EXPECT_EQ(run_program({"compare", folder / "base.json", folder / "base.json"}).status, 0);
}

TEST(Compare, takes_folders_and_single_files) {
    const Folder folder;
    write_baseline(folder, "cpu/rms");
    const Ran ran = run_program({"compare", folder / "b", folder / "b/cpu/rms.json"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "fine   nothing changed; margin 5 %; exit status 0")) << ran.output;
}

TEST(Baselines, bad_input_is_named) {
    const Folder folder;
    fs::create_directories(folder / "b/cpu");
    const auto error_of = [](const Ran& ran) {
        EXPECT_EQ(ran.status, 2) << ran.output;
        return ran.errors;
    };
    EXPECT_TRUE(contains(error_of(hold(folder, "cpu/rms")), "--baseline: there is none in ")) << "an empty folder";
    write(folder / "b/cpu/rms.json", "{\"baseline\": 1");
    EXPECT_TRUE(contains(error_of(hold(folder, "cpu/rms")), "rms.json: line 1, column "));
    write(folder / "b/cpu/rms.json", "{\"baseline\": 1, \"kernel\": \"cpu/other\", \"formats\": []}");
    EXPECT_TRUE(contains(error_of(hold(folder, "cpu/rms")), "/formats: expected a format at least"));
    write_baseline(folder, "cpu/rms");
    const std::string file = folder / "b/cpu/rms.json", text = content(file);
    write(file, replaced(text, "\"kernel\": \"cpu/rms\"", "\"kernel\": \"cpu/other\""));
    EXPECT_TRUE(
        contains(error_of(hold(folder, "cpu/rms")), "expected the baseline of cpu/rms, found that of cpu/other"));
    write(file, replaced(text, "\"case\": \"kernel=cpu/rms", "\"case\": \"kernel=cpu/rms fill=nothing_known"));
    EXPECT_TRUE(contains(error_of(hold(folder, "cpu/rms")), "a witness of cpu/rms f32 is no case: "));
    EXPECT_TRUE(contains(error_of(run_program({"compare", folder / "b", folder / "nowhere.json"})), "nowhere.json"));
    EXPECT_TRUE(contains(error_of(run_program({"compare", folder / "b", folder / "b/cpu/rms.json", "--margin", "-1"})),
                         "--margin"));
    EXPECT_TRUE(contains(error_of(run_program({"verify", "cpu/rms", "--update"})), "--baseline"));
    EXPECT_TRUE(contains(error_of(run_program({"baseline", "cpu/nothing"})), "cpu/nothing"));
}

}  // namespace
}  // namespace normcheck
