// Kernels from outside, as a user meets them: good plug-ins, plug-ins that are none, and kernels that end, hang or
// spoil their process.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/check/check.hpp"
#include "harness/check/corpus.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

const std::string plugin = NORMCHECK_PLANTED_PLUGIN;

/// Sets a variable of the environment while it lives.
class Variable {
  public:
    Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
};

/// A sanitizer would end a process that crashes by an exit of its own.
const Variable plain_crashes("ASAN_OPTIONS", "handle_segv=0");

Ran case_of(const std::string& kernel, const std::string& words, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"case", "kernel=planted/" + kernel + ' ' + words, "--plugin", plugin};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
}

/// A case that breaks a rule: exit status 1 and the rule told; and the same kernel passes elsewhere.
void expect_broken(const std::string& kernel, const std::string& rule, const std::vector<std::string>& more = {}) {
    const Ran broken = case_of(kernel, "rows=2 cols=257", more);
    EXPECT_EQ(broken.status, 1) << kernel << broken.output << broken.errors;
    EXPECT_TRUE(contains(broken.output, "broken    " + rule)) << kernel << broken.output;
    const Ran fine = case_of(kernel, "rows=2 cols=256", more);
    EXPECT_EQ(fine.status, 0) << kernel << fine.output << fine.errors;
}

TEST(Plugin, is_verified_and_told_how_to_rerun_a_case) {
    const Ran ran = run_program({"verify", "--plugin", plugin, "planted/rms", "--cases", "40", "--properties", "none"});
    EXPECT_EQ(ran.status, 0) << ran.output << ran.errors;
    EXPECT_TRUE(contains(ran.output, "pass  planted/rms f32")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "normcheck case 'LINE' --plugin")) << ran.output;
}

TEST(Plugin, is_named_in_the_commands_that_written_reports_print) {
    const Folder folder;
    const Ran ran =
        run_program({"verify", "planted/past_end", "--plugin", plugin, "--formats", "f32", "--cases", "30",
                     "--call-limit", "3", "--quiet", "--json", folder / "r.json", "--report", folder / "r.md"});
    EXPECT_EQ(ran.status, 1) << ran.errors;
    const std::string options = "--explain --plugin " + plugin + " --call-limit 3\n";
    const auto holds = [&](const std::string& path) {
        std::ifstream file(path);
        return contains({std::istreambuf_iterator<char>(file), {}}, options);
    };
    EXPECT_TRUE(holds(folder / "r.md"));
    EXPECT_EQ(run_program({"report", folder / "r.json", "-o", folder / "again.md"}).status, 0);
    EXPECT_TRUE(holds(folder / "again.md"));
}

TEST(Plugin, alone_is_chosen_where_no_kernel_is_named) {
    const Ran ran = run_program({"list", "kernels", "--plugin", plugin});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "planted/rms"));
    EXPECT_TRUE(contains(ran.output, "is right"));
    EXPECT_FALSE(contains(ran.output, "cpu/rms"));
}

TEST(Plugin, gives_the_same_answers_in_a_host_and_in_this_process) {
    const Ran hosted = case_of("rms", "rows=3 cols=65 pitch=3 offset=1"),
              here = case_of("rms", "rows=3 cols=65 pitch=3 offset=1", {"--in-process"});
    EXPECT_EQ(hosted.status, 0) << hosted.output;
    EXPECT_EQ(hosted.output, here.output);
}

TEST(Plugin, may_be_given_another_namespace_and_may_not_take_a_name_that_is_there) {
    EXPECT_EQ(run_program({"case", "kernel=mine/rms cols=3", "--plugin", "mine=" + plugin}).status, 0);
    const Ran twice = run_program({"list", "kernels", "--plugin", plugin, "--plugin", plugin});
    EXPECT_EQ(twice.status, 2);
    EXPECT_TRUE(contains(twice.errors, "planted/rms has the name of the kernel of plug-in")) << twice.errors;
    const Ran built_in = run_program({"list", "kernels", "--plugin", "cpu=" + plugin});
    EXPECT_EQ(built_in.status, 2);
    EXPECT_TRUE(contains(built_in.errors, "its namespace would be cpu, as of built-in kernels")) << built_in.errors;
    const Ran empty = run_program({"list", "kernels", "--exec", " "});
    EXPECT_EQ(empty.status, 2);
    EXPECT_TRUE(contains(empty.errors, "it is empty; expected a command")) << empty.errors;
}

