// The verb `report`, and --report of the others.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "harness/tests/cli/command.hpp"
#include "reports/json.hpp"

namespace normcheck {
namespace {

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> verify(std::vector<std::string> more) {
    more.insert(more.begin(),
                {"verify", "cpu/rms", "--formats", "f32", "--cases", "3", "--properties", "none", "--quiet"});
    return more;
}

TEST(Verify, WritesSeveralReportsInOneRun) {
    const Folder folder;
    const Ran ran = run_program(
        verify({"--report", folder / "a.md", "--report", "csv:" + (folder / "b.data"), "--json", folder / "c.json"}));
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(content(folder / "a.md").starts_with("**Pass: the kernel did nothing in 3 cases"));
    EXPECT_TRUE(content(folder / "b.data").starts_with("kernel,format,verdict,regime,"));
    EXPECT_EQ(parse_report(content(folder / "c.json")).kernels.size(), 1U);
}

TEST(Verify, PrintsAReportInPlaceOfItsText) {
    const Ran ran = run_program({"verify", "cpu/rms", "--formats", "f32", "--cases", "3", "--report", "github:-"});
    EXPECT_TRUE(ran.output.starts_with("::notice title=normcheck::Pass: ")) << ran.output;
    EXPECT_FALSE(contains(ran.output, "pass  cpu/rms f32"));
}

TEST(Verify, PrintsOneReportAtMost) {
    const Ran ran = run_program(verify({"--report", "csv:-", "--json", "-"}));
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(contains(ran.errors, "standard output takes one report")) << ran.errors;
}

TEST(Verify, RefusesAReportOfNoKnownFormatBeforeItRuns) {
    const Ran ran = run_program(verify({"--report", "page.pdf"}));
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(contains(ran.errors, "the name page.pdf tells no report format; expected one that ends in .txt"))
        << ran.errors;
    EXPECT_TRUE(contains(run_program(verify({"--report", "html:/nowhere/page"})).errors, "cannot write to /nowhere"));
}

TEST(Report, WritesEveryFormatFromJson) {
    const Folder folder;
    ASSERT_EQ(run_program(verify({"--json", folder / "report.json"})).status, 0);
    for (const char* format : {"text", "json", "jsonl", "markdown", "junit", "sarif", "github", "csv", "html"}) {
        const Ran ran = run_program({"report", folder / "report.json", "--to", format});
        EXPECT_EQ(ran.status, 0) << format << ran.errors;
        EXPECT_TRUE(contains(ran.output, format == std::string("github") ? "::notice title=normcheck" : "cpu/rms"))
            << format;
    }
    EXPECT_EQ(run_program({"report", folder / "report.json", "--to", "json"}).output, content(folder / "report.json"));
    EXPECT_EQ(run_program({"report", folder / "report.json", "-o", folder / "page.html"}).output, "");
    EXPECT_TRUE(content(folder / "page.html").starts_with("<!DOCTYPE html>"));
}

TEST(Report, ReadsSeveralAsOneRun) {
    const Folder folder;
    ASSERT_EQ(run_program(verify({"--json", folder / "a.json"})).status, 0);
    ASSERT_EQ(run_program(verify({"--seed", "2", "--json", folder / "b.json"})).status, 0);
    const Ran ran = run_program({"report", folder / "a.json", folder / "b.json", "--to", "json"});
    const Report whole = parse_report(ran.output);
    EXPECT_EQ(whole.kernels.at(0).cases, 6);
    const Ran twice = run_program({"report", folder / "a.json", folder / "a.json"});
    EXPECT_EQ(twice.status, 2);
    EXPECT_TRUE(contains(twice.errors, "are the same run; expected each run once")) << twice.errors;
}

TEST(Report, RefusesBadInputByItsName) {
    const Folder folder;
    const auto refusal = [&](const std::string& text) {
        write(folder / "bad.json", text);
        write(folder / "out.html", "as it was");
        const Ran ran = run_program({"report", folder / "bad.json", "-o", folder / "out.html"});
        EXPECT_EQ(ran.status, 2);
        EXPECT_EQ(content(folder / "out.html"), "as it was");
        return ran.errors;
    };
    EXPECT_TRUE(contains(refusal(""), "bad.json: line 1, column 1: expected JSON, found a syntax error"));
    EXPECT_TRUE(contains(refusal("{\"name\": \"other tool\"}"), "bad.json: /: expected the key \"context\""));
    EXPECT_TRUE(contains(refusal("{\"schema\": 3, \"context\": {}, \"kernels\": [], \"findings\": []}"),
                         "bad.json: /schema: expected schema 5 (it was written by an older"));
    EXPECT_TRUE(contains(run_program({"report", folder / "none.json"}).errors, "none.json"));
    EXPECT_TRUE(contains(run_program({"report", folder / "bad.json", "--to", "pdf"}).errors,
                         "there is no report format 'pdf'; expected one of text, json"));
    EXPECT_TRUE(contains(run_program({"report"}).errors, "REPORT is required"));
}

}  // namespace
}  // namespace normcheck
