// Tests of the page: what it opens on, its figures, and that it needs nothing else.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <set>

#include "oracles/error.hpp"
#include "reports/html/gnuplot.hpp"
#include "reports/html/svg.hpp"
#include "reports/tests/made_up.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

size_t times(const std::string& text, std::string_view part) {
    size_t result = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
    return result;
}

bool gnuplot_is_here() {
    return draw({{100, "plot x"}}).problem.empty();
}

/// Runs with another PATH and puts the old one back.
std::string page_with_path(const char* path) {
    const std::string before = std::getenv("PATH");
    setenv("PATH", path, 1);
    const std::string page = to_html(made_up_report());
    setenv("PATH", before.c_str(), 1);
    return page;
}

TEST(Page, opens_on_the_verdict) {
    const std::string page = to_html(made_up_report());
    const size_t body = page.find("<body>");
    ASSERT_NE(body, std::string::npos);
    EXPECT_TRUE(page.substr(body).starts_with("<body>\n<header>\n<h1 class=\"fail\">Fail: 1 of 3 kernels does"));
}

TEST(Page, has_a_section_for_every_kernel_gravest_first) {
    const std::string page = to_html(made_up_report());
    EXPECT_EQ(times(page, "<section class=\"kernel\""), 3U);
    EXPECT_LT(page.find("id=\"kernel-1\">\n<h2>faulty/eps_twice"), page.find("<h2>cpu/layer_two_pass"));
}

TEST(Page, gives_findings_with_commands_to_copy) {
    const std::string page = to_html(made_up_report());
    EXPECT_TRUE(has(page, "<h3>2 findings</h3>"));
    EXPECT_TRUE(has(page, "<pre class=\"copy\">normcheck case &#39;kernel=faulty/eps_twice x=f16"));
    EXPECT_TRUE(has(page, "<dt>got</dt><dd><code>0x1.9p+0</code> <small>(3e40)</small>, error 64.25 ulp"));
}

TEST(Page, shows_speed_where_it_was_measured_and_changes_where_there_are_any) {
    const std::string page = to_html(made_up_report());
    EXPECT_TRUE(has(page, "<h3>Speed, f32</h3>"));
    EXPECT_TRUE(has(page, "8.39")) << "GB/s";
    EXPECT_TRUE(has(page, "<h2>Changes</h2>\n<div class=\"finding worse\">"));
    Report report = made_up_report();
    report.changes.clear();
    report.kernels[0].speeds.clear();
    const std::string without = to_html(report);
    EXPECT_FALSE(has(without, "Speed"));
    EXPECT_FALSE(has(without, "Changes"));
}

TEST(Page, asks_for_nothing_and_runs_nothing) {
    const std::string page = to_html(made_up_report());
    for (const char* part : {"http://", "https://", "<script", "src=", "url(", "@import", "xlink", "<link", "<iframe"})
        EXPECT_FALSE(has(page, part)) << part;
}

TEST(Page, has_no_identifier_twice) {
    const std::string page = to_html(made_up_report());
    const std::regex pattern(" id=\"([^\"]*)\"");
    std::set<std::string> seen;
    for (std::sregex_iterator at(page.begin(), page.end(), pattern), end; at != end; ++at)
        EXPECT_TRUE(seen.insert((*at)[1]).second) << (*at)[1];
    EXPECT_GE(seen.size(), 3U);
}

TEST(Page, has_figures_with_words_and_numbers_beside_them) {
    if (!gnuplot_is_here()) GTEST_SKIP() << "gnuplot is not installed";
    const std::string page = to_html(made_up_report());
    EXPECT_EQ(times(page, "<svg "), 8U);
    EXPECT_EQ(times(page, "<svg "), times(page, "role=\"img\""));
    EXPECT_EQ(times(page, "<svg "), times(page, "<desc id=\"figure-"));
    EXPECT_EQ(times(page, "<details><summary>Numbers</summary>"), 8U);
    EXPECT_TRUE(has(page, "A heat map with a band per format. f16: at most 64.25 ulp, reached in 0 to 2, 1 row fail."));
    EXPECT_FALSE(has(page, "no figures"));
    EXPECT_FALSE(has(page, "rgb(")) << "a colour that the style sheet does not decide";
}

TEST(Page, says_that_gnuplot_is_missing_and_keeps_the_numbers) {
    const std::string page = page_with_path("/nowhere");
    EXPECT_TRUE(has(page, "This page has no figures: gnuplot is not installed."));
    EXPECT_EQ(times(page, "<svg "), 0U);
    EXPECT_EQ(times(page, "<details><summary>Numbers</summary>"), 8U);
    EXPECT_TRUE(has(page, "</html>"));
}

TEST(Page, of_an_empty_report_is_a_page) {
    EXPECT_TRUE(has(to_html(Report{}), "Not proven: no kernel was run."));
}

TEST(Draw, tells_why_gnuplot_failed) {
    if (!gnuplot_is_here()) GTEST_SKIP() << "gnuplot is not installed";
    const Drawings drawings = draw({{100, "plot nothing_of_that_name"}});
    EXPECT_TRUE(drawings.files.empty());
    EXPECT_TRUE(drawings.problem.starts_with("gnuplot failed: ")) << drawings.problem;
}

std::string cleaned(const std::string& inside) {
    return inline_svg(
        "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 9 9\" xmlns=\"http://www.w3.org/2000/svg\">" + inside + "</svg>",
        "f", "A & B", "d");
}

TEST(InlineSvg, keeps_shapes_and_text_alone) {
    EXPECT_EQ(cleaned("<title>T</title><defs><path id='a' d='M0,0'/></defs><script>x()</script>"
                      "<g fill=\"none\"><path onclick='x()' id='b' stroke='rgb(  2,   0,   7)' d='M1,1 '/></g>"
                      "<g transform=\"translate(1,2)\" fill=\"rgb(1,0,7)\" font-family=\"x\" text-anchor=\"end\"><text>"
                      "<tspan font-family=\"x\" >f&lt;2</tspan></text></g>"),
              "<svg viewBox=\"0 0 9 9\" role=\"img\" aria-labelledby=\"f-title f-text\">\n<title id=\"f-title\">A "
              "&amp; B</title>\n"
              "<desc id=\"f-text\">d</desc>\n<path class=\"s-f64\" d=\"M1,1\"/>\n"
              "<g class=\"f-text\" transform=\"translate(1,2)\" text-anchor=\"end\"><text>f&lt;2</text></g>\n</svg>\n");
}

TEST(InlineSvg, puts_marks_in_place_of_references) {
    EXPECT_TRUE(
        has(cleaned("<use xlink:href='#gpPt5' transform='translate(1,1) scale(2)' color='rgb(  4,   0,   7)'/>"),
            "<path class=\"mark s-f16\" transform=\"translate(1,1) scale(2)\" d=\"M-1,0 a"));
    EXPECT_THROW(cleaned("<use xlink:href='http://x.y/z' color='rgb(4,0,7)'/>"), InternalError);
}

TEST(InlineSvg, refuses_what_is_no_figure) {
    EXPECT_THROW(inline_svg("", "f", "", ""), InternalError);
    EXPECT_THROW(inline_svg("<svg viewBox='0 0 1 1'", "f", "", ""), InternalError);
    EXPECT_THROW(cleaned("<path d="), InternalError);
    EXPECT_THROW(cleaned("</g>"), InternalError);
}

}  // namespace
}  // namespace normcheck
