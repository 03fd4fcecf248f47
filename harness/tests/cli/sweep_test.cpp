// The verbs `sweep` and `merge`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/cli/sweep_text.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/io/file_lock.hpp"
#include "harness/sweep/result_file.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

std::string content(const std::string& path) {
    return read_file(path, 1 << 20);
}

/// `sweep cpu/rms --format f16` and more.
Ran sweep(std::vector<std::string> more) {
    more.insert(more.begin(), {"sweep", "cpu/rms", "--format", "f16"});
    return run_program(more);
}

void expect_refused(const Ran& ran, std::initializer_list<std::string> words) {
    EXPECT_EQ(ran.status, 2) << ran.output;
    EXPECT_EQ(ran.output, "");
    for (const std::string& word : words) EXPECT_TRUE(contains(ran.errors, word)) << ran.errors << " lacks " << word;
}

TEST(Sweep, PassesAGoodKernelAndSaysWhatWasRun) {
    const Ran ran = sweep({});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    for (const char* part :
         {"pass  cpu/rms, 1 column, 65,536 bit patterns of f16", "symmetry           sign, proven because",
          "32,768 run, which stand for 65,536", "special, as ruled  2,048 rows", "row error", "rows run per second"})
        EXPECT_TRUE(contains(ran.output, part)) << ran.output << " lacks " << part;
    EXPECT_LE(longest_line(ran.output), 80U);
    EXPECT_EQ(ran.errors, "");
}

