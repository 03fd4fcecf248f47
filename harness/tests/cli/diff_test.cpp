// The verb `diff`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

nlohmann::json diff_json(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "diff");
    arguments.insert(arguments.end(), {"--json", "-"});
    const Ran ran = run_program(arguments);
    EXPECT_EQ(ran.errors, "");
    return nlohmann::json::parse(ran.output);
}

TEST(DiffVerb, EqualKernelsAreEqualAndExitWithZero) {
    const Ran ran = run_program({"diff", "cpu/rms", "cpu/rms", "--cases", "30"});
    EXPECT_EQ(ran.status, 0) << ran.output << ran.errors;
    EXPECT_TRUE(contains(ran.output, "equal  f32: every output is the same bit by bit: 30 cases")) << ran.output;
    EXPECT_FALSE(contains(ran.output, "differ")) << ran.output;
}

TEST(DiffVerb, ShowsFieldsTablesAndPlacesWithinThePage) {
    for (const int width : {60, 80, 160}) {
        const Ran ran = run_program({"diff", "cpu/layer_two_pass", "cpu/layer_welford", "--formats", "f32", "--cases",
                                     "40", "--width", std::to_string(width)});
        EXPECT_EQ(ran.status, 1);
        EXPECT_TRUE(contains(ran.output, "differ in variance")) << ran.output;
        EXPECT_TRUE(contains(ran.output, "two_pass | welford")) << ran.output;
        EXPECT_TRUE(contains(ran.output, "  shortest  ")) << ran.output;
        EXPECT_FALSE(contains(ran.output, "not admissible")) << ran.output;
        EXPECT_LE(longest_line(ran.output), static_cast<size_t>(width)) << ran.output;
    }
}

TEST(DiffVerb, NamesTheRegimeInWhichAFaultParts) {
    const nlohmann::json json = diff_json({"faulty/rms_eps_outside", "cpu/rms", "--formats", "bf16"});
    EXPECT_FALSE(json["equal"]);
    const nlohmann::json& regimes = json["formats"][0]["regimes"];
    EXPECT_GT(regimes["eps_dominated"]["verdicts"][0]["fail"], 0);
    EXPECT_GT(regimes["eps_dominated"]["nearer_second"], 0);
    EXPECT_EQ(regimes["eps_dominated"]["nearer_first"], 0);
    for (const auto& regime : regimes) EXPECT_EQ(regime["verdicts"][1]["fail"], 0);
}

TEST(DiffVerb, ACaseOfTheResultShowsTheSameAlone) {
    const std::vector<std::string> kernels{"cpu/layer_two_pass", "cpu/layer_welford"};
    const nlohmann::json largest =
        diff_json({kernels[0], kernels[1], "--formats", "f16", "--cases", "40"})["formats"][0]["largest"];
    const nlohmann::json again =
        diff_json({kernels[0], kernels[1], "--case", largest["case"]})["formats"][0]["largest"];
    EXPECT_EQ(again, largest);
}

TEST(DiffVerb, NamesWhatIsWrong) {
    for (const auto& [arguments, words] :
         {std::pair{std::vector<std::string>{"diff", "cpu/rms", "cpu/nothing"}, "unknown kernel 'cpu/nothing'"},
          std::pair{std::vector<std::string>{"diff", "cpu/rms"}, "SECOND"},
          std::pair{std::vector<std::string>{"diff", "cpu/rms", "cpu/add_rms_wide"},
                    "cannot be compared: a residual is not added for the first and added for the second\n"},
          std::pair{std::vector<std::string>{"diff", "cpu/rms", "cpu/rms", "--formats", "f8"}, "unknown format 'f8'"},
          std::pair{std::vector<std::string>{"diff", "cpu/rms", "cpu/rms", "--formats", "f64"},
                    "does not take x in f64"},
          std::pair{std::vector<std::string>{"diff", "cpu/rms", "cpu/rms", "--case", "cols=x"}, "cols"}}) {
        const Ran ran = run_program(arguments);
        EXPECT_EQ(ran.status, 2) << ran.output;
        EXPECT_TRUE(contains(ran.errors, words)) << ran.errors;
        EXPECT_EQ(ran.output, "");
    }
}

}  // namespace
}  // namespace normcheck
