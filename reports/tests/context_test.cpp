// Tests of the description of a run.
#include "reports/context.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace normcheck {
namespace {

TEST(Context, keeps_seed_and_command) {
    const Context context = make_context(42, "normcheck check");
    EXPECT_EQ(context.seed, 42u);
    EXPECT_EQ(context.command, "normcheck check");
    EXPECT_EQ(context.schema, schema_version);
    EXPECT_EQ(context.seconds, 0);
}

TEST(Context, describes_machine_and_build) {
    const Context context = make_context(1, "");
    EXPECT_FALSE(context.cpu.empty());
    EXPECT_GE(context.cores, 1);
    EXPECT_TRUE(std::regex_match(context.compiler, std::regex("(clang|gcc) [0-9]+[.][0-9]+[.][0-9]+")));
    EXPECT_TRUE(std::regex_match(context.version, std::regex("[0-9]+[.][0-9]+[.][0-9]+")));
    EXPECT_NE(context.flags, "NORMCHECK_FLAGS");
}

TEST(Context, gives_the_start_in_utc_to_the_second) {
    const std::regex iso("20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z");
    EXPECT_TRUE(std::regex_match(make_context(1, "").started, iso));
}

}  // namespace
}  // namespace normcheck