TEST(Sweep, ShowsAContractThatIsNotObeyedWithCasesThatReproduce) {
    const Ran ran = sweep({"--eps-at", "outside", "--eps", "1e-3", "--width", "400"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(contains(ran.output, "fail  cpu/rms"));
    const size_t quote = ran.output.find("'kernel=");
    const std::string line = ran.output.substr(quote + 1, ran.output.find('\'', quote + 1) - quote - 1);
    EXPECT_EQ(run_program({"case", line}).status, 1) << line;
}

TEST(Sweep, SaysHowManyMoreRowsFailAndWhereErrorsAreAbsolute) {
    const Ran ran = sweep({"--eps-at", "outside", "--eps", "1e-3", "--no-symmetry", "--width", "400"});
    const size_t digits = ran.output.find_first_of("123456789", ran.output.find("  fail  "));
    const std::string failing = ran.output.substr(digits, ran.output.find(' ', digits) - digits);  // as in 33,914
    const int shown = 8, last = std::stoi(failing.substr(failing.find(',') + 1));
    const std::string more = fmt::format("and {},{:03} more of", std::stoi(failing), last - shown);
    EXPECT_TRUE(contains(ran.output, more)) << ran.output << " lacks " << more;
    EXPECT_TRUE(contains(ran.output, "absolute error     0 where the exact y is 0, at 'kernel=")) << ran.output;
    EXPECT_FALSE(contains(sweep({}).output, "more of")) << "where none fails";
}

TEST(Sweep, SaysWhyTheFirstRowIsOutside) {
    const Ran ran = sweep({"--eps", "0", "--width", "400"});
    const size_t begin = ran.output.find("outside            2 rows, first '");
    ASSERT_NE(begin, std::string::npos) << ran.output;
    const std::string text = ran.output.substr(begin, ran.output.find('\n', begin) - begin);
    const size_t quote = text.find('\'') + 1, end = text.find('\'', quote);
    const std::string reason = text.substr(end + 3);
    EXPECT_GT(reason.size(), 10U) << text;
    EXPECT_TRUE(
        contains(run_program({"case", text.substr(quote, end - quote), "--width", "400"}).output, ": " + reason))
        << text;
}

TEST(Sweep, TellsWhatThisRunTookWhereItWasTakenUpAgain) {
    const Folder folder;
    ASSERT_EQ(sweep({"--quiet", "--output", folder / "out"}).status, 0);
    const SweepResult result = read_result(folder / "out");
    const auto took = [&](uint64_t rows) {
        const std::string text = sweep_text(result, SweepTiming{rows, 0.5}, Page{});
        return text.substr(text.find("  took"));
    };
    EXPECT_EQ(took(32'768), "  took               0.50 s, 0.0655 million rows run per second\n");
    EXPECT_EQ(took(10'000),
              "  took               this run 10,000 rows in 0.50 s, 0.02 million rows run per\n"
              "                     second\n");
}

TEST(Sweep, RunsTheWholeDomainWithoutSymmetryOnRequest) {
    const Ran ran = sweep({"--no-symmetry", "--contract", "y=f32"});
    EXPECT_TRUE(contains(ran.output, "symmetry           none used")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "65,536 run\n")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "y=f32")) << ran.output;
}

TEST(Sweep, WritesTheSameFileAsItsMergedShards) {
    const Folder folder;
    ASSERT_EQ(sweep({"--quiet", "--output", folder / "whole", "--threads", "1"}).output, "");
    std::vector<std::string> merge{"merge"};
    for (const char* shard : {"3/3", "1/3", "2/3"}) {
        merge.push_back(folder / std::string(1, shard[0]));
        ASSERT_EQ(sweep({"--quiet", "--shard", shard, "--output", merge.back(), "--threads", "2"}).status, 0);
    }
    merge.insert(merge.end(), {"--output", folder / "merged"});
    const Ran ran = run_program(merge);
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "pass  cpu/rms"));
    EXPECT_EQ(content(folder / "merged"), content(folder / "whole"));
    const nlohmann::json result = nlohmann::json::parse(content(folder / "whole"));
    EXPECT_EQ(result["rows"]["domain"], 65'536);
    EXPECT_EQ(result["range"]["end"], result["range"]["of"]);
    EXPECT_EQ(run_program({"case", result["row_error"]["case"]}).status, 0);
}

TEST(Sweep, AFinishedResultIsNotRunAgain) {
    const Folder folder;
    const Ran first = sweep({"--output", folder / "out"});
    const Ran again = sweep({"--output", folder / "out"});
    EXPECT_EQ(again.status, 0);
    EXPECT_TRUE(contains(again.errors, "32,768 of 32,768 rows are done already")) << again.errors;
    EXPECT_TRUE(contains(again.output, "took               nothing: this sweep was finished already\n"))
        << again.output;
    EXPECT_EQ(again.output.substr(0, again.output.find("took")), first.output.substr(0, first.output.find("took")));
    expect_refused(sweep({"--output", folder / "out", "--eps", "1e-3"}),
                   {"out holds another sweep: contract", "eps=0.001"});
}

TEST(Sweep, RefusesShardsThatAreNone) {
    for (const char* shard : {"0/4", "5/4", "1/0", "1/32769", "3", "a/b", "1/", "/4", "1/4/4"})
        expect_refused(sweep({"--shard", shard}), {fmt::format("--shard {}: expected i/n", shard),
                                                   "n from 1 to 32768 and i from 1 to n, as in 1/8"});
}

TEST(Sweep, RefusesWhatCannotBeSwept) {
    expect_refused(run_program({"sweep", "cpu/rms", "--format", "f32", "--cols", "2"}),
                   {"f32 with 2 columns", "too large"});
    expect_refused(run_program({"sweep", "cpu/rms", "--format", "f64"}), {"--format f64", "expected f16, bf16"});
    expect_refused(run_program({"sweep", "cpu/norm", "--format", "f16"}), {"'cpu/norm'", "normcheck list kernels"});
    expect_refused(sweep({"--eps", "1e-6:f64"}), {"refuses the calls", "eps is not a value of f32"});
    expect_refused(sweep({"--eps", "-1"}), {"eps"});
    expect_refused(sweep({"--contract", "eps=1", "--eps", "1"}), {"each field of the contract may stand once"});
}

TEST(Sweep, RefusesASecondProcessOnTheSameOutput) {
    const Folder folder;
    const FileLock lock(folder / "out");
    expect_refused(sweep({"--output", folder / "out"}), {"another process is working on", folder / "out"});
}

TEST(Sweep, RefusesADamagedOrForeignFile) {
    const Folder folder;
    write_file_atomically(folder / "out.part", "{\"file\": \"normcheck swe");
    expect_refused(sweep({"--output", folder / "out"}),
                   {folder / "out.part: damaged", "remove it or choose another output"});
    write_file_atomically(folder / "other", "{\"answer\": 42}");
    expect_refused(run_program({"merge", folder / "other"}), {folder / "other", "not a result of normcheck sweep"});
    expect_refused(run_program({"merge", folder / "nothing"}), {folder / "nothing"});
}

TEST(Sweep, MergeNamesGapsWithTheirFiles) {
    const Folder folder;
    for (const char* shard : {"1/3", "3/3"})
        ASSERT_EQ(sweep({"--quiet", "--shard", shard, "--output", folder / std::string(1, shard[0])}).status, 0);
    expect_refused(run_program({"merge", folder / "1", folder / "3", "--output", folder / "merged"}),
                   {"gap", "places 10923 to 21845", folder / "1", folder / "3"});
    EXPECT_FALSE(std::filesystem::exists(folder / "merged"));
    expect_refused(run_program({"merge", folder / "1", folder / "3", "--output", folder / "1"}),
                   {"is one of the files to join"});
}

TEST(Sweep, SaysWhereTheResultCannotBeWritten) {
    expect_refused(sweep({"--output", "-"}), {"--output -", "expected the name of a file"});
    expect_refused(sweep({"--output", "/dev/full"}), {"/dev/full", "not a regular file"});
    expect_refused(sweep({"--output", "/nowhere/out"}), {"/nowhere/out.lock"});
}

}  // namespace
}  // namespace normcheck
