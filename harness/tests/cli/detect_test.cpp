// The verbs `detect`, `minimize` and `promote`.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/check/corpus.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

constexpr const char* one_element = "kernel=faulty/rms_eps_outside fill=constant:1 gamma_fill=absent";

nlohmann::json read_json(const std::string& path) {
    return nlohmann::json::parse(read_file(path, 1 << 24));
}

/// A corpus that holds nothing but a comment, without a newline at its end.
std::string new_corpus(const Folder& folder) {
    const std::string file = folder / "own.cases";
    write_file_atomically(file, "# ours");
    return file;
}

TEST(Detect, TellsOfEveryFaultByWhatAndOnWhatItIsCaught) {
    const Folder folder;
    const std::string file = folder / "d.json";
    const Ran ran = run_program({"detect", "faulty/rms_eps_outside", "faulty/rms_order_by_run", "faulty/rms_exits",
                                 "--only-faults", "--json", file});
    EXPECT_EQ(ran.status, 0) << ran.output << ran.errors;
    EXPECT_TRUE(contains(ran.output, "caught  faulty/rms_eps_outside C, case 1, ")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "3 of 3 caught by verify")) << ran.output;
    const nlohmann::json faults = read_json(file)["faults"];
    ASSERT_EQ(faults.size(), 3U);
    EXPECT_EQ(faults[0]["fault"], "faulty/rms_eps_outside");
    EXPECT_EQ(faults[0]["kind"], "C");
    EXPECT_EQ(faults[0]["finding"], "y is outside its admissible set");
    EXPECT_TRUE(contains(faults[0]["obeys"], "eps_at=outside")) << faults[0]["obeys"];
    EXPECT_EQ(faults[1]["finding"], "the kernel ended its process with exit status _");
    EXPECT_TRUE(std::string(faults[2]["finding"]).starts_with("property ")) << faults[2];
    for (const auto& fault : faults) {
        EXPECT_GT(fault["cases"], 0);
        EXPECT_TRUE(contains(fault["smallest_case"], "kernel=" + std::string(fault["fault"])));
    }
}

TEST(Detect, ExitsWithOneWhereAFaultIsMissed) {
    const Ran ran = run_program({"detect", "faulty/rms_order_by_run", "--engine", "cases", "--only-faults", "--quick"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(contains(ran.output, "missed  faulty/rms_order_by_run")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "0 of 1 caught")) << ran.output;
}

TEST(Detect, NamesWhatIsWrong) {
    for (const auto& [arguments, words] :
         {std::pair{std::vector<std::string>{"detect", "faulty/nothing*"}, "no fault matches 'faulty/nothing*'"},
          std::pair{std::vector<std::string>{"detect", "--engine", "luck"}, "expected verify | cases | properties"},
          std::pair{std::vector<std::string>{"detect", "--only-faults", "--only-correct"}, "nothing to do"}}) {
        const Ran ran = run_program(arguments);
        EXPECT_EQ(ran.status, 2);
        EXPECT_TRUE(contains(ran.errors, words)) << ran.errors;
    }
}

TEST(MinimizeVerb, PrintsTheLineAloneWhereItIsAsked) {
    const Ran ran = run_program({"minimize", "--quiet", "kernel=faulty/rms_eps_outside rows=5 cols=64 fill=small"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_EQ(run_program({"case", ran.output.substr(0, ran.output.size() - 1), "--quiet"}).status, 1) << ran.output;
    EXPECT_EQ(std::count(ran.output.begin(), ran.output.end(), '\n'), 1);
}

TEST(MinimizeVerb, RefusesACaseThatShowsNothing) {
    const Ran ran = run_program({"minimize", "kernel=cpu/rms cols=4"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(contains(ran.errors, "shows nothing to shrink")) << ran.errors;
}

TEST(Promote, AddsALineThatACorrectKernelMustPass) {
    const Folder folder;
    const std::string file = new_corpus(folder);
    const Ran ran = run_program({"promote", one_element, "--file", file, "--note", "eps added to the root"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    const std::vector<CorpusLine> lines = read_corpus(file);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].call.kernel, "cpu/rms");
    EXPECT_EQ(lines[0].verdict, Verdict::pass);
    ASSERT_EQ(lines[0].target.size(), 1U);
    ASSERT_EQ(lines[0].wrong.size(), 1U);
    EXPECT_GT(lines[0].target[0].value, lines[0].wrong[0].value);
    EXPECT_TRUE(contains(read_file(file, 1 << 20), "# ours\n\n# eps added to the root; contract: rms ")) << ran.output;
    EXPECT_EQ(run_program({"promote", one_element, "--file", file}).status, 0);
    EXPECT_EQ(read_corpus(file).size(), 1U);  // it has the case already
}

TEST(Promote, LeavesTheCorpusAsItWasWhereItRefuses) {
    const Folder folder;
    const std::string file = new_corpus(folder);
    for (const auto& [line, words] :
         {std::pair{"cols=4", "names no kernel"},
          std::pair{"kernel=cpu/rms cols=4 alias=residual_out_is_residual", "refuses"},
          std::pair{"kernel=faulty/layer_eps_not_a_floor cols=4", "expected --kernel NAME with one that does"},
          std::pair{"kernel=faulty/nothing cols=4", "unknown kernel"}}) {
        const Ran ran = run_program({"promote", line, "--file", file});
        EXPECT_EQ(ran.status, 2);
        EXPECT_TRUE(contains(ran.errors, words)) << ran.errors;
    }
    EXPECT_EQ(read_file(file, 1 << 20), "# ours");
    const Ran nowhere = run_program({"promote", one_element, "--file", folder / "none/own.cases"});
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_TRUE(contains(nowhere.errors, "there is no folder ")) << nowhere.errors;
}

TEST(Promote, BeginsACorpusOfOnesOwn) {
    const Folder folder;
    const std::string file = folder / "own.cases";
    EXPECT_EQ(run_program({"promote", "cols=4", "--file", file}).status, 2);
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_EQ(run_program({"promote", one_element, "--file", file}).status, 0);
    EXPECT_EQ(read_corpus(file).size(), 1U);
}

}  // namespace
}  // namespace normcheck