TEST(Plugin, runs_through_the_other_verbs) {
    const Folder folder;
    const Ran minimized = run_program({"minimize", "kernel=planted/crash rows=3 cols=257", "--plugin", plugin});
    EXPECT_EQ(minimized.status, 0) << minimized.errors;
    EXPECT_TRUE(contains(minimized.output, "the kernel crashed (SIGSEGV)")) << minimized.output;
    EXPECT_EQ(run_program({"export", "kernel=planted/rms cols=3", "--plugin", plugin, "-o", folder / "x"}).status, 0);
    for (const char* place : {"", "--in-process"}) {
        std::vector<std::string> words{"sweep",    "planted/rms", "--plugin", plugin,
                                       "--format", "f32",         "--shard",  "1/100000"};
        if (*place != 0) words.emplace_back(place);
        const Ran swept = run_program(words);
        EXPECT_EQ(swept.status, 0) << swept.output << swept.errors;
    }
}

TEST(Plugin, is_examined_like_a_fault_or_held_to_be_correct) {
    const auto detect = [](const std::string& kernel, const std::vector<std::string>& more) {
        std::vector<std::string> words{"detect", kernel, "--plugin", plugin, "--quick", "--time", "3"};
        words.insert(words.end(), more.begin(), more.end());
        return run_program(words);
    };
    const Ran caught = detect("planted/past_end", {});
    EXPECT_EQ(caught.status, 0) << caught.output << caught.errors;
    EXPECT_TRUE(contains(caught.output, "1 of 1 caught by verify")) << caught.output;
    EXPECT_TRUE(contains(caught.output, "kernels  1 of 1")) << caught.output;
    EXPECT_TRUE(contains(caught.output, "caught  planted/past_end, case")) << caught.output;
    EXPECT_FALSE(contains(caught.output, "accused") || contains(caught.output, "fault")) << caught.output;
    const Ran not_caught = detect("planted/rms", {});
    EXPECT_EQ(not_caught.status, 1);
    EXPECT_TRUE(contains(not_caught.output, "not caught  planted/rms, cases")) << not_caught.output;
    EXPECT_FALSE(contains(not_caught.output, "missed")) << not_caught.output;
    const Ran correct = run_program({"detect", "--plugin", NORMCHECK_EXAMPLE_PLUGIN, "--only-correct"});
    EXPECT_EQ(correct.status, 0) << correct.output << correct.errors;
    EXPECT_TRUE(contains(correct.output, "0 of 1 accused")) << correct.output;
}

TEST(Plugin, has_its_case_promoted_to_a_built_in_kernel_under_its_own_contract) {
    const Folder folder;
    const std::string file = folder / "own.cases";
    write_file_atomically(file, "# ours\n");
    const Ran ran = run_program(
        {"promote", "kernel=rms/plain cols=5 eps=1e-3", "--plugin", NORMCHECK_EXAMPLE_PLUGIN, "--file", file});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "contract: rms eps=0.001 reduce=sequential in_place=yes\n")) << ran.output;
    const std::vector<CorpusLine> lines = read_corpus(file);
    ASSERT_EQ(lines.size(), 1U);
    const nc_kernel* kernel = find_kernel(lines[0].call.kernel);
    ASSERT_NE(kernel, nullptr) << lines[0].call.kernel;
    EXPECT_EQ(print(case_contract(kernel, lines[0].call)), "rms eps=0.001 reduce=sequential in_place=yes");
    EXPECT_EQ(run_program({"case", print(lines[0].call)}).status, 0) << print(lines[0].call);
}

struct Bad {
    const char* planted;
    const char* message;
};
constexpr Bad bad_libraries[] = {
    {"null_table", "normcheck_plugin() returned no table"},
    {"old_version", "it was built with version 1 of normcheck.h; expected version 2"},
    {"no_kernels", "it has 0 kernels; expected 1 to 1000"},
    {"absurd_count", "it has 4000000000 kernels; expected 1 to 1000"},
    {"null_kernels", "its table has no kernels"},
    {"wild_kernels", "before it said hello, its process crashed (SIGSEGV)"},
    {"null_name", "kernel 1 has no name"},
    {"empty_name", "it has the name '' for a kernel"},
    {"hostile_name", "it has the name 'a?[31m kernel=b' for a kernel"},
    {"slash_in_name", "it has the name '../rms' for a kernel"},
    {"long_name", "kernel 1 has a name of more than 64 bytes"},
    {"same_name", "it has two kernels named 'rms'"},
    {"null_contract", "kernel 1 has no contract"},
    {"long_contract", "kernel 1 has a contract of more than 1000 bytes"},
    {"lying_contract", "kernel 'crash_on_value' declares the contract 'rms gamma=maybe', which cannot be read"},
    {"null_run", "kernel 'crash_on_value' has no run"},
    {"no_format", "kernel 'crash_on_value' takes no format of x"},
    {"unknown_format", "kernel 'crash_on_value' supports 0x100002"},
    {"crash_at_load", "before it said hello, its process crashed (SIGSEGV)"},
    {"exit_at_load", "its process ended with exit status 9; its last lines: 'no licence found', 'please call us'"},
    {"hang_at_load", "its process did not say hello within 0.5 s"},
};

