// Every rule of a call has a kernel that breaks it, and the judgement names the right element.
#include "harness/check/check.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/kernels/registry.hpp"
#include "harness/tests/bad_kernels.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* padded = "rms rows=4 cols=5 pitch=3";

CaseResult checked(const nc_kernel& kernel, const std::string& line) {
    return check_case(kernel, parse_case(line));
}

Texts broken(const nc_kernel& kernel, const std::string& line) {
    return checked(kernel, line).broken_rules;
}

void expect_all_pass(const nc_kernel& kernel, const std::string& line) {
    const CaseResult result = checked(kernel, line);
    EXPECT_EQ(result.refusal, std::nullopt) << line;
    EXPECT_EQ(result.broken_rules, Texts{}) << line;
    EXPECT_EQ(std::ssize(result.rows), parse_case(line).rows) << line;
    for (const RowResult& row : result.rows) EXPECT_EQ(row.verdict, Verdict::pass) << line << ": " << row.reason;
}

TEST(Check, an_honest_kernel_passes_however_its_tensors_lie) {
    for (const char* how : {"", "pitch=3", "stride=2", "offset=1", "pitch=1 stride=3 offset=5", "alias=y_is_x",
                            "alias=y_is_x pitch=2 stride=2", "gamma_fill=absent", "fill=nan_in_row"}) {
        expect_all_pass(honest_kernel, std::string("rms rows=4 cols=33 ") + how);
        expect_all_pass(honest_adding_kernel, std::string("rms rows=4 cols=33 ") + how);
    }
    expect_all_pass(honest_adding_kernel, "rms rows=4 cols=33 pitch=2 alias=residual_out_is_residual");
}

TEST(Check, the_outputs_and_inputs_of_the_call_are_returned) {
    const CaseResult result = checked(honest_adding_kernel, "rms rows=4 cols=5 pitch=3");
    EXPECT_EQ(result.inputs.x.size(), 20U);
    EXPECT_EQ(result.inputs.residual.size(), 20U);
    EXPECT_EQ(result.outputs.y.size(), 20U);
    EXPECT_EQ(result.outputs.residual_out.size(), 20U);
    EXPECT_EQ(result.outputs.mean.size(), 0U);
    EXPECT_EQ(result.outputs.rstd.size(), 4U);
}

TEST(Check, writing_past_the_last_row_is_found) {
    EXPECT_EQ(broken(past_row_kernel, "rms rows=4 cols=5"), Texts{"guard after row 3 of y was overwritten at byte 0"});
}

TEST(Check, writing_before_the_first_row_is_found) {
    EXPECT_EQ(broken(before_row_kernel, "rms rows=4 cols=5"),
              Texts{"guard before y was overwritten 4 bytes before its first element"});
}

TEST(Check, writing_into_the_gap_between_rows_is_found) {
    EXPECT_EQ(broken(row_gap_kernel, padded), Texts{"guard after row 0 of y was overwritten at byte 0"});
}

TEST(Check, writing_into_the_gap_between_columns_is_found) {
    EXPECT_EQ(broken(column_gap_kernel, "rms rows=4 cols=5 stride=2"),
              Texts{"guard after y[0,0] was overwritten at byte 0"});
}

TEST(Check, writing_past_gamma_is_found) {
    EXPECT_EQ(broken(gamma_guard_kernel, padded), Texts{"guard after row 0 of gamma was overwritten at byte 0"});
}

TEST(Check, writing_past_a_row_is_found_where_y_lies_on_x) {
    EXPECT_EQ(broken(row_gap_kernel, "rms rows=4 cols=5 pitch=3 alias=y_is_x"),
              Texts{"guard after row 0 of x was overwritten at byte 0"});
}

TEST(Check, changed_inputs_are_found) {
    EXPECT_EQ(broken(changes_x_kernel, padded), Texts{"x[0,1] was changed, 1 in all"});
    EXPECT_EQ(broken(changes_gamma_kernel, padded), Texts{"gamma[0,0] was changed, 1 in all"});
}

TEST(Check, an_element_left_unwritten_is_a_broken_rule_and_a_failing_row) {
    const CaseResult result = checked(leaves_y_kernel, padded);
    EXPECT_EQ(result.broken_rules, Texts{"y[3,4] was not written, 1 in all"});
    EXPECT_EQ(result.rows[0].verdict, Verdict::pass);
    EXPECT_EQ(result.rows[3].verdict, Verdict::fail);
    EXPECT_EQ(result.rows[3].failing, 4);
    EXPECT_EQ(broken(leaves_rstd_kernel, padded), Texts{"rstd[0,0] was not written, 1 in all"});
}

TEST(Check, a_swallowed_nan_fails_and_only_in_its_row) {
    const CaseResult result = checked(nan_swallowing_kernel, "rms rows=6 cols=9 fill=nan_in_row");
    int64_t failed = 0;
    for (const RowResult& row : result.rows) {
        if (row.verdict == Verdict::fail) ++failed;
        EXPECT_EQ(row.verdict == Verdict::fail, row.regime == Regime::special);
    }
    EXPECT_EQ(failed, 2);
}

