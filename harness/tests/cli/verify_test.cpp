// The verb `verify`.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/kernels/cuda/device_kernels.hpp"
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