TEST(Plugin, that_is_none_is_one_clear_error) {
    for (const Bad& bad : bad_libraries) {
        const Variable planted("NORMCHECK_PLANTED", bad.planted);
        const Ran ran = run_program({"verify", "--plugin", plugin, "--start-limit", "0.5"});
        EXPECT_EQ(ran.status, 2) << bad.planted << ran.output;
        EXPECT_TRUE(contains(ran.errors, "normcheck: plug-in " + plugin + ": ")) << bad.planted << ran.errors;
        EXPECT_TRUE(contains(ran.errors, bad.message)) << bad.planted << ran.errors;
    }
}

TEST(Plugin, whose_table_is_wrong_is_the_same_error_in_this_process) {
    for (const char* planted : {"old_version", "same_name", "lying_contract", "null_run"}) {
        const Variable variable("NORMCHECK_PLANTED", planted);
        const Ran ran = run_program({"verify", "--plugin", plugin, "--in-process"});
        EXPECT_EQ(ran.status, 2) << planted;
        EXPECT_TRUE(contains(ran.errors, "normcheck: plug-in " + plugin + ": ")) << ran.errors;
    }
}

TEST(Plugin, that_is_no_library_is_named) {
    const Folder folder;
    std::ofstream(folder / "text.so") << "no library\n";
    const auto error_of = [](const std::string& path) {
        const Ran ran = run_program({"verify", "--plugin", path});
        EXPECT_EQ(ran.status, 2);
        return ran.errors;
    };
    EXPECT_TRUE(contains(error_of(folder / "none.so"), "there is no such file; expected a shared library"));
    EXPECT_TRUE(contains(error_of(folder / ""), "it is no regular file"));
    EXPECT_TRUE(contains(error_of(folder / "text.so"), "it cannot be loaded: "));
    EXPECT_TRUE(contains(error_of(NORMCHECK_EMPTY_LIBRARY), "it exports no function normcheck_plugin"));
}

TEST(Plugin, that_ends_its_process_breaks_a_rule_of_one_case) {
    expect_broken("crash", "the kernel crashed (SIGSEGV)");
    expect_broken("exit", "the kernel ended its process with exit status 3");
    expect_broken("closes", "the kernel closed a descriptor that its process needs");
    expect_broken("far_past_end", "the kernel crashed (SIGSEGV)");
}

TEST(Plugin, that_hangs_is_stopped_in_the_time_that_the_user_gives) {
    expect_broken("hang", "the kernel did not return within 0.201 s", {"--call-limit", "0.2"});
}

TEST(Plugin, that_spoils_its_process_or_its_buffers_is_told_so) {
    expect_broken("past_end", "guard after row 1 of y was overwritten");
#if defined(__x86_64__)
    expect_broken("flushes", "the floating-point environment was changed (flush-to-zero)");
#endif
}

TEST(Plugin, cannot_cut_the_memory_that_it_shares) {
    EXPECT_EQ(case_of("cuts", "cols=257").status, 0);
}

TEST(Plugin, may_print_as_much_as_it_likes_and_the_log_has_it) {
    const Folder folder;
    const Ran ran = case_of("talks", "cols=257", {"--host-log", folder / "log"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_EQ(ran.errors, "");
    std::ifstream log(folder / "log");
    std::string line;
    int lines = 0;
    while (std::getline(log, line)) lines += line == "a line that nobody asked for";
    EXPECT_EQ(lines, 20000);
}

TEST(Plugin, may_refuse) {
    const Ran ran = case_of("refuses", "cols=257");
    EXPECT_TRUE(contains(ran.output, "refused   257 columns are too many")) << ran.output;
    EXPECT_TRUE(contains(case_of("rms", "x=f16 cols=3").output, "the kernel does not take x in f16"));
}

}  // namespace
}  // namespace normcheck