// x = 0.001 in every column: the mean square is eps, and the two places of eps are far apart; the first column's gamma
// is 0, so it tells nothing.
TEST(Check, eps_outside_the_root_fails_a_contract_that_says_inside) {
    const char* line = "rms cols=3 fill=values:0.001,0.001,0.001 gamma_fill=bits:00000000,3f800000,40000000";
    const CaseResult result = checked(eps_outside_kernel, line);
    EXPECT_EQ(result.rows[0].verdict, Verdict::fail);
    EXPECT_EQ(result.rows[0].failing, 1);
    EXPECT_EQ(result.broken_rules, Texts{});
    expect_all_pass(eps_outside_kernel, std::string(line) + " eps_at=outside");
}

TEST(Check, what_is_unlikely_on_random_rows_is_suspect_and_on_others_it_is_not) {
    EXPECT_EQ(checked(drifting_kernel, "rms cols=4096").rows[0].verdict, Verdict::suspect);
    expect_all_pass(drifting_kernel, "rms cols=4096 fill=near_constant");
}

TEST(Check, wrong_statistics_and_sums_fail) {
    const CaseResult rstd = checked(wrong_rstd_kernel, padded);
    EXPECT_EQ(rstd.rows[0].verdict, Verdict::fail);
    EXPECT_NE(rstd.rows[0].reason.find("rstd"), std::string::npos);
    EXPECT_EQ(rstd.rows[1].verdict, Verdict::pass);
    const CaseResult sum = checked(wrong_sum_kernel, padded);
    EXPECT_EQ(sum.rows[0].verdict, Verdict::fail);
    EXPECT_NE(sum.rows[0].reason.find("residual_out"), std::string::npos);
}

TEST(Check, a_refusal_is_passed_on_and_nothing_is_judged) {
    const CaseResult result = checked(refusing_kernel, padded);
    EXPECT_EQ(result.refusal, "it is Sunday");
    EXPECT_EQ(result.broken_rules, Texts{});
    EXPECT_TRUE(result.rows.empty());
}

TEST(Check, a_format_that_the_kernel_does_not_take_is_refused_without_a_call) {
    EXPECT_EQ(checked(throwing_kernel, "rms x=f16 cols=5").refusal, "the kernel does not take x in f16");
}

TEST(Check, an_aliasing_that_the_contract_does_not_allow_is_refused) {
    EXPECT_EQ(checked(honest_kernel, "rms in_place=no cols=5 alias=y_is_x").refusal,
              "y cannot lie on x: the contract does not say in_place=yes");
    EXPECT_EQ(checked(honest_kernel, "rms y=f16 cols=5 alias=y_is_x").refusal,
              "y cannot lie on x: x is f32 and y is f16");
    EXPECT_EQ(checked(honest_kernel, "rms cols=5 alias=residual_out_is_residual").refusal,
              "residual_out cannot lie on the residual: the contract takes none");
}

TEST(Check, an_exception_from_a_kernel_is_a_broken_rule) {
    const Texts rules = broken(throwing_kernel, padded);
    ASSERT_FALSE(rules.empty());
    EXPECT_EQ(rules[0], "the kernel threw an exception: out of paper");
}

TEST(Check, empty_calls_are_made_and_write_nothing) {
    EXPECT_EQ(broken(honest_kernel, "rms rows=0 cols=5"), Texts{});
    const CaseResult result = checked(honest_kernel, "rms rows=3 cols=0 pitch=2");
    EXPECT_EQ(result.broken_rules, Texts{});
    ASSERT_EQ(result.rows.size(), 3U);
    EXPECT_EQ(result.rows[0].verdict, Verdict::doubtful);
    EXPECT_EQ(broken(empty_writing_kernel, "rms rows=0 cols=5"), Texts{"y has no elements, but was written at byte 0"});
    EXPECT_EQ(broken(empty_writing_kernel, "rms rows=3 cols=0"),
              (Texts{"y has no elements, but was written at byte 0",
                     "rstd[0,0] was written by a call that has nothing to write, 1 in all"}));
}

TEST(Check, the_case_lays_its_overrides_over_the_kernels_contract) {
    const Contract contract = case_contract(&honest_kernel, parse_case("eps=0.5 x=bf16"));
    EXPECT_EQ(contract.eps.value, 0.5);
    EXPECT_EQ(contract.y, FormatId::bf16);
    EXPECT_TRUE(contract.in_place);
    EXPECT_EQ(case_contract(nullptr, parse_case("layer beta=add")).norm, Norm::layer);
}

TEST(Check, a_format_that_the_kernels_contract_names_stays_where_x_has_another) {
    const nc_kernel wide{"test/wide", "rms params=f32 y=f32", "", 1U << NC_F16, honest_kernel.run};
    const Contract contract = case_contract(&wide, parse_case("x=f16"));
    EXPECT_EQ(contract.x, FormatId::f16);
    EXPECT_EQ(contract.params, FormatId::f32);
    EXPECT_EQ(contract.y, FormatId::f32);
    EXPECT_EQ(case_contract(&wide, parse_case("x=f16 params=f16")).params, FormatId::f16);
}

TEST(Check, contradictory_overrides_are_the_users_error) {
    EXPECT_THROW(checked(honest_kernel, "kernel=test/honest apply=folded cols=3"), InputError);
}

TEST(Check, parameters_that_are_not_finite_are_judged) {
    expect_all_pass(*find_kernel("cpu/rms"), "rms rows=3 cols=33 gamma_fill=specials");
    expect_all_pass(*find_kernel("cpu/layer_two_pass"),
                    "layer beta=add rows=3 cols=33 gamma_fill=specials beta_fill=specials");
}

}  // namespace
}  // namespace normcheck
