// The comparison of two kernels' bits.
#include "harness/check/same_bits.hpp"

#include <gtest/gtest.h>

#include "harness/kernels/registry.hpp"

namespace normcheck {
namespace {

Job job_of(std::initializer_list<const char*> lines) {
    Job job;
    for (const char* line : lines) job.cases.push_back(parse_case(line));
    return job;
}

BitComparison compared(const char* a, const char* b, const Job& job) {
    return compare_bits(*find_kernel(a), *find_kernel(b), job, 2);
}

TEST(SameBits, counts_every_output_and_finds_none_that_differs_from_itself) {
    const Job job = job_of({"rows=3 cols=5", "rows=2 cols=4099 fill=nan_in_row", "rows=3 cols=0"});
    const BitComparison same = compared("emulated/layer_two_pass", "emulated/layer_two_pass", job);
    EXPECT_EQ(same.outputs, 3 * (5 + 2) + 2 * (4099 + 2));
    EXPECT_EQ(same.differing, 0);
    EXPECT_EQ(same.first, "");
}

/// Up to 256 columns a block is one warp, and past them it adds up otherwise.
TEST(SameBits, names_the_first_case_that_differs) {
    const Job same = job_of({"rows=5 cols=256 seed=3", "rows=300 cols=31 seed=4"});
    EXPECT_EQ(compared("emulated/rms", "emulated/rms_warp", same).differing, 0);
    const Job job = job_of({"rows=5 cols=256 seed=3", "rows=64 cols=999 seed=4", "rows=64 cols=1000 seed=5"});
    const BitComparison found = compared("emulated/rms", "emulated/rms_warp", job);
    EXPECT_GT(found.differing, 0);
    EXPECT_EQ(found.first, print(job.cases[1]));
}

TEST(SameBits, counts_a_call_that_one_kernel_alone_refuses) {
    const BitComparison found = compared("emulated/rms", "cpu/add_rms_wide", job_of({"rows=1 cols=2"}));
    EXPECT_EQ(found.differing, 3);  // the refusal, all of y, and all of rstd
}

}  // namespace
}  // namespace normcheck
