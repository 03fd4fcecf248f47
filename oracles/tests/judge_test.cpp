// The judge against the exact oracle, faults it must refuse, rows it must leave alone, and what it measures.
#include "oracles/judge.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "oracles/error.hpp"
#include "oracles/exact.hpp"
#include "oracles/tests/judge_rows.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck {
namespace {

using rows::Codes;
using rows::codes;
using rows::Given;
using rows::Numbers;
using rows::repeated;
using rows::spike;
using rows::word;

RowOutputs outputs_of(const Codes& y) {
    return {.y = y.data(), .residual_out = nullptr, .mean = {}, .rstd = {}};
}

/// Rows that both oracles know how to judge.
bool is_usable(const twin::MpfrTwin& twin) {
    return twin.defined() && twin.finite();
}

TEST(Judge, targets_are_those_of_the_exact_oracle) {
    int64_t outputs = 0;
    for (uint64_t index = 0; index < 4000; ++index) {
        const twin::TwinRow row = twin::twin_row(61, index);
        const twin::Inputs in = row.inputs();
        const twin::MpfrTwin twin(row.contract, in);
        if (!is_usable(twin)) continue;
        const ExactRow exact(row.contract, in.cols, in.x, in.residual, in.gamma, in.beta);
        const Codes targets = Judge(row.contract, in.cols, in.gamma, in.beta).targets({in.x, in.residual});
        for (int64_t i = 0; i < in.cols; ++i) {
            if (!twin.finite_at(i)) continue;
            ++outputs;
            ASSERT_EQ(rank(format(row.contract.y), targets[static_cast<size_t>(i)]),
                      rank(format(row.contract.y), exact.y(i)))
                << index << " " << row.family << " [" << print(row.contract) << "] element " << i;
        }
    }
    EXPECT_GT(outputs, 50000);
}

TEST(Judge, never_refuses_its_own_target) {
    for (uint64_t index = 0; index < 3000; ++index) {
        const twin::TwinRow row = twin::twin_row(62, index);
        const twin::Inputs in = row.inputs();
        const twin::MpfrTwin twin(row.contract, in);
        if (!is_usable(twin)) continue;
        const Judge judge(row.contract, in.cols, in.gamma, in.beta);
        const Codes y = judge.targets({in.x, in.residual});
        const RowResult result = judge.judge({in.x, in.residual}, outputs_of(y));
        EXPECT_NE(result.verdict, Verdict::fail) << index << " [" << print(row.contract) << "] " << result.reason;
        if (result.verdict == Verdict::pass) {
            EXPECT_EQ(result.correctly_rounded, in.cols);
        }
    }
}

TEST(Judge, judges_the_returned_residual_sum) {
    const Given given("rms x=bf16 residual=wide", {{1, 1}, {1, 1}, {}, {0, 0.009765625}});
    const Codes y = given.targets();
    Codes sum = codes({1, 1.0078125}, FormatId::bf16);
    RowOutputs outputs = outputs_of(y);
    outputs.residual_out = sum.data();
    EXPECT_EQ(given.result(outputs).verdict, Verdict::pass);
    ++sum[0];
    EXPECT_EQ(given.result(outputs).verdict, Verdict::fail);
}

// Which placements of eps pass for which on a row of eight values; pairs are printed as they are found.
using Pairs = std::set<std::string>;
Pairs not_told_apart(const char* norm, double eps, const Numbers& row) {
    Pairs pairs;
    const auto given = [&](int at) {
        return Given(fmt::format("{} eps={} eps_at={}", norm, eps, name(static_cast<EpsAt>(at))), row);
    };
    for (int a = 0; a < 9; ++a)
        for (int b = 0; b < 9; ++b) {
            const bool layer = std::string(norm) == "layer";
            const int max_norm = static_cast<int>(EpsAt::max_norm);
            if (a == b || (layer && (a == max_norm || b == max_norm))) continue;
            if (given(b).verdict(given(a).targets()) == Verdict::fail) continue;
            pairs.insert(fmt::format("{} as {}", name(static_cast<EpsAt>(a)), name(static_cast<EpsAt>(b))));
        }
    for (const std::string& pair : pairs) fmt::print("not told apart ({}, eps {}): {}\n", norm, eps, pair);
    return pairs;
}

// Values about as large as `size`, of both signs.
Numbers around(double size) {
    const std::vector<double> shape = {1, -1.25, 0.75, -1, 1.5, -0.5, 0.875, -1.125};
    std::vector<double> x;
    for (const double value : shape) x.push_back(value * size);
    return {x, {}, {}, {}};
}

TEST(Judge, tells_every_placement_of_eps_from_every_other) {
    for (const char* norm : {"layer", "rms"}) {
        Pairs always = not_told_apart(norm, 0.25, around(0.3));
        for (const double size : {0.01, 0.1}) {
            const Pairs here = not_told_apart(norm, 0.25, around(size));
            std::erase_if(always, [&](const std::string& pair) { return !here.contains(pair); });
        }
        EXPECT_EQ(always, Pairs{}) << norm;
    }
}

TEST(Judge, does_not_tell_apart_only_what_agrees_on_the_row) {
    // There the standard deviation is above eps and the norm too: max_std and max_norm do not act.
    EXPECT_EQ(not_told_apart("layer", 0.25, around(0.3)), (Pairs{"max_std as none", "none as max_std"}));
    EXPECT_EQ(not_told_apart("rms", 0.25, around(0.3)),
              (Pairs{"max_norm as max_std", "max_norm as none", "max_std as max_norm", "max_std as none",
                     "none as max_norm", "none as max_std"}));
}

TEST(Judge, refuses_eps_outside_only_where_eps_counts) {
    const Given inside("layer eps=1e-5", around(1e-3));
    const Given outside("layer eps=1e-5 eps_at=outside", around(1e-3));
    EXPECT_EQ(inside.verdict(outside.targets()), Verdict::fail);
    EXPECT_EQ(outside.verdict(outside.targets()), Verdict::pass);
    const Given large_inside("layer eps=1e-5", around(1e8));
    const Given large_outside("layer eps=1e-5 eps_at=outside", around(1e8));
    EXPECT_EQ(large_inside.verdict(large_outside.targets()), Verdict::pass);
}

/// The formula in double, to be got wrong on purpose.
std::vector<double> normalised(const std::vector<double>& x, double centre_share, double count_less,
                               double eps = 1e-5) {
    double mean = 0, squares = 0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    for (const double value : x) squares += (value - mean) * (value - mean);
    const double rstd = 1 / std::sqrt(squares / (static_cast<double>(x.size()) - count_less) + eps);
    std::vector<double> y;
    for (const double value : x) y.push_back((value - centre_share * mean) * rstd);
    return y;
}

std::vector<double> random_values(size_t n, double offset) {
    twin::Draw draw(63, n);
    std::vector<double> x;
    for (size_t i = 0; i < n; ++i) x.push_back(static_cast<double>(static_cast<float>(offset + draw.bell())));
    return x;
}

TEST(Judge, refuses_a_variance_over_one_less_and_a_mean_left_in) {
    for (const size_t n : {4, 64, 1000}) {
        const std::vector<double> x = random_values(n, 0.5);
        const Given given("layer eps=1e-5", {x, {}, {}, {}});
        EXPECT_EQ(given.verdict(normalised(x, 1, 0)), Verdict::pass) << n;
        EXPECT_EQ(given.verdict(normalised(x, 1, 1)), Verdict::fail) << n;
        EXPECT_EQ(given.verdict(normalised(x, 0, 0)), Verdict::fail) << n;
        EXPECT_EQ(given.verdict(normalised(x, 1, 0, 2e-4)), Verdict::fail) << n;
    }
}

TEST(Judge, refuses_truncation_to_bf16) {
    const std::vector<double> x = random_values(64, 0);
    const Given given("layer x=f32 y=bf16 eps=1e-5", {x, {}, {}, {}});
    Codes truncated;
    for (const double value : normalised(x, 1, 0))
        truncated.push_back(round_double(format(FormatId::f32), value) >> 16);
    EXPECT_EQ(given.verdict(truncated), Verdict::fail);
    EXPECT_EQ(given.verdict(normalised(x, 1, 0)), Verdict::pass);
}

TEST(Judge, admits_only_beta_on_constant_rows_whose_sums_are_exact) {
    for (const size_t n : {1, 2, 4, 64, 1024, 4096})
        for (const double value : {3.0, -1234.0, 0.5}) {
            const Given given("layer eps=1e-12 beta=add", {repeated({value}, n), {}, repeated({0.75}, n), {}});
            std::vector<double> y = repeated({0.75}, n);
            EXPECT_EQ(given.verdict(y), Verdict::pass) << n << " of " << value;
            y[n - 1] += 0x1p-24;
            EXPECT_EQ(given.verdict(y), Verdict::fail) << n << " of " << value;
        }
}

TEST(Judge, admits_only_zero_on_constant_rows_without_beta) {
    const Given given("layer eps=1e-12", {repeated({1234}, 4096), {}, {}, {}});
    EXPECT_EQ(given.verdict(repeated({0}, 4096)), Verdict::pass);
    EXPECT_EQ(given.verdict(spike(0x1p-149, 0, 4096)), Verdict::fail);
}

TEST(Judge, keeps_out_of_rows_the_contract_does_not_promise) {
    const Numbers large{{1e20, 2e20}, {}, {}, {}};
    EXPECT_EQ(Given("rms", large).verdict(std::vector<double>{0, 0}), Verdict::outside);
    EXPECT_EQ(Given("rms range=full", large).verdict(std::vector<double>{0, 0}), Verdict::fail);
    const Given full("rms acc=f64 range=full", large);
    EXPECT_EQ(full.verdict(full.targets()), Verdict::pass);
    EXPECT_EQ(Given("rms eps=0", {{0, 0}, {}, {}, {}}).verdict(std::vector<double>{0, 0}), Verdict::outside);
    EXPECT_EQ(Given("layer eps_at=none", {{3, 3}, {}, {}, {}}).verdict(std::vector<double>{0, 0}), Verdict::outside);
}

TEST(Judge, keeps_out_of_one_pass_rows_that_cancel) {
    const Numbers row{{40000, 40001, 40002, 40003}, {}, {}, {}};
    EXPECT_EQ(Given("layer variance=one_pass", row).verdict(std::vector<double>{0, 0, 0, 0}), Verdict::outside);
    EXPECT_EQ(Given("layer", row).verdict(std::vector<double>{0, 0, 0, 0}), Verdict::fail);
}

TEST(Judge, keeps_out_of_rows_too_long_for_their_accumulator) {
    for (const char* narrow : {"f16", "bf16"}) {
        const Numbers row{random_values(4096, 0), {}, {}, {}};
        const RowResult result = Given(fmt::format("rms x={0} acc={0}", narrow), row).result(Codes(4096));
        EXPECT_EQ(word(result.verdict), "outside") << narrow;
        EXPECT_NE(result.reason.find("bound says nothing"), std::string::npos) << result.reason;
    }
}

TEST(Judge, doubts_rows_whose_bound_is_as_wide_as_their_outputs) {
    const Given given("layer eps=1e-12", {repeated({1e7, 1e7 + 1}, 1001), {}, {}, {}});
    EXPECT_EQ(word(given.verdict(given.targets())), "doubtful");
    EXPECT_EQ(word(Given("layer", {{1, 2, 3}, {}, {}, {}}).verdict(std::vector<double>{0, 0, 0})), "fail");
}

TEST(Judge, suspects_only_random_rows) {
    const std::vector<double> x = random_values(20000, 0);
    const Given given("rms eps=1e-5", {x, {}, {}, {}});
    std::vector<double> y = given.target_numbers();
    for (double& value : y) value *= 1 + 0.9 * 10000 * 0x1p-24;
    const Codes wrong = codes(y, FormatId::f32);
    EXPECT_EQ(word(given.result(wrong).verdict), "pass");
    EXPECT_EQ(word(given.result(wrong, {.random_fill = true}).verdict), "suspect");
    EXPECT_EQ(word(given.result(given.targets(), {.random_fill = true}).verdict), "pass");
}

TEST(Judge, takes_rows_without_elements_and_with_one) {
    EXPECT_EQ(Judge(parse_contract("rms"), 0, nullptr, nullptr).judge({}, {}).verdict, Verdict::doubtful);
    const Given layer("layer beta=add", {{1e6}, {123}, {3}, {}});
    EXPECT_EQ(layer.verdict(std::vector<double>{3}), Verdict::pass);
    EXPECT_EQ(layer.verdict(std::vector<double>{3.0000002}), Verdict::fail);
    const Given rms("rms eps=1e-5", {{-5}, {}, {}, {}});
    EXPECT_EQ(rms.verdict(std::vector<double>{-0.9999998}), Verdict::pass);
    EXPECT_EQ(rms.verdict(std::vector<double>{-1}), Verdict::fail);
}

TEST(Judge, takes_rows_of_zeros) {
    for (const char* contract : {"rms", "layer", "rms eps_at=max_norm", "rms eps_at=outside"}) {
        const Given given(contract, {{0, 0, 0, 0}, {}, {}, {}});
        EXPECT_EQ(given.verdict(std::vector<double>{0, -0.0, 0, 0}), Verdict::pass) << contract;
        EXPECT_EQ(given.verdict(std::vector<double>{0, 0x1p-149, 0, 0}), Verdict::fail) << contract;
    }
}

TEST(Judge, demands_the_overflow_that_the_contract_declares) {
    const double infinity = HUGE_VAL;
    const Numbers row{{1, 1, -1}, {65000, 70000, 70000}, {}, {}};
    const Given inf("rms params=f32 y=f16", row);
    const Given saturating("rms params=f32 y=f16 overflow=saturate", row);
    EXPECT_EQ(inf.verdict(std::vector<double>{64992, infinity, -infinity}), Verdict::pass);
    EXPECT_EQ(inf.verdict(std::vector<double>{64992, 65504, -65504}), Verdict::fail);
    EXPECT_EQ(saturating.verdict(std::vector<double>{64992, 65504, -65504}), Verdict::pass);
    EXPECT_EQ(saturating.verdict(std::vector<double>{64992, infinity, -infinity}), Verdict::fail);
    EXPECT_LE(inf.result(codes({64992, infinity, -infinity}, FormatId::f16)).row_error.value_or(1), 0.5);
}

TEST(Judge, admits_flushed_outputs_only_where_declared) {
    const Numbers row{{1, 1}, {0x1p-130, 1}, {}, {}};
    const Given keep("rms eps=0", row);
    const Given flush("rms eps=0 subnormals=flush_output", row);
    EXPECT_EQ(keep.verdict(std::vector<double>{0x1p-130, 1}), Verdict::pass);
    EXPECT_EQ(keep.verdict(std::vector<double>{0, 1}), Verdict::fail);
    EXPECT_EQ(flush.verdict(std::vector<double>{0, 1}), Verdict::pass);
    EXPECT_EQ(flush.verdict(std::vector<double>{0x1p-130, 1}), Verdict::pass);
    EXPECT_EQ(flush.verdict(std::vector<double>{0x1p-124, 1}), Verdict::fail);
}

TEST(Judge, admits_flushed_outputs_of_a_narrow_format) {
    const Numbers row{{1, 1}, {0x1p-18, -0x1p-18}, {}, {}};
    const std::vector<double> flushed = {0, -0.0};
    EXPECT_EQ(Given("rms params=f32 y=f16", row).verdict(flushed), Verdict::fail);
    EXPECT_EQ(Given("rms params=f32 y=f16 subnormals=flush_output", row).verdict(flushed), Verdict::pass);
}

TEST(Judge, admits_flushed_inputs_only_where_declared) {
    const Numbers row{{0x1p-127, 1}, {0x1p20, 1}, {}, {}};
    std::vector<double> y = Given("rms", row).target_numbers();
    y[0] = 0;
    EXPECT_EQ(Given("rms", row).verdict(y), Verdict::fail);
    EXPECT_EQ(Given("rms subnormals=flush_both", row).verdict(y), Verdict::pass);
}

RowResult with_statistics(const Given& given, const Codes& y, int64_t mean_off, int64_t rstd_off) {
    const ExactRow exact(given.contract, given.cols(), given.x.data(), nullptr, nullptr, nullptr);
    RowOutputs outputs = outputs_of(y);
    outputs.mean = exact.mean() + static_cast<uint64_t>(mean_off);
    outputs.rstd = exact.rstd() + static_cast<uint64_t>(rstd_off);
    return given.result(outputs);
}

TEST(Judge, judges_saved_statistics) {
    // All sums are exact: the mean is admissible as it is, rstd within the roundings of a few operations.
    const Given given("layer eps=1e-5", {{1, 2, 3, 5}, {}, {}, {}});
    const Codes y = given.targets();
    EXPECT_EQ(with_statistics(given, y, 0, 0).verdict, Verdict::pass);
    EXPECT_EQ(with_statistics(given, y, 1, 0).verdict, Verdict::fail);
    EXPECT_EQ(with_statistics(given, y, 2, 0).reason, "the saved mean is outside its admissible set");
    EXPECT_EQ(with_statistics(given, y, 0, 3).verdict, Verdict::fail);
    EXPECT_EQ(with_statistics(given, y, 0, -3).verdict, Verdict::fail);
    const Given wide("layer acc=f64 stats=f32 eps=1e-5", {{0.1, 0.2, 0.3}, {}, {}, {}});
    EXPECT_EQ(with_statistics(wide, wide.targets(), 0, 0).verdict, Verdict::pass);
    EXPECT_EQ(with_statistics(wide, wide.targets(), 2, 0).verdict, Verdict::fail);
    EXPECT_EQ(with_statistics(wide, wide.targets(), 0, 2).verdict, Verdict::fail);
}

TEST(Judge, measures_a_row_by_its_largest_output) {
    const Given given("layer beta=add eps=1e-5", {{1, 2, 3, 5}, {}, {0, 0, 0, 16}, {}});
    Codes y = given.targets();
    y[3] += 4;
    const RowResult result = given.result(y);
    EXPECT_NEAR(result.row_error.value_or(0), 4, 0.5);
    EXPECT_EQ(result.worst, 3);
    EXPECT_NEAR(result.absolute_error, 4 * 0x1p-19, 0x1p-20);
    EXPECT_EQ(result.correctly_rounded, 3);
}

TEST(Judge, leaves_cancelled_elements_out_of_the_elementwise_error) {
    // The second output is exactly beta + normalised value, about 2^-20: all but the last bits cancel.
    const std::vector<double> x = {1, 2, 3, 5};
    const double normed = normalised(x, 1, 0)[1];
    const Given given("layer beta=add eps=1e-5", {x, {}, {0, -normed + 0x1p-20, 0, 0}, {}});
    Codes y = given.targets();
    y[1] += 50;
    const RowResult result = given.result(y);
    EXPECT_EQ(word(result.verdict), "pass");
    EXPECT_EQ(result.cancelled, 1);
    EXPECT_LE(result.element_error, 0.5);
    EXPECT_LT(result.row_error.value_or(1), 0.51);
}

TEST(Judge, reports_the_absolute_error_where_all_outputs_are_zero) {
    const Given given("rms", {{0, 0}, {}, {}, {}});
    const RowResult result = given.result(codes({0, 0.5}, FormatId::f32));
    EXPECT_FALSE(result.row_error.has_value());
    EXPECT_EQ(result.absolute_error, 0.5);
}

// What the judge once got wrong, one reproducer each.
TEST(Judge, says_which_rows_are_short) {
    const Given given("rms", {{1, 2}, {}, {}, {}});
    EXPECT_TRUE(given.result(given.targets()).short_row);
}

TEST(Judge, finds_no_error_in_an_output_that_saturates_as_it_must) {
    const Given given("rms params=f32 y=f16 overflow=saturate", {{1, 1}, {70000, 1}, {}, {}});
    EXPECT_LE(given.result(given.targets()).row_error.value_or(1), 0.5);
}

TEST(Judge, admits_a_residual_sum_that_is_flushed) {
    const Given given("rms residual=wide subnormals=flush_output", {{0x1p-127, 1}, {}, {}, {0x1p-128, 1}});
    const Codes y = given.targets(), sum = codes({0, 2}, FormatId::f32);
    RowOutputs outputs = outputs_of(y);
    outputs.residual_out = sum.data();
    EXPECT_EQ(given.result(outputs).verdict, Verdict::pass);
}

TEST(Judge, admits_flushed_terms_of_a_residual_sum) {
    const Given given("rms residual=wide subnormals=flush_both", {{0x1.8p-127, 1e-30}, {}, {}, {0x1.8p-127, 1e-30}});
    std::vector<double> y = given.target_numbers();
    y[0] = 0;
    EXPECT_EQ(given.verdict(y), Verdict::pass);
}

TEST(Judge, gives_a_refused_output_a_slack_above_one) {
    const Given given("rms eps_at=outside", {{1e-3, 2e-3, -1e-3}, {}, {}, {}});
    std::vector<double> y = given.target_numbers();
    y[0] *= 1.01;
    EXPECT_GT(given.result(codes(y, FormatId::f32)).slack, 1);
    const Given exact("rms x=bf16 cast=before_gamma", {{1, 2, 3, 4}, {}, {}, {}});
    y = exact.target_numbers();
    y[1] *= 1.1;
    EXPECT_GT(exact.result(codes(y, FormatId::bf16)).slack, 1);
}

}  // namespace
}  // namespace normcheck
