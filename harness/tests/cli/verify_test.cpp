// The verb `verify`.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/kernels/cuda/device_kernels.hpp"
#include "harness/properties/properties.hpp"
#include "harness/tests/cli/command.hpp"
#include "reports/json.hpp"

namespace normcheck {
namespace {

TEST(Verify, PassesAGoodKernelAndSaysSo) {
    const Ran ran = run_program({"verify", "cpu/rms", "--formats", "f32", "--cases", "3"});
    EXPECT_EQ(ran.status, 0) << ran.output;
    EXPECT_TRUE(contains(ran.output, "pass  cpu/rms f32"));
    EXPECT_TRUE(contains(ran.output, "exit status 0"));
    EXPECT_LE(longest_line(ran.output), 80U);
    EXPECT_FALSE(contains(ran.output, "\x1b"));
}

TEST(Verify, TellsProgressInPlainLinesWhereThereIsNoTerminal) {
    const Ran ran = run_program({"verify", "cpu/rms", "cpu/rms_f64", "--formats", "f32,bf16", "--cases", "3"});
    EXPECT_EQ(ran.errors,
              "[3/12] cpu/rms f32\n[6/12] cpu/rms bf16\n[9/12] cpu/rms_f64 f32\n[12/12] cpu/rms_f64 bf16\n");
}

TEST(Verify, SaysThatDeviceKernelsAreSkippedWhereThereIsNoDevice) {
    const bool skipped = !why_no_device_kernels().empty();
    const std::vector<std::string> few = {"--formats", "f32", "--cases", "1", "--properties", "none"};
    const auto errors = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), few.begin(), few.end());
        return run_program(arguments).errors;
    };
    EXPECT_EQ(contains(errors({"verify"}), "skipped: cuda/*: " + why_no_device_kernels()), skipped);
    EXPECT_FALSE(contains(errors({"verify", "emulated/rms"}), "skipped"));
    const Ran asked = run_program({"verify", "cuda/rms*", "--formats", "f32", "--cases", "1"});
    EXPECT_EQ(asked.status, skipped ? 2 : 0);
    EXPECT_EQ(contains(asked.errors, "'cuda/rms*' matches no kernel: " + why_no_device_kernels()), skipped);
}

TEST(Verify, MultipliesItsLists) {
    const Ran ran = run_program({"verify", "cpu/rms", "--formats", "f32", "--cols", "5,9", "--rows", "1,2", "--fills",
                                 "gaussian,ramp:1:2", "--eps", "0,1e-5", "--json", "-"});
    const Report report = parse_report(ran.output);
    ASSERT_EQ(report.kernels.size(), 1U);
    EXPECT_EQ(report.kernels[0].cases, 16);
}

TEST(Verify, AsksPropertiesOfSomeCasesUnlessToldNotTo) {
    const auto asked = [](std::vector<std::string> options) {
        options.insert(options.begin(), {"verify", "cpu/rms", "--formats", "f32", "--cases", "30", "--json", "-"});
        return parse_report(run_program(options).output).kernels.at(0).properties;
    };
    EXPECT_GE(asked({}).size(), 15U);
    EXPECT_TRUE(asked({"--properties", "none"}).empty());
    const auto one = asked({"--properties", "sign_symmetry"});
    ASSERT_EQ(one.size(), 1U);
    EXPECT_GE(one.at("sign_symmetry").held, 10);
    const Ran unknown = run_program({"verify", "cpu/rms", "--properties", "beauty"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_TRUE(contains(unknown.errors, "there is no property 'beauty'")) << unknown.errors;
}

TEST(Verify, AsksPropertiesOfLargerCasesWhereNoneIsSmallAndSaysWhereItAsksNone) {
    const auto run = [](const char* cols, const char* properties) {
        return run_program({"verify", "cpu/rms", "--formats", "bf16", "--cols", cols, "--rows", "2", "--fills",
                            "gaussian", "--eps", "1e-5", "--properties", properties, "--json", "-"});
    };
    const Ran larger = run("1500,4096", "all");
    const Report report = parse_report(larger.output);
    EXPECT_EQ(report.kernels[0].properties.size(), properties().size());
    EXPECT_FALSE(contains(larger.errors, "no property is asked")) << larger.errors;
    EXPECT_TRUE(contains(run("5000,8192", "all").errors,
                         "no property is asked of cpu/rms bf16: each of its cases is empty, or has more than 4096"));
    EXPECT_FALSE(contains(run("5000,8192", "none").errors, "no property is asked"));
}

/// Many cases, so that a run of them takes seconds.
std::vector<std::string> long_run(std::vector<std::string> words) {
    words.insert(words.end(), {"--formats", "f32", "--cols", "1000,1001,1002,1003,1004,1005", "--rows",
                               "200,201,202,203,204,205", "--fills", "gaussian,small,eps_grid,offset,ramp", "--eps",
                               "0,1e-5,1,0.1,1e-12,1e-3", "--properties", "none", "--jobs", "2"});
    return words;
}

TEST(Verify, TellsWhatItHasSeenWhereItIsInterrupted) {
    for (const auto& [signal, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
        const Ran ran = run_interrupted(long_run({"verify", "cpu/rms"}), signal);
        EXPECT_EQ(ran.status, status) << ran.errors;
        EXPECT_TRUE(contains(ran.errors, "normcheck: interrupted; ")) << ran.errors;
        EXPECT_TRUE(contains(ran.output, " more skipped), ")) << ran.output;
        EXPECT_TRUE(contains(ran.output, "; 0 findings; exit status ")) << ran.output;
    }
}

TEST(Verify, IsInterruptedWithoutAFindingOfAKernelThatRunsElsewhere) {
    const Ran ran = run_interrupted(long_run({"verify", "--plugin", NORMCHECK_EXAMPLE_PLUGIN, "--json", "-"}), SIGINT);
    EXPECT_EQ(ran.status, 130) << ran.errors;
    const Report report = parse_report(ran.output);
    EXPECT_TRUE(report.findings.empty());
    EXPECT_GT(report.kernels[0].cases, 0);
    EXPECT_GT(report.kernels[0].skipped_cases, 0);
}

TEST(Verify, ExitsWithOneWhereNothingOfAKernelPasses) {
    const Ran ran = run_program({"verify", "cpu/rms", "--formats", "f64", "--cases", "2"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(contains(ran.output, "no pass at all: cpu/rms")) << ran.output;
}

TEST(Verify, WritesTheReportToAFileAndNothingWhereItIsQuiet) {
    const Folder folder;
    const Ran ran = run_program({"verify", "cpu/rms", "--formats", "f32", "--cases", "2", "--seed", "7", "--quiet",
                                 "--json", folder / "report.json"});
    EXPECT_EQ(ran.output + ran.errors, "");
    std::ifstream file(folder / "report.json");
    const nlohmann::json document = nlohmann::json::parse(file);
    EXPECT_EQ(document["context"]["seed"], 7);
    EXPECT_EQ(document["exit_status"], 0);
    EXPECT_TRUE(contains(document["context"]["command"], "verify cpu/rms"));
}

TEST(Verify, FindsTheSameOnAnyNumberOfThreads) {
    const auto kernels_of = [](const char* jobs) {
        return nlohmann::json::parse(
            run_program({"verify", "cpu/layer*", "--cases", "4", "--jobs", jobs, "--json", "-"}).output)["kernels"];
    };
    EXPECT_EQ(kernels_of("1"), kernels_of("3"));
}

}  // namespace
}  // namespace normcheck
