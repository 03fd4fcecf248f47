// Statistics and elements stored on the way in narrow formats: one stored value must explain a whole row.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "oracles/tests/judge_rows.hpp"
#include "oracles/tests/plain_kernels.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck {
namespace {

using rows::Codes;
using rows::codes;
using rows::Given;
using rows::word;

/// x so that the exact rstd lies within a few f32 units of the midpoint of two neighbouring bf16 values, and those.
struct NearMidpoint {
    std::vector<double> x;
    double below, above;
};

NearMidpoint near_midpoint() {
    const double below = 0x1.48p-1, above = 0x1.4ap-1;  // neighbours in bf16
    const double middle = (below + above) / 2;
    const std::vector<double> shape = {1, -0.75, 1.25, 0.5, -1.5, 0.875, -1, 1.125};
    double squares = 0;
    for (const double value : shape) squares += value * value / 8;
    NearMidpoint result{{}, below, above};
    for (const double value : shape)
        result.x.push_back(static_cast<double>(static_cast<float>(value / (middle * std::sqrt(squares)))));
    return result;
}

std::vector<double> times(const std::vector<double>& x, double factor) {
    std::vector<double> y;
    for (const double value : x) y.push_back(value * factor);
    return y;
}

TEST(JudgeStored, one_stored_value_must_explain_the_row) {
    const NearMidpoint row = near_midpoint();
    const Given given("rms eps=1e-30 stored=rstd:bf16", {row.x, {}, {}, {}});
    const std::vector<double> below = times(row.x, row.below), above = times(row.x, row.above);
    EXPECT_EQ(word(given.verdict(below)), "pass");
    EXPECT_EQ(word(given.verdict(above)), "pass");
    for (size_t i = 0; i < below.size(); ++i) {
        std::vector<double> mixed = below;
        mixed[i] = above[i];
        EXPECT_EQ(word(given.verdict(mixed)), "fail") << i;
    }
    EXPECT_EQ(word(given.verdict(times(row.x, row.above + 0x1p-8))), "fail");
    EXPECT_EQ(word(given.verdict(times(row.x, (row.below + row.above) / 2))), "fail");
}

TEST(JudgeStored, the_saved_rstd_may_be_either_stored_value) {
    const NearMidpoint row = near_midpoint();
    const Given given("rms eps=1e-30 stored=rstd:bf16", {row.x, {}, {}, {}});
    const Codes y = codes(times(row.x, row.below), FormatId::f32);
    RowOutputs outputs{.y = y.data(), .residual_out = nullptr, .mean = {}, .rstd = {}};
    outputs.rstd = round_double(format(FormatId::f32), row.below);
    EXPECT_EQ(word(given.result(outputs).verdict), "pass");
    ++*outputs.rstd;
    EXPECT_EQ(word(given.result(outputs).verdict), "fail");
}

// y = x * rstd + shift in f32, as a kernel that has stored both computes it.
std::vector<double> folded(const std::vector<double>& x, double rstd, double shift) {
    std::vector<double> y;
    for (const double value : x)
        y.push_back(
            static_cast<double>(static_cast<float>(value) * static_cast<float>(rstd) + static_cast<float>(shift)));
    return y;
}

/// A row whose statistics are so coarse that many pairs of stored numbers are admissible.
struct Coarse {
    Coarse()
        : given("layer x=bf16 y=f32 moments=bf16 variance=welford apply=folded stored=rstd:bf16,shift:bf16",
                {x(), {}, {}, {}}) {}
    static std::vector<double> x() { return {100, 101, 103, 102, 104, 107, 105, 106, 99, 98, 103, 110}; }
    Given given;
};

double nearest_bf16(double value) {
    return decode_double(format(FormatId::bf16), round_double(format(FormatId::bf16), value));
}

TEST(JudgeStored, a_pair_is_found_by_search_where_statistics_are_coarse) {
    const Coarse coarse;
    EXPECT_EQ(word(coarse.given.verdict(coarse.given.targets())), "pass");
    const double rstd = nearest_bf16(0.29), mean = 103;
    EXPECT_EQ(word(coarse.given.verdict(folded(Coarse::x(), rstd, nearest_bf16(-mean * rstd)))), "pass");
}

TEST(JudgeStored, a_row_that_no_pair_explains_is_refused) {
    const Coarse coarse;
    const double rstd = nearest_bf16(0.29), shift = nearest_bf16(-103 * rstd);
    std::vector<double> y = folded(Coarse::x(), rstd, shift);
    y[3] = folded(Coarse::x(), rstd + 0x1p-9, shift)[3];
    EXPECT_EQ(word(coarse.given.verdict(y)), "fail");
    EXPECT_EQ(word(coarse.given.verdict(folded(Coarse::x(), rstd * 1.001, shift))), "fail");
    EXPECT_EQ(word(coarse.given.verdict(folded(Coarse::x(), rstd, shift * 1.001))), "fail");
    y = folded(Coarse::x(), rstd, shift);
    for (size_t i = 0; i < y.size(); ++i) {
        std::vector<double> off = y;
        off[i] += 1e-5;  // less than what confines the pair, more than the element may lose
        EXPECT_EQ(word(coarse.given.verdict(off)), "fail") << i;
    }
    // Beyond 1 / sqrt(eps), which no variance allows.
    EXPECT_EQ(word(coarse.given.verdict(folded(Coarse::x(), 2048, nearest_bf16(-103 * 2048.0)))), "fail");
}

TEST(JudgeStored, an_element_stored_twice_may_go_either_way_at_each_midpoint) {
    const Given given("rms y=bf16 cast=before_gamma eps=1e-30", {{1, 1, 1, 1}, {1.01, 3, 5, 7}, {}, {}});
    const Codes y = given.targets();
    EXPECT_EQ(word(given.verdict(y)), "pass");
    for (size_t i = 0; i < y.size(); ++i) {
        Codes off = y;
        ++off[i];
        EXPECT_EQ(word(given.verdict(off)), "fail") << i;
    }
}

/// Contracts that store this and that, judged on what a plain f32 kernel of that contract returns.
constexpr const char* storing[] = {
    "rms stored=rstd:bf16",
    "rms stored=rstd:f16 x=f16",
    "rms stored=var:bf16",
    "rms stored=radicand:f16,std:bf16",
    "rms cast=before_gamma y=bf16",
    "rms cast=before_gamma y=f16 stored=scaled:bf16",
    "rms eps_at=outside stored=denominator:bf16",
    "layer stored=mean:bf16,rstd:bf16",
    "layer stored=mean:bf16,rstd:bf16 x=bf16",
    "layer stored=mean:f16,var:f16",
    "layer variance=welford stored=mean:bf16,var:bf16",
    "layer stored=centred:bf16",
    "layer stored=centred:f16 cast=before_gamma y=f16",
    "layer variance=welford stored=rstd:bf16",
    "layer apply=folded stored=rstd:bf16,shift:bf16 x=bf16",
    "layer apply=folded stored=shift:f16",
    "layer apply=folded variance=welford stored=rstd:f16,shift:f16 x=f16",
    "layer stored=std:bf16",
    "layer stored=radicand:bf16,rstd:bf16",
    "layer eps_at=inside_and_outside stored=denominator:f16,rstd:bf16",
    "layer variance=one_pass stored=var:bf16",
    "layer moments=bf16 variance=welford apply=folded stored=rstd:bf16,shift:bf16 x=bf16"};

rows::Numbers random_numbers(twin::Draw& draw, bool layer) {
    constexpr size_t lengths[] = {1, 2, 3, 4, 7, 8, 16, 31, 100};
    const double offset = layer && draw.chance(60) ? 30 * draw.bell() : 0;
    const double scale = std::ldexp(1.0, static_cast<int>(draw.below(12)) - 6);
    rows::Numbers numbers;
    numbers.x.resize(draw.of(lengths));
    for (double& value : numbers.x) value = offset + scale * draw.bell();
    for (size_t i = 0; i < numbers.x.size(); ++i) numbers.gamma.push_back(draw.bell());
    return numbers;
}

std::vector<size_t> in_order(size_t n) {
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t{0});
    return order;
}

