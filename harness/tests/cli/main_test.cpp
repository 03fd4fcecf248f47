// The program as such: verbs, help, version, and errors in one line with exit status 2.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

void expect_refused(const std::vector<std::string>& arguments, std::string_view word) {
    const Ran ran = run_program(arguments);
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(ran.errors.starts_with("normcheck: ")) << ran.errors;
    EXPECT_EQ(std::ranges::count(ran.errors, '\n'), 1) << ran.errors;
    EXPECT_TRUE(contains(ran.errors, word)) << ran.errors;
    EXPECT_EQ(ran.output, "");
}

TEST(Program, NamesAnUnknownVerbAndListsTheVerbs) {
    expect_refused({"judge"}, "'judge'");
    expect_refused({"judge"}, "list, verify, case, export, score");
    expect_refused({}, "list, verify, case, export, score");
}

TEST(Program, HelpAndVersionExitWithZero) {
    EXPECT_EQ(run_program({"--help"}).status, 0);
    EXPECT_TRUE(contains(run_program({"--help"}).output, "verify"));
    EXPECT_EQ(run_program({"score", "--help"}).status, 0);
    EXPECT_TRUE(run_program({"--version"}).output.starts_with("normcheck 0."));
}

TEST(Program, OptionsThatCannotBeReadExitWithTwo) {
    expect_refused({"verify", "--nonsense"}, "--nonsense");
    expect_refused({"verify", "--jobs", "0"}, "--jobs");
    expect_refused({"verify", "--cases"}, "--cases");
    expect_refused({"verify", "--cases", "-3"}, "--cases");
    expect_refused({"verify", "--seed", "x"}, "--seed");
    expect_refused({"verify", "--width", "3"}, "--width");
    expect_refused({"case"}, "LINE");
    expect_refused({"export", "rms"}, "--output");
}

TEST(Program, AnErrorNamesTheWordAndWhatWasExpected) {
    expect_refused({"verify", "gpu/*"}, "'gpu/*'");
    expect_refused({"verify", "gpu/*"}, "cpu/rms_eps_outside");
    expect_refused({"verify", "--formats", "f32,f23"}, "'f23'");
    expect_refused({"verify", "--cols", "12,x"}, "--cols=x");
    expect_refused({"verify", "--fills", "gauss"}, "gauss");
    expect_refused({"verify", "--eps", "-1"}, "eps");
    expect_refused({"list", "kernel"}, "'kernel'");
}

TEST(Program, AReportThatCannotBeWrittenExitsWithTwo) {
    expect_refused(
        {"verify", "cpu/rms", "--cases", "1", "--formats", "f32", "--quiet", "--json", "/nowhere/report.json"},
        "/nowhere");
}

}  // namespace
}  // namespace normcheck
