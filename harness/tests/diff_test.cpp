// Two kernels on the same inputs: what counts as different, how far apart they are, and which of them is nearer.
#include "harness/check/diff.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/cases/plan.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/tests/bad_kernels.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

FormatDiff diff_on(const nc_kernel& first, const nc_kernel& second, std::initializer_list<const char*> lines) {
    Job job{&first, {}, FormatId::f32};
    for (const char* line : lines) job.cases.push_back(parse_case(line));
    return diff_kernels(first, second, job, 2, Oracle::certified);
}

const OutputDiff& of(const FormatDiff& diff, Output output) {
    return diff.outputs[static_cast<size_t>(output)];
}

const DiffCell& of(const FormatDiff& diff, Regime regime) {
    return diff.cells[static_cast<size_t>(regime)];
}

TEST(Diff, a_kernel_is_equal_to_itself) {
    const FormatDiff diff = diff_on(honest_kernel, honest_kernel, {"rows=3 cols=5", "fill=bits:3f800000,7fc00000"});
    EXPECT_EQ(diff.cases, 2);
    EXPECT_EQ(diff.differing_cases, 0);
    EXPECT_EQ(of(diff, Output::y).outputs, 17);
    EXPECT_EQ(of(diff, Output::rstd).outputs, 4);
    EXPECT_FALSE(diff.largest);
}

TEST(Diff, says_how_far_apart_in_values_and_in_ulp_of_the_row) {
    // With eps=1 on ones the right y is 2^-1/2, and with eps outside the root it is 1/2.
    const FormatDiff diff = diff_on(honest_kernel, eps_outside_kernel, {"fill=values:1 eps=1 gamma_fill=ones"});
    ASSERT_TRUE(diff.largest);
    EXPECT_EQ(diff.largest->values, 0x3f3504f3 - 0x3f000000);
    EXPECT_EQ(diff.largest->row_ulp, (0x1.6a09e6p-1 - 0.5) * 0x1p24);
    EXPECT_TRUE(diff.largest->stories[0].admissible);
    EXPECT_FALSE(diff.largest->stories[1].admissible);
    EXPECT_EQ(diff.largest->regime, Regime::transition);
    const DiffCell& cell = of(diff, Regime::transition);
    EXPECT_EQ(cell.nearer_first, 1);
    EXPECT_EQ(cell.nearer_second + cell.equally_near, 0);
    EXPECT_EQ(count(cell.verdicts[0], Verdict::pass), 1);
    EXPECT_EQ(count(cell.verdicts[1], Verdict::fail), 1);
}

TEST(Diff, keeps_the_farthest_and_the_one_on_the_fewest_columns) {
    const FormatDiff diff = diff_on(honest_kernel, eps_outside_kernel,
                                    {"cols=7 fill=small", "cols=3 fill=gaussian eps=1", "cols=2 fill=values:1 eps=1e-3",
                                     "cols=2 fill=values:2 eps=1e-3", "cols=1 fill=zeros"});
    EXPECT_EQ(diff.differing_cases, 5);  // the last in rstd alone
    ASSERT_TRUE(diff.shortest && diff.largest);
    EXPECT_EQ(diff.shortest->cols, 2);
    EXPECT_EQ(diff.shortest->case_index, 2);  // the first of its length
    EXPECT_GT(diff.largest->row_ulp, diff.shortest->row_ulp);
}

TEST(Diff, prefers_rows_on_which_both_contracts_promise_something) {
    // In the first case squares leave f32, so that both contracts call it outside.
    const nc_kernel& two_pass = *find_kernel("cpu/layer_two_pass");
    const nc_kernel& welford = *find_kernel("cpu/layer_welford");
    const FormatDiff diff = diff_on(two_pass, welford, {"cols=256 fill=uniform_bits", "rows=9 cols=768"});
    EXPECT_EQ(count(of(diff, Regime::extreme).verdicts[0], Verdict::outside), 1);
    EXPECT_EQ(of(diff, Regime::extreme).row_ulp, 0);
    ASSERT_TRUE(diff.largest && diff.shortest);
    EXPECT_EQ(diff.largest->case_index, 1);
    EXPECT_EQ(diff.shortest->case_index, 1);
    EXPECT_TRUE(diff.largest->promised);
}

