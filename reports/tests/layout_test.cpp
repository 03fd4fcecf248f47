// Tests of text in a given width.
#include "reports/layout.hpp"

#include <gtest/gtest.h>

namespace normcheck {
namespace {

Column column(const char* head, const char* entry) {
    return {head, {{entry}}};
}

TEST(Wrap, breaks_at_spaces_and_fills_the_width) {
    EXPECT_EQ(wrap("aa bb cc", 5), (std::vector<std::string>{"aa bb", "cc"}));
    EXPECT_EQ(wrap("aa bb cc", 8), (std::vector<std::string>{"aa bb cc"}));
}

TEST(Wrap, leaves_a_long_word_whole) {
    EXPECT_EQ(wrap("a bbbbbbbb c", 4), (std::vector<std::string>{"a", "bbbbbbbb", "c"}));
}

TEST(Paragraph, indents_further_lines_by_its_lead_and_leaves_no_space_at_the_end) {
    EXPECT_EQ(paragraph("x: ", "aa bb", {5, false}), "x: aa\n   bb\n");
    EXPECT_EQ(paragraph("x: ", "", {5, false}), "x:\n");
}

TEST(Paint, writes_escapes_only_on_a_page_with_color) {
    EXPECT_EQ(paint("a", Style::red, {80, false}), "a");
    EXPECT_EQ(paint("a", Style::red, {80, true}), "\x1b[1;31ma\x1b[0m");
    EXPECT_EQ(paint_lines("a\n\nb\n", Style::dim, {80, true}), "\x1b[2ma\x1b[0m\n\n\x1b[2mb\x1b[0m\n");
}

TEST(Table, aligns_numbers_right_under_heads_of_several_lines) {
    Column first = column("kind", "a");
    first.left = true;
    const Columns table{first, column("error\n[ulp]", "7")};
    EXPECT_EQ(head_lines(table, {}), "        error\n  kind  [ulp]\n");
    EXPECT_EQ(row_line(table, 0, {}), "  a         7");
    EXPECT_EQ(width(table), 13);
}

TEST(Fold, keeps_one_table_where_all_fits) {
    EXPECT_EQ(fold(column("k", "a"), {{column("b", "1")}, {column("c", "2")}}, 9).size(), 1u);
}

TEST(Fold, begins_a_new_table_between_groups_first) {
    const Columns group{column("b", "1"), column("c", "2")};
    const std::vector<Columns> tables = fold(column("k", "a"), {group, group}, 12);
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[0].size(), 3u);
    EXPECT_EQ(tables[1].size(), 3u);
    EXPECT_EQ(tables[1][0].head, "k");
}

TEST(Fold, breaks_a_group_up_where_it_alone_is_too_wide) {
    const Columns group{column("b", "1"), column("c", "2"), column("d", "3")};
    const std::vector<Columns> tables = fold(column("k", "a"), {group}, 9);
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[1].back().head, "d");
}

}  // namespace
}  // namespace normcheck
