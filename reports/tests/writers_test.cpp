// Tests of the writers: their table, their golden files, and hostile names in all of them.
#include "reports/writers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "oracles/error.hpp"
#include "reports/json.hpp"
#include "reports/tests/made_up.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

std::string written(const char* name, const Report& report) {
    return writer_named(name).write(report);
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Compares with a file beside the tests; with NORMCHECK_UPDATE_GOLDEN in the environment the file is written instead.
void expect_golden(const std::string& text, const std::string& name) {
    const std::string path = NORMCHECK_GOLDEN_FOLDER "/" + name;
    if (std::getenv("NORMCHECK_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
    std::ifstream file(path, std::ios::binary);
    EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {})) << path;
}

TEST(Writers, are_found_by_name_and_extension) {
    EXPECT_STREQ(writer_named("junit").name, "junit");
    EXPECT_STREQ(writer_for_file("a/b.html").name, "html");
    EXPECT_STREQ(writer_for_file("a.jsonl").name, "jsonl");
    EXPECT_STREQ(writer_for_file("a.json").name, "json");
}

TEST(Writers, that_are_not_there_are_refused_with_the_list_of_all) {
    try {
        writer_named("pdf\x1b");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "there is no report format 'pdf\\x1b'; expected one of text, json, jsonl, markdown, junit, "
                     "sarif, github, csv, html");
    }
    try {
        writer_for_file("report.pdf");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "the name report.pdf tells no report format; expected one that ends in .txt, .json, .jsonl, "
                     ".md, .xml, .sarif, .csv, .html, or FORMAT:FILE");
    }
}

/// A small report: one kernel that passes in one regime, one that fails.
Report small_report() {
    Report report = made_up_report();
    report.kernels[0].by_ratio.clear();
    report.kernels[0].by_length.clear();
    report.kernels[1].by_ratio.clear();
    report.kernels[1].by_length.clear();
    report.kernels[0].worst.resize(1);
    report.kernels[1].worst.resize(1);
    return report;
}

TEST(Writers, write_what_the_golden_files_hold) {
    for (const Writer& writer : writers())
        if (std::string(writer.name) != "html")
            expect_golden(writer.write(small_report()), std::string("made_up.") + writer.name);
}

TEST(JsonLines, are_records_that_stand_alone) {
    std::istringstream lines(written("jsonl", made_up_report()));
    std::map<std::string, int> records;
    for (std::string line; std::getline(lines, line);) ++records[Json::parse(line)["record"]];
    EXPECT_EQ(records, (std::map<std::string, int>{{"run", 1}, {"kernel", 3}, {"finding", 2}, {"change", 2}}));
}

TEST(Markdown, is_short_whatever_the_number_of_kernels_and_findings) {
    Report report = made_up_report();
    const Finding finding = report.findings[1];
    for (int i = 0; i < 40; ++i) {
        report.kernels.push_back(report.kernels[0]);
        report.kernels.back().kernel += std::to_string(i);
        report.findings.push_back(finding);
        report.kernels[1].findings[static_cast<size_t>(Verdict::fail)] += 1;
    }
    const std::string text = written("markdown", report);
    EXPECT_LT(std::ranges::count(text, '\n'), 70) << text;
    EXPECT_TRUE(has(text, "and 37 more")) << text;
    EXPECT_TRUE(has(text, "41 kernels and formats more passed.")) << text;
}

TEST(Junit, counts_no_skip_as_a_pass) {
    const std::string text = written("junit", made_up_report());
    EXPECT_TRUE(has(text, "name=\"a row passes\">\n      <failure type=\"unproven\"")) << text;
    EXPECT_TRUE(has(text, "name=\"subnormal rows\">\n      <skipped message=\"no rows\"/>")) << text;
    EXPECT_TRUE(has(text, "name=\"special rows\">\n      <skipped message=\"all rows are outside or doubtful")) << text;
}

TEST(Junit, fails_suspect_rows_only_where_they_count) {
    Report report = made_up_report();
    EXPECT_FALSE(has(written("junit", report), "type=\"suspect\""));
    report.strict = true;
    EXPECT_TRUE(has(written("junit", report), "type=\"suspect\" message=\"1 of 1 rows are suspect\""));
}

