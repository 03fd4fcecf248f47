// The verb `tolerance`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

TEST(ToleranceVerb, TellsTheToleranceOfEveryRegimeAndTheCaseThatNeedsIt) {
    const Ran ran =
        run_program({"tolerance", "layer beta=add x=bf16", "--cols", "768", "--fills", "gaussian,eps_grid"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    for (const char* word :
         {"transition", "ordinary", "rtol 0.016, atol 1e-05", "'layer beta=add x=bf16 rows=3 cols=768"})
        EXPECT_TRUE(contains(ran.output, word)) << word << '\n' << ran.output;
    EXPECT_LE(longest_line(ran.output), 80U) << ran.output;
}

TEST(ToleranceVerb, ItsCaseLineStandsAlone) {
    const Ran ran = run_program({"tolerance", "rms x=f16 eps=1e-5", "--cases", "20", "--json", "-"});
    ASSERT_EQ(ran.status, 0) << ran.errors;
    const nlohmann::json ordinary = nlohmann::json::parse(ran.output)["regimes"]["ordinary"];
    EXPECT_GT(ordinary["rtol"], 1e-4);
    EXPECT_LT(ordinary["rtol"], 2e-3);
    EXPECT_EQ(run_program({"case", ordinary["needed_by"]["case"], "--kernel", "cpu/rms"}).status, 0);
}

TEST(ToleranceVerb, SaysWhatAComparisonDoesNotSee) {
    const Ran ran = run_program({"tolerance", "rms x=bf16 reduce=lanes:16", "--fills", "gaussian", "--cols", "768",
                                 "--kernel", "cpu/rms", "--kernel", "faulty/rms_eps_1e5"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "cpu/rms, rows by")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "unseen in 'rms x=bf16")) << ran.output;
}

TEST(ToleranceVerb, SaysThatAKernelTookNoneOfTheCalls) {
    const Ran ran = run_program({"tolerance", "rms x=f64", "--cases", "2", "--kernel", "cpu/rms"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "cpu/rms: took none of these calls")) << ran.output;
}

TEST(ToleranceVerb, NamesWhatIsWrong) {
    for (const auto& [arguments, words] :
         {std::pair{std::vector<std::string>{"tolerance"}, "CONTRACT"},
          std::pair{std::vector<std::string>{"tolerance", "rms x=f8"}, "f8"},
          std::pair{std::vector<std::string>{"tolerance", "rms", "--kernel", "gpu/none"}, "'gpu/none'"},
          std::pair{std::vector<std::string>{"tolerance", "rms", "--cols", "0x"}, "--cols"}}) {
        const Ran ran = run_program(arguments);
        EXPECT_EQ(ran.status, 2) << ran.output;
        EXPECT_TRUE(contains(ran.errors, words)) << ran.errors;
    }
}

}  // namespace
}  // namespace normcheck
