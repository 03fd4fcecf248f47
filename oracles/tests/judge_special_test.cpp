// NaN and Inf in every place, against a plain evaluation of the formula in double.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/tests/judge_rows.hpp"

namespace normcheck {
namespace {

using rows::Codes;
using rows::codes;
using rows::Given;
using rows::Numbers;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double specials[] = {1.0, nan_value, infinity, -infinity};
constexpr double eps = 1e-6;

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// The formula as IEEE arithmetic gives it; `layer` subtracts the mean.
std::vector<double> plain(bool layer, const Numbers& row) {
    std::vector<double> s = row.x, squares, y;
    for (size_t i = 0; i < s.size(); ++i) s[i] += row.residual[i];
    const double mean = layer ? mean_of(s) : 0;
    for (const double value : s) squares.push_back((value - mean) * (value - mean));
    const double rstd = 1 / std::sqrt(mean_of(squares) + eps);
    for (size_t i = 0; i < s.size(); ++i) {
        const double normed = layer ? (s[i] - mean) * rstd : s[i] * rstd;
        y.push_back(normed * row.gamma[i] + row.beta[i]);
    }
    return y;
}

const char* contract_of(bool layer) {
    return layer ? "layer gamma=mul beta=add residual=wide" : "rms gamma=mul beta=add residual=wide";
}

/// The row number k: one of four values in x, gamma, beta, residual of element 1, and in x of element 2.
Numbers numbered(int k) {
    const auto special = [k](int digit) { return specials[k >> (2 * digit) & 3]; };
    return {
        {-3, special(0), 2 * special(4), 0.5}, {2, special(1), -1, 1}, {0.5, special(2), 1, 0}, {1, special(3), 1, 1}};
}

class EveryCombination : public testing::TestWithParam<bool> {};

TEST_P(EveryCombination, is_judged_as_ieee_arithmetic_gives_it) {
    for (int k = 0; k < 1024; ++k) {
        const Numbers row = numbered(k);
        const Given given(contract_of(GetParam()), row);
        const RowResult result = given.result(codes(plain(GetParam(), row), FormatId::f32));
        EXPECT_EQ(name(result.verdict), std::string("pass")) << k << " " << result.reason << " at " << result.failing;
    }
}

// Every output in turn is replaced by something of another class.
TEST_P(EveryCombination, refuses_an_output_of_another_class) {
    for (int k = 1; k < 1024; ++k) {
        const Numbers row = numbered(k);
        const Given given(contract_of(GetParam()), row);
        const std::vector<double> right = plain(GetParam(), row);
        for (size_t i = 0; i < right.size(); ++i)
            for (const double wrong : {nan_value, infinity, -infinity, 77.0}) {
                std::vector<double> y = right;
                if (std::isnan(y[i]) == std::isnan(wrong) && (std::isnan(wrong) || y[i] == wrong)) continue;
                y[i] = wrong;
                EXPECT_EQ(given.verdict(y), Verdict::fail) << k << " element " << i << " as " << wrong;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(JudgeSpecial, EveryCombination, testing::Values(false, true),
                         [](const auto& chosen) { return chosen.param ? "layer" : "rms"; });

TEST(JudgeSpecial, puts_rows_with_a_special_value_into_their_own_regime) {
    const Given given("rms", {{1, nan_value}, {}, {}, {}});
    EXPECT_EQ(given.result(codes({nan_value, nan_value}, FormatId::f32)).regime, Regime::special);
}

TEST(JudgeSpecial, gives_zeros_beside_an_infinity_in_rms) {
    const Given given("rms beta=add", {{1, infinity, -2}, {3, 3, 3}, {0, 1, 5}, {}});
    EXPECT_EQ(given.verdict(std::vector<double>{0, nan_value, 5}), Verdict::pass);
    EXPECT_EQ(given.verdict(std::vector<double>{0, nan_value, 4}), Verdict::fail);
    EXPECT_EQ(given.verdict(std::vector<double>{0, infinity, 5}), Verdict::fail);
}

TEST(JudgeSpecial, demands_nan_in_the_whole_row_where_the_contract_says_so) {
    const Given given("rms inf=nan_row", {{1, infinity, -2}, {}, {}, {}});
    EXPECT_EQ(given.verdict(std::vector<double>{nan_value, nan_value, nan_value}), Verdict::pass);
    EXPECT_EQ(given.verdict(std::vector<double>{0, nan_value, 0}), Verdict::fail);
}

TEST(JudgeSpecial, demands_nan_in_the_statistics_of_a_row_with_nan) {
    const Given given("layer", {{1, nan_value}, {}, {}, {}});
    const Codes y = codes({nan_value, nan_value}, FormatId::f32);
    RowOutputs outputs{.y = y.data(), .residual_out = nullptr, .mean = y[0], .rstd = y[0]};
    EXPECT_EQ(given.result(outputs).verdict, Verdict::pass);
    outputs.mean = 0;
    EXPECT_EQ(given.result(outputs).verdict, Verdict::fail);
    outputs.mean = y[0];
    outputs.rstd = 0;
    EXPECT_EQ(given.result(outputs).verdict, Verdict::fail);
}

TEST(JudgeSpecial, takes_a_residual_sum_that_overflows_its_storage_as_infinite) {
    const Given given("rms x=f16 residual=rounded", {{65504, 1}, {}, {}, {65504, 1}});
    EXPECT_EQ(given.verdict(std::vector<double>{nan_value, 0}), Verdict::pass);
    EXPECT_EQ(given.verdict(std::vector<double>{1, 0}), Verdict::fail);
}

TEST(JudgeSpecial, judges_the_residual_sum_of_a_row_with_an_infinity) {
    const Given given("rms residual=wide", {{infinity, 1}, {}, {}, {1, 1}});
    const Codes y = codes({nan_value, 0}, FormatId::f32);
    const Codes right = codes({infinity, 2}, FormatId::f32);
    const Codes wrong = codes({infinity, 3}, FormatId::f32);
    RowOutputs outputs{.y = y.data(), .residual_out = right.data(), .mean = {}, .rstd = {}};
    EXPECT_EQ(given.result(outputs).verdict, Verdict::pass);
    outputs.residual_out = wrong.data();
    EXPECT_EQ(given.result(outputs).verdict, Verdict::fail);
}

TEST(JudgeSpecial, keeps_an_infinite_gamma_to_its_element) {
    const Given given("rms", {{1, -1, 0}, {infinity, infinity, 1}, {}, {}});
    EXPECT_EQ(given.verdict(std::vector<double>{infinity, -infinity, 0}), Verdict::pass);
    EXPECT_EQ(given.verdict(std::vector<double>{infinity, infinity, 0}), Verdict::fail);
    EXPECT_EQ(given.verdict(std::vector<double>{infinity, -infinity, 1}), Verdict::fail);
}

// What the judge once got wrong, one reproducer each.
TEST(JudgeSpecial, multiplies_an_infinite_gamma_with_a_normalised_value_that_was_stored_as_zero) {
    const Given given("rms cast=before_gamma y=f16", {{1, 1e-9}, {1, infinity}, {}, {}});
    EXPECT_EQ(given.verdict(std::vector<double>{1.4140625, nan_value}), Verdict::pass);
}

TEST(JudgeSpecial, targets_know_a_non_finite_gamma) {
    const Given given("rms", {{1, 1}, {1, infinity}, {}, {}});
    EXPECT_EQ(given.target_numbers()[1], infinity);
}

TEST(JudgeSpecial, judges_the_statistics_of_a_row_with_an_infinity) {
    const Given given("layer", {{infinity, 1}, {}, {}, {}});
    const Codes y = codes({nan_value, nan_value}, FormatId::f32);
    const RowOutputs outputs{
        .y = y.data(), .residual_out = nullptr, .mean = codes({3}, FormatId::f32)[0], .rstd = y[0]};
    EXPECT_EQ(given.result(outputs).verdict, Verdict::fail);
}

}  // namespace
}  // namespace normcheck