TEST(Diff, looks_at_outputs_beside_y) {
    const FormatDiff diff = diff_on(honest_kernel, wrong_rstd_kernel, {"rows=3 cols=4"});
    EXPECT_EQ(diff.differing_cases, 1);
    EXPECT_EQ(of(diff, Output::y).differing, 0);
    EXPECT_EQ(of(diff, Output::rstd).differing, 1);
    EXPECT_FALSE(diff.largest);
    const FormatDiff sums = diff_on(honest_adding_kernel, wrong_sum_kernel, {"rows=2 cols=4"});
    EXPECT_EQ(of(sums, Output::residual_out).differing, 1);
}

TEST(Diff, a_nan_against_a_number_is_infinitely_far) {
    const FormatDiff diff = diff_on(honest_kernel, nan_swallowing_kernel, {"fill=bits:3f800000,7fc00000"});
    ASSERT_TRUE(diff.largest);
    EXPECT_TRUE(std::isinf(diff.largest->values));
    EXPECT_TRUE(std::isinf(diff.largest->row_ulp));
}

TEST(Diff, leaves_out_what_a_kernel_refuses) {
    const FormatDiff diff = diff_on(honest_kernel, refusing_kernel, {"rows=3 cols=4", "cols=4"});
    EXPECT_EQ(diff.cases, 0);
    EXPECT_EQ(diff.left_out, 2);
    EXPECT_EQ(diff.left_out_because.size(), 1U);
}

TEST(Diff, a_call_that_does_not_return_differs_from_one_that_does) {
    const FormatDiff diff = diff_on(honest_kernel, throwing_kernel, {"rows=3 cols=4"});
    EXPECT_EQ(diff.differing_cases, 1);
    EXPECT_EQ(diff.broken_rules[1].size(), 1U);
    EXPECT_TRUE(diff.broken_rules[0].empty());
    EXPECT_EQ(diff_on(throwing_kernel, throwing_kernel, {"cols=4"}).left_out, 1);
}

TEST(Diff, both_get_the_same_eps_and_only_the_parameters_that_both_take) {
    const nc_kernel& layer = *find_kernel("cpu/layer_two_pass");
    const nc_kernel& rms = *find_kernel("cpu/rms");
    const SharedCase shared = shared_case(layer, rms, parse_case("cols=4 x=bf16 eps=0.25"));
    EXPECT_EQ(shared.contracts[1].eps, shared.contracts[0].eps);
    EXPECT_EQ(shared.contracts[1].x, FormatId::bf16);
    EXPECT_EQ(shared.cases[0].beta.fill, "absent");
    EXPECT_EQ(shared.cases[0].gamma.fill, "random");
    EXPECT_EQ(diff_on(layer, rms, {"cols=4 fill=constant:1"}).differing_cases, 1);
}

TEST(Diff, tensors_that_cannot_be_shared_are_an_error) {
    EXPECT_THROW(shared_case(*find_kernel("cpu/rms"), *find_kernel("cpu/add_rms_wide"), parse_case("cols=4")),
                 InputError);
}

TEST(Diff, does_not_depend_on_the_number_of_threads) {
    const nc_kernel& first = *find_kernel("cpu/layer_two_pass");
    const nc_kernel& second = *find_kernel("cpu/layer_welford");
    const Job job{&first, plan(first.name, parse_contract(first.contract), {.max_cases = 60}), FormatId::f32};
    const FormatDiff one = diff_kernels(first, second, job, 1, Oracle::certified);
    const FormatDiff four = diff_kernels(first, second, job, 4, Oracle::certified);
    ASSERT_TRUE(one.largest && four.largest);
    EXPECT_EQ(one.largest->case_line, four.largest->case_line);
    EXPECT_EQ(one.largest->element, four.largest->element);
    EXPECT_EQ(one.shortest->case_line, four.shortest->case_line);
    for (size_t i = 0; i < one.cells.size(); ++i) {
        EXPECT_EQ(one.cells[i].differing, four.cells[i].differing);
        EXPECT_EQ(one.cells[i].nearer_first, four.cells[i].nearer_first);
        EXPECT_EQ(one.cells[i].verdicts, four.cells[i].verdicts);
    }
}

TEST(Diff, contracts_are_compared_field_by_field) {
    const auto fields = differing_fields(parse_contract("rms cast=before_gamma x=bf16"), parse_contract("rms x=bf16"));
    ASSERT_EQ(fields.size(), 1U);
    EXPECT_EQ(fields[0].field, "cast");
    EXPECT_EQ(fields[0].values[0], "before_gamma");
    EXPECT_EQ(fields[0].values[1], "last");
}

}  // namespace
}  // namespace normcheck
