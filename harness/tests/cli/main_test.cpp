// The program as such: verbs, help, version, and errors in one line with exit status 2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

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
    expect_refused({"judge"}, "verify, case, diff, export, score");
    expect_refused({}, "verify, case, diff, export, score");
}

TEST(Program, HelpAndVersionExitWithZero) {
    EXPECT_EQ(run_program({"--help"}).status, 0);
    EXPECT_TRUE(contains(run_program({"--help"}).output, "verify"));
    EXPECT_EQ(run_program({"score", "--help"}).status, 0);
    EXPECT_TRUE(run_program({"--version"}).output.starts_with("normcheck 0."));
}

/// The verbs, as an error lists them.
std::vector<std::string> verb_names() {
    std::istringstream words(run_program({}).errors);
    std::vector<std::string> names;
    bool listed = false;
    for (std::string word; words >> word;) {
        if (listed && word.ends_with(',')) names.push_back(word.substr(0, word.size() - 1));
        if (word == "of") listed = true;
    }
    return names;
}

/// The help without the commands of its examples, which are in one line each for copying.
std::string without_commands(const std::string& help) {
    std::istringstream lines(help);
    std::string rest;
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("  normcheck ")) rest += line + '\n';
    return rest;
}

TEST(Program, HelpIsWrappedAtEightyColumns) {
    EXPECT_LE(longest_line(run_program({"--help"}).output), 80U);
    const std::vector<std::string> names = verb_names();
    EXPECT_GE(names.size(), 15U);
    for (const std::string& name : names) {
        const Ran ran = run_program({name, "--help"});
        EXPECT_EQ(ran.status, 0) << name;
        EXPECT_TRUE(contains(ran.output, "Usage: normcheck " + name)) << ran.output;
        EXPECT_LE(longest_line(without_commands(ran.output)), 80U) << ran.output;
        EXPECT_FALSE(contains(ran.output, ":INT") || contains(ran.output, ":POSITIVE")) << ran.output;
    }
}

TEST(Program, HelpNamesOneSpellingAndOtherVerbsSpellingsAreTaken) {
    const std::string help = run_program({"verify", "--help"}).output;
    EXPECT_TRUE(contains(help, "  --formats LIST  ") && contains(help, "  -h,--help  ")) << help;
    EXPECT_FALSE(contains(help, "--format ") || contains(help, "--threads") || contains(help, "--output")) << help;
    const std::vector<std::string> verify{"verify", "cpu/rms", "--cases", "1", "--quiet"};
    const auto with = [](std::vector<std::string> words, std::initializer_list<std::string> more) {
        words.insert(words.end(), more);
        return run_program(words);
    };
    const Ran ran = with(verify, {"--format", "f16", "--threads", "1", "--output", "-"});
    EXPECT_TRUE(contains(ran.output, "\"format\": \"f16\"")) << ran.errors;
    const Folder folder;
    EXPECT_EQ(with({"sweep", "cpu/rms"}, {"--formats", "f16", "--jobs", "1", "--json", folder / "out"}).status, 0);
    EXPECT_TRUE(std::filesystem::exists(folder / "out"));
    EXPECT_EQ(run_program({"merge", folder / "out", "--json", folder / "joined"}).status, 0);
    EXPECT_TRUE(std::filesystem::exists(folder / "joined"));
}

TEST(Program, ABadNumberIsNamedWithWhatWasExpected) {
    const std::string whole = "expected a whole number from ";
    expect_refused({"verify", "--jobs", "0"}, "--jobs: found '0'; " + whole + "1 to 4096");
    expect_refused({"verify", "--cases", "-3"}, "--cases: found '-3'; " + whole + "1 on");
    expect_refused({"verify", "--cases", "010"}, "--cases: found '010'; " + whole + "1 on");
    expect_refused({"verify", "--seed", "x"}, "--seed: found 'x'; " + whole + "0 to 2^64 - 1");
    expect_refused({"verify", "--seed", "-1"}, "--seed: found '-1'; " + whole + "0 to 2^64 - 1");
    const std::string span = "seconds above 0, or as in 90s, 10m, 8h, up to a week";
    for (const char* text : {"0", "inf", "nan", "-1", "10x", "m", "0h", "1e9", "2 m"})
        expect_refused({"verify", "--time", text}, fmt::format("--time: found '{}'; expected {}", text, span));
    expect_refused({"fuzz", "cpu/rms", "--time", "1.5"},
                   "--time: found '1.5'; expected whole seconds from 1 on, or as in 90s, 10m, 8h, up to a week");
    EXPECT_EQ(run_program({"verify", "cpu/rms", "--cases", "1", "--quiet", "--time", "1.5m"}).status, 0);
    expect_refused({"score", "--axis", "last"}, "--axis: found 'last'; expected a whole number");
    expect_refused({"detect", "--width", "7"}, "--width: found '7'; " + whole + "40 to 1000");
    expect_refused({"sweep", "cpu/rms", "--format", "f16", "--save-every", "-1"},
                   "--save-every: found '-1'; expected a number from 0 on");
    for (const char* cols : {"0", "-1", "abc", "3", "1,2"})
        expect_refused({"sweep", "cpu/rms", "--format", "f16", "--cols", cols},
                       fmt::format("--cols: found '{}'; {}1 to 2", cols, whole));
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
    expect_refused({"verify", "gpu/*"}, "normcheck list kernels");
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