TEST(JudgeStored, admits_plain_kernels_that_store_what_the_contract_stores) {
    int64_t judged = 0;
    for (const char* text : storing) {
        const Contract contract = parse_contract(text);
        for (uint64_t index = 0; index < 300; ++index) {
            twin::Draw draw(71, index);
            const Given given(contract, random_numbers(draw, contract.norm == Norm::layer));
            plain::Way way = plain::random_way(draw);
            way.divides = way.gamma_first = way.joins_sums = false;
            if (contract.moments != contract.acc) way.contracts = false;
            const Codes y = plain::run_in(contract.acc, given, way, in_order(given.x.size())).y;
            const RowResult result = given.result(y);
            judged += result.verdict == Verdict::pass ? result.outputs : 0;
            EXPECT_NE(result.verdict, Verdict::fail)
                << text << " row " << index << " " << result.reason << " at " << result.failing;
        }
    }
    EXPECT_GT(judged, 50000);
}

// What the judge once got wrong, one reproducer each.
TEST(JudgeStored, a_mean_stored_in_a_wide_format_does_not_run_out_of_tries) {
    const twin::TwinRow row = twin::twin_row(62, 1375);
    const twin::Inputs in = row.inputs();
    const Judge judge(row.contract, in.cols, in.gamma, in.beta);
    const Codes y = judge.targets({in.x, in.residual});
    EXPECT_NE(
        judge.judge({in.x, in.residual}, {.y = y.data(), .residual_out = nullptr, .mean = {}, .rstd = {}}).verdict,
        Verdict::fail);
}

