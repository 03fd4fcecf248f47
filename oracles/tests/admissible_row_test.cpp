// Admissible sets of whole rows: the same as those that single elements are explained by.
#include "oracles/admissible_row.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace normcheck {
namespace {

uint64_t code(FormatId id, double value) {
    return round_double(format(id), value);
}

std::vector<uint64_t> codes(FormatId id, std::initializer_list<double> values) {
    std::vector<uint64_t> result;
    for (const double value : values) result.push_back(code(id, value));
    return result;
}

void expect_as_explained(const char* words) {
    const Contract contract = parse_contract(words);
    const auto x = codes(contract.x, {1.5, -0.3, 7, 100, 0.01}), gamma = codes(contract.params, {1, -2, 0.5, 3, 0});
    const AdmissibleRows rows(contract, 5, gamma.data(), nullptr);
    const Judge judge(contract, 5, gamma.data(), nullptr);
    const AdmissibleRows::Row row = rows.row({x.data(), {}});
    ASSERT_EQ(row.left_out, "") << words;
    const std::vector<uint64_t> y = judge.targets({x.data(), {}});
    for (int64_t i = 0; i < 5; ++i) {
        const ElementStory story = judge.explain({x.data(), {}}, {y.data(), {}, {}, {}}, Output::y, i);
        const AdmissibleElement& element = row.elements[static_cast<size_t>(i)];
        EXPECT_EQ(element.lowest, decode_double(format(contract.y), story.lowest)) << words << i;
        EXPECT_EQ(element.highest, decode_double(format(contract.y), story.highest)) << words << i;
        EXPECT_LE(element.lowest, element.highest);
        if (contract.cast == Cast::last) {
            EXPECT_EQ(element.formula, story.exact) << words << i;
        }
    }
}

TEST(AdmissibleRow, agrees_with_what_elements_are_explained_by) {
    for (const char* words :
         {"rms", "rms x=bf16", "layer x=f16", "layer variance=welford", "rms cast=before_gamma x=bf16"})
        expect_as_explained(words);
}

TEST(AdmissibleRow, the_formula_has_no_named_rounding) {
    const Contract contract = parse_contract("rms cast=before_gamma x=bf16 eps=0");
    const auto x = codes(FormatId::bf16, {1, 2}), gamma = codes(FormatId::bf16, {3, 1});
    const AdmissibleRows rows(contract, 2, gamma.data(), nullptr);
    EXPECT_NEAR(rows.row({x.data(), {}}).elements[0].formula, 3 / std::sqrt(2.5), 1e-15);
}

TEST(AdmissibleRow, is_the_hull_over_all_stored_statistics_that_are_admissible) {
    const Contract contract = parse_contract("rms x=bf16 y=f32 reduce=sequential stored=rstd:f16");
    int wider = 0;
    for (int scale = 1; scale <= 200; ++scale) {
        std::vector<uint64_t> x;
        for (int i = 0; i < 64; ++i) x.push_back(code(FormatId::bf16, scale * (1 + i * 0.37)));
        const AdmissibleRows::Row row = AdmissibleRows(contract, 64, nullptr, nullptr).row({x.data(), {}});
        ASSERT_EQ(row.left_out, "");
        const Judge judge(contract, 64, nullptr, nullptr);
        const std::vector<uint64_t> y = judge.targets({x.data(), {}});
        const ElementStory story = judge.explain({x.data(), {}}, {y.data(), {}, {}, {}}, Output::y, 63);
        const double lowest = decode_double(format(contract.y), story.lowest);
        const double highest = decode_double(format(contract.y), story.highest);
        EXPECT_LE(row.elements[63].lowest, lowest);
        EXPECT_GE(row.elements[63].highest, highest);
        wider += row.elements[63].lowest < lowest || row.elements[63].highest > highest ? 1 : 0;
    }
    EXPECT_GT(wider, 0);
}

TEST(AdmissibleRow, says_why_a_row_is_left_out) {
    const Contract contract = parse_contract("layer eps=0");
    const AdmissibleRows rows(contract, 2, nullptr, nullptr);
    const auto with_nan = std::vector<uint64_t>{code(FormatId::f32, 1), format(FormatId::f32).nan_code()};
    EXPECT_EQ(rows.row({with_nan.data(), {}}).left_out, "the row has NaN or Inf");
    const auto constant = codes(FormatId::f32, {3, 3});
    EXPECT_NE(rows.row({constant.data(), {}}).left_out, "");
}

/// Storing in the accumulator's format rounds no further than steps in it do, so that it takes nothing away, also where
/// there are more combinations of stored values than are tried one by one.
TEST(AdmissibleRow, loses_no_value_where_elements_are_stored_several_times) {
    for (int64_t step = 0; step < 120; ++step) {
        const int64_t cols = 2 + step % 12;
        const double mean = 0.1 * std::exp2(static_cast<double>(step / 12) / 2);
        const size_t size = static_cast<size_t>(cols);
        const std::vector<uint64_t> gamma(size, code(FormatId::f32, 1.1)), beta(size, code(FormatId::f32, 0.3));
        std::vector<uint64_t> x;
        for (size_t i = 0; i < size; ++i)
            x.push_back(code(FormatId::f32, mean + 0.7 * std::sin(static_cast<double>(i))));
        const auto row_of = [&](const char* words) {
            return AdmissibleRows(parse_contract(words), cols, gamma.data(), beta.data()).row({x.data(), {}});
        };
        const AdmissibleRows::Row plain = row_of("layer beta=add");
        const AdmissibleRows::Row kept = row_of("layer beta=add cast=before_gamma stored=centred:f32,scaled:f32");
        ASSERT_EQ(kept.left_out, "");
        for (size_t i = 0; i < size; ++i) {
            const AdmissibleElement &a = plain.elements[i], &b = kept.elements[i];
            const double room = 0.05 * (a.highest - a.lowest) + 0x1p-21 * std::fabs(a.highest);
            EXPECT_LE(b.lowest, a.lowest + room) << step << ' ' << i;
            EXPECT_GE(b.highest, a.highest - room) << step << ' ' << i;
        }
    }
}

}  // namespace
}  // namespace normcheck