TEST(Sarif, has_a_rule_for_every_result) {
    const Json run = Json::parse(written("sarif", made_up_report()))["runs"][0];
    ASSERT_EQ(run["results"].size(), 4U);  // two findings, a kernel without a pass, a change for the worse
    for (const Json& result : run["results"])
        EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
    EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
}

TEST(Csv, has_a_line_per_kernel_format_and_regime) {
    const std::string text = written("csv", made_up_report());
    EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 3 * regime_count);
}

TEST(Csv, computes_nothing_in_a_spreadsheet) {
    Report report = made_up_report();
    report.kernels[0].kernel = "=1+1,\"x\"";
    EXPECT_TRUE(has(written("csv", report), "\n\"'=1+1,\"\"x\"\"\",f32,"));
}

constexpr std::string_view hostile =
    "k</pre></td><script>alert(1)</script><img src=x onerror=alert(2)>\"'& ``` | **b** [l](http://x.y) @all ]]> &#27; "
    "\x1b[2J\x1b]0;t\x07\n::error::planted\r\n\u202e\u009b\xff%0A";

Report hostile_report() {
    const std::string text(hostile);
    Report report = made_up_report();
    for (std::string* one : {&report.context.version, &report.context.cpu, &report.context.compiler,
                             &report.context.flags, &report.context.command, &report.context.started})
        *one = text;
    for (KernelReport& kernel : report.kernels) {
        kernel.kernel += text;
        kernel.contract = kernel.options = text;
        kernel.broken_rules[text] = 1;
        for (ReasonCounts& reasons : kernel.reasons) reasons[text] = 1;
        kernel.properties[text] = {1, 0, 0};
        for (Cell& cell : kernel.cells)
            if (cell.row_error) cell.row_error->case_line = text;
        for (WorstCase& worst : kernel.worst) worst.row_error.case_line = text;
        for (Speed& speed : kernel.speeds) speed.conditions = text;
    }
    for (Finding& finding : report.findings) {
        finding.kernel += text;
        finding.reason = finding.output = text;
        finding.case_line = "kernel=" + text;  // with the options behind it
        if (finding.numbers) finding.numbers->got.value = text;
    }
    for (Change& change : report.changes) {
        change.kernel += text;
        change.what = change.case_line = text;
    }
    return report;
}

TEST(HostileText, acts_on_no_terminal_in_any_format) {
    for (const Writer& writer : writers()) {
        const std::string text = writer.write(hostile_report());
        for (const std::string_view part : {"\x1b", "\x07", "\r", "\u202e", "\u009b", "\xff"})
            EXPECT_FALSE(has(text, part)) << writer.name;
        EXPECT_FALSE(has(text, "\n::error::planted")) << writer.name;
    }
}

TEST(HostileText, makes_no_element_in_html_or_xml) {
    for (const char* name : {"html", "junit"}) {
        const std::string text = written(name, hostile_report());
        EXPECT_FALSE(has(text, "<script")) << name;
        EXPECT_FALSE(has(text, "<img")) << name;
        EXPECT_FALSE(has(text, "]]>")) << name;
        EXPECT_TRUE(has(text, "&lt;script&gt;alert(1)&lt;/script&gt;")) << name;
    }
}

TEST(HostileText, ends_no_code_and_no_cell_in_markdown) {
    Report report = hostile_report();
    const std::string text = written("markdown", report);
    EXPECT_FALSE(has(text, "\n```\n<"));
    EXPECT_TRUE(has(text, "````sh\n")) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| fail")) continue;
        size_t bars = 0;
        for (size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
        EXPECT_EQ(bars, 9U) << line;
    }
}

TEST(HostileText, keeps_json_exact_but_for_bytes_that_are_no_letters) {
    Report report = hostile_report();
    for (Finding& finding : report.findings) finding.numbers.reset();  // where only numbers may stand
    const Report back = parse_report(to_json_text(report));
    std::string expected(hostile);
    expected.replace(expected.find('\xff'), 1, "\ufffd");
    EXPECT_EQ(back.context.command, expected);
}

}  // namespace
}  // namespace normcheck
