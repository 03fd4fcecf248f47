// Tolerances derived from admissible sets: they accept all that is admissible, are no wider than needed, and refuse.
#include "harness/check/tolerance.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "harness/cases/plan.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/contract.hpp"

namespace normcheck {
namespace {

NeededHull hull_of(const std::vector<std::pair<double, double>>& points) {
    NeededHull hull;
    for (const auto& [size, off] : points)
        if (!hull.covers(size, off)) hull.add({size, off, "", 0, 0});
    return hull;
}

Tolerance fitted(const std::vector<std::pair<double, double>>& points) {
    return fit(hull_of(points)).tolerance;
}

void expect_tolerance(const Tolerance& got, double rtol, double atol) {
    EXPECT_EQ(got.rtol, rtol);
    EXPECT_EQ(got.atol, atol);
}

TEST(Fit, is_the_line_that_is_lowest_on_average) {
    expect_tolerance(fitted({{0, 0.1}, {1, 0.3}}), 0.201, 0.101);  // rounded up to three digits, never down
    expect_tolerance(fitted({{0, 0}, {0.25, 0.0249}, {1, 0.0999}}), 0.1, 0);
    expect_tolerance(fitted({{0, 0.0999}, {1, 0.04}}), 0, 0.1);     // it does not fall
    expect_tolerance(fitted({{0.6, 0.0599}, {1, 0.4}}), 0.401, 0);  // and does not begin below 0
    expect_tolerance(fitted({}), 0, 0);
}

RC_GTEST_PROP(Fit, lies_above_every_point, ()) {
    const auto numbers = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 1001), rc::gen::inRange(0, 1001)));
    std::vector<std::pair<double, double>> points;
    for (const auto& [size, off] : numbers) points.emplace_back(size / 1000.0, off / 1000.0);
    const Tolerance line = fitted(points);
    for (const auto& [size, off] : points) RC_ASSERT(off <= line.atol + line.rtol * size + 1e-15);
    std::ranges::reverse(points);
    RC_ASSERT(fitted(points).rtol == line.rtol && fitted(points).atol == line.atol);
}

std::vector<Case> cases_of(const char* contract, int64_t number) {
    const Contract parsed = parse_contract(contract);
    std::vector<Case> cases = plan("", parsed, {.seed = 3, .max_cases = number});
    for (Case& c : cases) c.overrides = print(with_overrides(parsed, c.overrides));
    return cases;
}

ToleranceReport tolerances(const char* contract, const char* kernel, int64_t number = 120, int threads = 2) {
    const nc_kernel* const kernels[] = {find_kernel(kernel)};
    return tolerance_of(cases_of(contract, number), kernels, threads);
}

const ToleratedCell& of(const ToleranceReport& report, Regime regime) {
    return report.kernels[0].cells[static_cast<size_t>(regime)];
}

TEST(ToleranceOf, accepts_what_correct_kernels_return) {
    for (const auto& [contract, kernel] :
         {std::pair{"rms x=f32 reduce=lanes:16", "cpu/rms"}, std::pair{"rms x=bf16 reduce=lanes:16", "cpu/rms"},
          std::pair{"rms x=bf16 cast=before_gamma reduce=lanes:16", "cpu/rms_cast_before_gamma"},
          std::pair{"layer beta=add x=f32 reduce=lanes:16", "cpu/layer_two_pass"},
          std::pair{"layer beta=add x=f16 reduce=lanes:16", "cpu/layer_two_pass"}}) {
        const ToleranceReport report = tolerances(contract, kernel);
        EXPECT_GT(of(report, Regime::ordinary).passed, 50) << contract;
        for (const ToleratedCell& cell : report.kernels[0].cells) {
            EXPECT_EQ(cell.passed_refused, 0) << contract;
            EXPECT_EQ(cell.failed, 0) << contract;
        }
    }
}

TEST(ToleranceOf, is_reached_by_an_admissible_output) {
    for (const char* contract : {"rms x=bf16", "layer beta=add x=f32", "rms x=f16 cast=before_gamma"}) {
        for (const ToleranceCell& cell : tolerances(contract, "cpu/rms", 60).cells) {
            if (!cell.fit.by) continue;
            const auto& [rtol, atol] = cell.fit.tolerance;
            EXPECT_GE(cell.fit.by->off, 0.98 * (atol + rtol * cell.fit.by->size)) << contract;
            EXPECT_LE(cell.fit.by->off, atol + rtol * cell.fit.by->size) << contract;
        }
    }
}

TEST(ToleranceOf, sees_eps_outside_the_root_near_eps_and_not_on_ordinary_rows) {
    const ToleranceReport report = tolerances("rms x=bf16 reduce=lanes:16", "faulty/rms_eps_outside");
    const ToleratedCell& near = of(report, Regime::eps_dominated);
    EXPECT_GT(near.failed, 0);
    EXPECT_LT(near.failed_accepted, near.failed / 2);
    const ToleratedCell& ordinary = of(report, Regime::ordinary);
    EXPECT_GT(ordinary.failed_accepted, 0);
    EXPECT_FALSE(ordinary.unseen.empty());
}

TEST(ToleranceOf, knows_the_rounding_of_the_output_alone_where_all_else_is_exact) {
    // One element of 1 under eps=3: 1/2, whatever the kernel; gamma 1/3 in bf16 is one value, rounded once to y.
    const ToleranceReport report =
        tolerance_of(std::vector{parse_case("rms eps=3 x=f16 cols=1 fill=values:1 gamma_fill=values:0.333")}, {}, 1);
    const Fit& only = report.cells[static_cast<size_t>(Regime::transition)].fit;
    EXPECT_EQ(only.tolerance.atol, 0);
    EXPECT_EQ(only.tolerance.rtol, 0);  // half of a value is a value
}

TEST(ToleranceOf, does_not_depend_on_the_number_of_threads) {
    const ToleranceReport one = tolerances("layer beta=add", "cpu/layer_welford", 60, 1);
    const ToleranceReport four = tolerances("layer beta=add", "cpu/layer_welford", 60, 4);
    EXPECT_EQ(one.left_out, four.left_out);
    for (size_t i = 0; i < one.cells.size(); ++i) {
        EXPECT_EQ(one.cells[i].fit.tolerance.rtol, four.cells[i].fit.tolerance.rtol);
        EXPECT_EQ(one.cells[i].fit.tolerance.atol, four.cells[i].fit.tolerance.atol);
        EXPECT_EQ(one.cells[i].usual_refuses, four.cells[i].usual_refuses);
        EXPECT_EQ(one.kernels[0].cells[i].passed, four.kernels[0].cells[i].passed);
        if (one.cells[i].fit.by) {
            EXPECT_EQ(one.cells[i].fit.by->case_line, four.cells[i].fit.by->case_line);
        }
    }
}

}  // namespace
}  // namespace normcheck
