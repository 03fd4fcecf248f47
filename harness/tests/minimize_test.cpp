// Shrinking: what is left is small, plain, and shows what the first case showed.
#include "harness/check/minimize.hpp"

#include <gtest/gtest.h>

#include "harness/host/hosted_call.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

Minimized shrunk(const std::string& line, int64_t budget = 2000) {
    const Case c = parse_case(line);
    const nc_kernel& kernel = *find_kernel(c.kernel);
    const std::string kind = kind_of_finding(kernel, c);
    EXPECT_NE(kind, "") << line;
    const Minimized result =
        minimize(kernel, c, [&](const Case& smaller) { return kind_of_finding(kernel, smaller) == kind; }, budget);
    EXPECT_EQ(kind_of_finding(kernel, result.smallest), kind) << print(result.smallest);
    EXPECT_EQ(parse_case(print(result.smallest)), result.smallest);
    return result;
}

TEST(Minimize, a_fault_of_one_element_is_left_with_one_simple_element) {
    const Case c = shrunk(
                       "kernel=faulty/rms_eps_outside rows=7 cols=257 fill=small seed=3 pitch=3 stride=2 offset=1 "
                       "threads=2 position=4")
                       .smallest;
    EXPECT_EQ(c.rows, 1);
    EXPECT_EQ(c.cols, 1);
    EXPECT_EQ(c.gamma.fill, "absent");
    EXPECT_EQ(c.stride, 1);
    EXPECT_EQ(c.pitch + c.offset + c.position, 0);
    EXPECT_EQ(c.threads, 1);
    EXPECT_LE(print(c).size(), 80U) << print(c);
}

TEST(Minimize, keeps_the_columns_that_a_fault_needs) {
    EXPECT_EQ(shrunk("kernel=faulty/layer_one_less rows=3 cols=300 seed=3").smallest.cols, 2);
}

TEST(Minimize, keeps_the_format_and_the_epsilon_that_a_fault_needs) {
    const Case c = shrunk("kernel=faulty/rms_eps_in_input_format x=f16 eps=1e-8 rows=3 cols=64 fill=small").smallest;
    EXPECT_TRUE(c.overrides.find("x=f16") != std::string::npos) << c.overrides;
    EXPECT_EQ(c.rows, 1);
}

TEST(Minimize, shrinks_what_crashes_in_a_host) {
    const host::ShortCalls short_calls;
    const Case c = shrunk("kernel=faulty/rms_null_read rows=3 cols=257 fill=wide_exponents").smallest;
    EXPECT_EQ(c.rows, 1);
    EXPECT_EQ(c.cols, 257);
    EXPECT_EQ(c.x.fill, "zeros");
}

TEST(Minimize, stays_within_its_budget_and_gives_the_same_again) {
    const std::string line = "kernel=faulty/layer_one_less rows=3 cols=300 seed=3";
    const Minimized once = shrunk(line, 5), twice = shrunk(line, 5);
    EXPECT_LE(once.checks, 5);
    EXPECT_EQ(once.smallest, twice.smallest);
}

TEST(Minimize, a_candidate_that_makes_no_sense_is_not_kept) {
    const Case c = parse_case("kernel=cpu/rms rows=3 cols=5");
    const Shows throws_on_others = [&](const Case& other) {
        if (other != c) throw InputError("no sense");
        return true;
    };
    EXPECT_EQ(minimize(*find_kernel("cpu/rms"), c, throws_on_others).smallest, c);
}

}  // namespace
}  // namespace normcheck
