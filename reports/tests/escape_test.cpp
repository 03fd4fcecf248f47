// Tests of what makes foreign text harmless.
#include "reports/escape.hpp"

#include <gtest/gtest.h>

namespace normcheck {
namespace {

TEST(Printable, leaves_letters_of_any_script) {
    EXPECT_EQ(printable("cpu/rms_\u00e9\u4e2d\U0001f600"), "cpu/rms_\u00e9\u4e2d\U0001f600");
}

TEST(Printable, shows_controls_of_terminals) {
    EXPECT_EQ(printable("a\x1b[31mb\a\x7f"), "a\\x1b[31mb\\x07\\x7f");
    EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\x0d");
    EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");
    EXPECT_EQ(printable(std::string(1, '\0')), "\\x00");
}

TEST(Printable, shows_what_turns_or_hides_text) {
    EXPECT_EQ(printable("a\u202eb\u2066c\u200bd\ufeff"), "a\\u202eb\\u2066c\\u200bd\\ufeff");
    EXPECT_EQ(printable("\U000e0041"), "\\U000e0041");
}

TEST(Printable, shows_bytes_that_are_no_letters) {
    EXPECT_EQ(printable("a\xff"), "a\\xff");
    EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");           // overlong
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(printable("\xe4\xb8"), "\\xe4\\xb8");  // cut short
}

TEST(EscapeHtml, leaves_no_mark_of_html) {
    EXPECT_EQ(escape_html("<a href=\"x\" b='y'>&"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
}

TEST(EscapeMarkdown, leaves_no_mark_of_markdown) {
    EXPECT_EQ(escape_markdown("*a* _b_ `c` [d](e) | # ~ <i>"),
              "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\| \\# \\~ &lt;i&gt;");
    EXPECT_EQ(escape_markdown("y is fine: 0.5"), "y is fine: 0.5");
}

TEST(EscapeMarkdown, makes_no_link_and_calls_nobody) {
    EXPECT_EQ(escape_markdown("http://a.b www.c.d"), "http\\://a.b www\\.c.d");
    EXPECT_EQ(escape_markdown("@team"), "@\u2060team");
}

TEST(CodeSpan, is_longer_than_the_backticks_inside) {
    EXPECT_EQ(code_span("a"), "`a`");
    EXPECT_EQ(code_span("a``b"), "```a``b```");
    EXPECT_EQ(code_span("`"), "`` ` ``");
    EXPECT_EQ(code_span(""), "`  `");
    EXPECT_EQ(cell_code("a|b"), "`a\\|b`");
}

TEST(CodeBlock, is_longer_than_the_backticks_inside) {
    EXPECT_EQ(code_block("a", "sh"), "```sh\na\n```\n");
    EXPECT_EQ(code_block("````", ""), "`````\n````\n`````\n");
}

TEST(ShellQuoted, is_one_word) {
    EXPECT_EQ(shell_quoted("kernel=a b"), "'kernel=a b'");
    EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace normcheck
