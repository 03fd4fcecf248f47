// Patterns and comma lists.
#include "harness/cli/selection.hpp"

#include <gtest/gtest.h>

#include "harness/check/abi_format.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/kernels/faulty/faults.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

TEST(Selection, APatternMatchesWholeNames) {
    const auto kernels = kernels_matching({"*rms_e*"});
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_STREQ(kernels[0]->name, "cpu/rms_eps_outside");
    EXPECT_EQ(kernels_matching({"cpu/rms"}).size(), 1U);
}

TEST(Selection, NoPatternSelectsAllAndTwoSelectEachOnce) {
    EXPECT_EQ(kernels_matching({}).size(), built_in_kernels().size());
    EXPECT_EQ(kernels_matching({"cpu/rms", "cpu/rm?"}).size(), 1U);
}

TEST(Selection, EveryPatternMustMatch) {
    EXPECT_THROW(kernels_matching({"cpu/*", "rms"}), InputError);
}

TEST(Selection, FaultsAreChosenByTheirOwnPatternsAlone) {
    EXPECT_EQ(kernels_matching({"*"}).size(), built_in_kernels().size());
    EXPECT_THROW(kernels_matching({"*eps_squared"}), InputError);
    EXPECT_EQ(kernels_matching({"faulty/rms_eps_squared"}).size(), 1U);
    EXPECT_GT(kernels_matching({"faulty/*"}).size(), 70U);
    EXPECT_STREQ(kernel_named("faulty/rms_eps_squared").name, "faulty/rms_eps_squared");
}

TEST(Selection, FaultsThatEndTheProcessAreChosenAsAllOthersAre) {
    EXPECT_EQ(kernels_matching({"faulty/rms_endles?"}).size(), 1U);
    EXPECT_EQ(kernels_matching({"faulty/*"}).size(), faults().size());
}

TEST(Selection, AKernelTakesTheFormatsOfItsMask) {
    const std::vector<FormatId> expected{FormatId::f32, FormatId::f16, FormatId::bf16};
    EXPECT_EQ(formats_of(kernel_named("cpu/rms")), expected);
}

TEST(Selection, ListsAreSplitAtCommas) {
    EXPECT_EQ(read_formats("bf16,f32"), (std::vector<FormatId>{FormatId::bf16, FormatId::f32}));
    EXPECT_EQ(read_extents("--cols", "0,7"), (std::vector<int64_t>{0, 7}));
    EXPECT_TRUE(read_list("").empty());
    EXPECT_THROW(read_extents("--cols", "1,,2"), InputError);
}

TEST(Selection, InlineValuesKeepTheirCommas) {
    const std::vector<std::string> expected{"gaussian", "values:1,2,-3.5", "bits:3f800000,c0000000", "zeros"};
    EXPECT_EQ(read_fills("gaussian,values:1,2,-3.5,bits:3f800000,c0000000,zeros"), expected);
}

TEST(Selection, AShellWordIsQuotedOnlyWhereItMustBe) {
    EXPECT_EQ(shell_word("cpu/rms"), "cpu/rms");
    EXPECT_EQ(shell_word("rms eps=0"), "'rms eps=0'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace normcheck