TEST(JudgeStored, an_rstd_stored_in_f64_beside_f32_moments_does_not_take_for_ever) {
    const Given given("rms stored=rstd:f64", {{1, 2, 3}, {}, {}, {}});
    EXPECT_EQ(word(given.verdict(given.targets())), "pass");
}

TEST(JudgeStored, a_standard_deviation_of_zero_may_be_stored_where_eps_is_added_to_it) {
    const Given given("rms eps_at=outside stored=std:bf16", {{0, 0}, {}, {}, {}});
    EXPECT_EQ(word(given.verdict(std::vector<double>{0, 0})), "pass");
}

TEST(JudgeStored, an_infinite_beta_does_not_forbid_the_other_stored_value) {
    NearMidpoint row = near_midpoint();
    const Given given("rms beta=add eps=1e-30 stored=rstd:bf16", {row.x, {}, {0, 0, 0, 0, 0, 0, 0, HUGE_VAL}, {}});
    for (const double rstd : {row.below, row.above}) {
        std::vector<double> y = times(row.x, rstd);
        y[7] = HUGE_VAL;
        EXPECT_EQ(word(given.verdict(y)), "pass");
        y[7] = 1;
        EXPECT_EQ(word(given.verdict(y)), "fail");  // which no stored value mends
    }
}

TEST(JudgeStored, the_probabilistic_bound_knows_the_other_stored_value) {
    NearMidpoint row = near_midpoint();
    row.x = rows::repeated(row.x, 128);
    const Given given("rms eps=1e-30 stored=rstd:bf16", {row.x, {}, {}, {}});
    for (const double rstd : {row.below, row.above})
        EXPECT_EQ(word(given.result(codes(times(row.x, rstd), FormatId::f32), {.random_fill = true}).verdict), "pass");
}

TEST(JudgeStored, saved_statistics_are_judged_where_the_pair_is_searched_for) {
    const Coarse coarse;
    const Codes y = coarse.given.targets();
    RowOutputs outputs{.y = y.data(), .residual_out = nullptr, .mean = {}, .rstd = {}};
    outputs.mean = codes({12345}, coarse.given.contract.stats)[0];
    EXPECT_EQ(word(coarse.given.result(outputs).verdict), "fail");
}

TEST(JudgeStored, a_centred_value_past_its_format_is_infinite_for_both_oracles) {
    const Given given("layer stored=centred:f16", {{1e6, -1e6}, {}, {}, {}});
    EXPECT_NE(word(given.verdict(std::vector<double>{HUGE_VAL, -HUGE_VAL})), "fail");
}

// The differences overflow f16, and what IEEE arithmetic makes of Inf times 0 is NaN.
TEST(JudgeStored, asks_nothing_where_a_stored_inf_meets_a_gamma_of_zero) {
    const Given given("layer eps=1e-5 stored=centred:f16",
                      {.x = {1e6, -1e6, 1e6, -1e6}, .gamma = {0, 0, 0, 0}, .beta = {}, .residual = {}});
    for (const Oracle oracle : {Oracle::certified, Oracle::exact}) {
        const RowResult nan = given.result(Codes(4, format(FormatId::f32).nan_code()), {.oracle = oracle});
        EXPECT_EQ(word(nan.verdict), "pass") << nan.reason;
    }
}

TEST(JudgeStored, refuses_nan_where_a_pair_of_statistics_is_searched) {
    const Given given("rms eps=1 gamma=none x=f16 stored=std:f64,rstd:f16",
                      {.x = rows::repeated({3, -1, 0.5}, 32), .gamma = {}, .beta = {}, .residual = {}});
    const RowResult nan = given.result(Codes(32, format(FormatId::f16).nan_code()), {.oracle = Oracle::exact});
    EXPECT_EQ(word(nan.verdict), "fail");
    EXPECT_EQ(nan.reason, "NaN where a number is due");
}

}  // namespace
}  // namespace normcheck
