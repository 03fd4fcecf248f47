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

std::string complaint_about(const std::string& pattern) {
    try {
        kernels_matching({pattern});
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Selection, AnUnknownNameIsAnsweredWithTheNearestOnes) {
    for (const auto& [typed, meant] : {std::pair{"cpu/rsm", "near it: cpu/rms"}, std::pair{"rms_f46", "cpu/rms_f64"},
                                       std::pair{"layer_two_pas", "near it: cpu/layer_two_pass"},
                                       std::pair{"faulty/rms_eps_outsid", "near it: faulty/rms_eps_outside"},
                                       std::pair{"eps_ignored", "faulty/rms_eps_ignored, faulty/layer_eps_ignored"}}) {
        const std::string words = complaint_about(typed);
        EXPECT_NE(words.find(meant), std::string::npos) << words;
        EXPECT_NE(words.find("normcheck list kernels"), std::string::npos) << words;
        EXPECT_LT(words.size(), 240U) << words;
    }
}

TEST(Selection, WhatIsNearNoNameIsAnsweredWithNone) {
    for (const char* typed : {"xyzzyxyzzy", "*", "", "nothing/*"}) {
        const std::string words = complaint_about(typed);
        EXPECT_EQ(words.find("near"), std::string::npos) << words;
    }
    EXPECT_NE(complaint_about("mine/xyzzyxyzzy").find("your own are taken with --plugin or --exec"), std::string::npos);
    EXPECT_EQ(complaint_about("cpu/rsm").find("--plugin"), std::string::npos);
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
