// The reader of corpora: what it takes, and what it refuses with which words.
#include "harness/check/corpus.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

CorpusLine only_line(const std::string& text) {
    const std::vector<CorpusLine> lines = parse_corpus(text, "corpus");
    EXPECT_EQ(lines.size(), 1U) << text;
    return lines.at(0);
}

std::string refusal(const std::string& text) {
    try {
        parse_corpus(text, "corpus");
    } catch (const InputError& error) {
        return error.what();
    }
    return "taken";
}

StatedValue right_of(const std::string& number) {
    return only_line("rms cols=4 => pass right=2:" + number).right.at(0);
}

TEST(Corpus, a_line_is_a_case_and_a_verdict) {
    const CorpusLine line = only_line("kernel=cpu/rms eps=1e-5 cols=7 => outside");
    EXPECT_EQ(line.call, parse_case("kernel=cpu/rms eps=1e-5 cols=7"));
    EXPECT_EQ(line.verdict, Verdict::outside);
    EXPECT_EQ(line.text, "kernel=cpu/rms eps=1e-5 cols=7 => outside");
    EXPECT_TRUE(line.right.empty() && line.target.empty() && line.residual_out.empty() && line.wrong.empty());
    EXPECT_FALSE(line.alone || line.is_slow);
    EXPECT_EQ(line.repeat, 1);
}

TEST(Corpus, comments_name_the_entry_of_the_lines_below) {
    const auto lines =
        parse_corpus("# A01 one\nrms cols=4 => pass\n\n# more words\nrms => pass\n# X10 b\nrms => pass", "");
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].entry, "A01");
    EXPECT_EQ(lines[0].number, 2);
    EXPECT_EQ(lines[1].entry, "A01");
    EXPECT_EQ(lines[2].entry, "X10");
    EXPECT_EQ(lines[2].number, 7);
    EXPECT_EQ(only_line("rms => pass").entry, "");
    EXPECT_EQ(only_line("# A1 x\n# a01 x\n# A011 x\nrms => pass").entry, "");
}

TEST(Corpus, all_words_after_the_verdict_are_read) {
    const CorpusLine line = only_line(
        "rms rows=3 cols=4 => pass right=0:1.25,2.3:-0.500e-1,1.1:0 target=1:nan wrong=0:inf repeat=9 alone long");
    ASSERT_EQ(line.right.size(), 3U);
    EXPECT_EQ(line.right[1].row, 2);
    EXPECT_EQ(line.right[1].index, 3);
    EXPECT_EQ(line.right[1].value, -0.05);
    EXPECT_TRUE(std::isnan(line.target.at(0).value));
    EXPECT_TRUE(std::isinf(line.wrong.at(0).value));
    EXPECT_EQ(line.repeat, 9);
    EXPECT_TRUE(line.alone);
    EXPECT_TRUE(line.is_slow);
    EXPECT_EQ(only_line("rms residual=wide => pass residual_out=0:256").residual_out.at(0).value, 256);
}

TEST(Corpus, a_right_answer_is_as_sharp_as_its_digits) {
    EXPECT_DOUBLE_EQ(right_of("1.25").half_unit, 0.005);
    EXPECT_DOUBLE_EQ(right_of("-1.92e-5").half_unit, 0.5e-7);
    EXPECT_DOUBLE_EQ(right_of("1.92e+05").half_unit, 500);
    EXPECT_DOUBLE_EQ(right_of("125").half_unit, 0.5);
    EXPECT_DOUBLE_EQ(right_of("1.00000000").half_unit, 0.5e-8);
    EXPECT_EQ(right_of("0").half_unit, 0);
}

TEST(Corpus, right_answers_without_digits_are_refused) {
    for (const char* number : {"1", "1.0", "0.05", "0.0", "nan", "inf", "0x1.8p0"})
        EXPECT_EQ(refusal(std::string("rms cols=4 => pass right=2:") + number),
                  "corpus:1: right: '2:" + std::string(number) + "': expected 0 or a decimal of 3 digits or more");
}

TEST(Corpus, refusals_name_the_line_and_what_was_expected) {
    EXPECT_EQ(refusal("# a\nrms cols=4"), "corpus:2: expected CASE => VERDICT");
    EXPECT_EQ(refusal("rms => "), "corpus:1: expected a verdict after =>");
    EXPECT_EQ(refusal("rms => good"),
              "corpus:1: 'good' is no verdict; expected one of pass, fail, suspect, outside, doubtful, unsupported");
    EXPECT_EQ(
        refusal("rms => pass rigth=0:1.25"),
        "corpus:1: 'rigth=0:1.25': expected right=, target=, residual_out=, wrong=, alone, repeat=N or long after "
        "the verdict");
    EXPECT_EQ(refusal("rms => pass wrong=1"), "corpus:1: wrong: '1': expected INDEX:VALUE or ROW.INDEX:VALUE");
    EXPECT_EQ(refusal("rms => outside wrong=0:1"), "corpus:1: wrong: the verdict outside promises no answer");
    EXPECT_EQ(refusal("rms cols=3 => pass wrong=3:1"), "corpus:1: wrong=3: expected a whole number from 0 to 2");
    EXPECT_EQ(refusal("rms cols=3 => pass wrong=1.0:1"), "corpus:1: wrong=1: expected a whole number from 0 to 0");
    EXPECT_EQ(refusal("rms => pass repeat=0"), "corpus:1: repeat=0: expected a whole number from 1 to 1000000");
    EXPECT_NE(refusal("rms colls=3 => pass").find("corpus:1: 'colls=3': unknown word in a case"), std::string::npos);
}

TEST(Corpus, a_file_that_is_not_there_is_refused) {
    EXPECT_THROW(read_corpus("/nowhere/at.all"), InputError);
}

}  // namespace
}  // namespace normcheck
