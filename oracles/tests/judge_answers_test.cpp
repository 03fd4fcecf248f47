// The judge's targets against answers known in closed form, and contracts that differ by one rounding told apart.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "oracles/tests/judge_rows.hpp"

namespace normcheck {
namespace {

using rows::Given;
using rows::Numbers;
using rows::repeated;
using rows::spike;

// Answers computed with 60 digits elsewhere.
struct Answer {
    const char* what;
    const char* contract;
    Numbers row;
    std::vector<std::pair<size_t, double>> right;
};

std::vector<Answer> answers() {
    const auto x = [](std::vector<double> values) { return Numbers{std::move(values), {}, {}, {}}; };
    return {
        {"four numbers near 40000",
         "layer eps=1e-5",
         x({40000, 40001, 40002, 40003}),
         {{0, -1.34163542}, {1, -0.447211807}, {2, 0.447211807}, {3, 1.34163542}}},
        {"unit variance at 2000",
         "layer eps=1e-5",
         x({2000, 2001, 1999.5, 2000.25}),
         {{0, -0.34640425}, {1, 1.50108508}, {2, -1.27014892}, {3, 0.115468083}}},
        {"steps at 1", "layer eps=1e-7", x({1, 1.001, 0.999, 1}), {{1, 1.29101733}, {2, -1.29097885}}},
        {"alternating near -15.94",
         "layer eps=1e-5",
         x(repeated({-15.945, -15.935}, 16)),
         {{0, -0.845136755}, {1, 0.845136755}}},
        {"one spike in zeros in f16",
         "layer x=f16 eps=1e-5",
         x(spike(800, 0, 768)),
         {{0, 27.6947647}, {1, -0.036107907}}},
        {"1e30 with all of the range",
         "layer eps=1e-5 range=full",
         x({1e30, 2e30, 3e30, 4e30}),
         {{0, -1.34164077}, {1, -0.447213568}, {2, 0.447213501}, {3, 1.34164084}}},
        {"a spike that inflates eps", "rms eps=1e-5", x(spike(100, 0, 65536)), {{0, 255.991612}, {1, 0}}},
        {"eps inside", "layer eps=1e-5", x(repeated({0.001, -0.001}, 8)), {{0, 0.301511361}, {1, -0.301511361}}},
        {"eps outside", "layer eps=1e-5 eps_at=outside", x(repeated({0.001, -0.001}, 8)), {{0, 0.99009901}}},
        {"tiny rms inside", "rms eps=1e-6", x(repeated({1e-5}, 8)), {{0, 0.00999949978}}},
        {"tiny rms outside", "rms eps=1e-6 eps_at=outside", x(repeated({1e-5}, 8)), {{0, 0.909090907}}},
        {"f16 squares past its range",
         "rms x=f16 y=f32 eps=1e-5",
         x(spike(3000, 1, 4096)),
         {{0, 63.9854448}, {1, 0.0213284816}}},
        {"one element", "rms eps=1e-5", x({1e-7}), {{0, 3.1622777e-5}}},
        {"three elements", "layer eps=1e-5", x({100, 101, 102}), {{0, -1.22473569}, {1, 0}, {2, 1.22473569}}},
        {"the smallest subnormals of f16",
         "layer x=f16 y=f32 eps=1e-12",
         x(repeated({0x1p-24, -0x1p-24}, 8)),
         {{0, 0.0594990469}}},
        {"a subnormal eps", "layer eps=1e-40", x(repeated({3e-20, -3e-20}, 8)), {{0, 0.948683551}}},
        {"1e-20 without eps", "rms eps=0", x(repeated({1e-20}, 8)), {{0, 1}}},
        {"1e-20 with eps 1e-30", "rms eps=1e-30", x(repeated({1e-20}, 8)), {{0, 9.99999967e-6}}},
        {"1e-20 with eps 1e-6", "rms eps=1e-6", x(repeated({1e-20}, 8)), {{0, 9.99999970e-18}}},
        {"gamma that differs",
         "rms eps=1e-6",
         {{1, 2, 3, 4}, {1, 2, 3, 4}, {}, {}},
         {{0, 0.365148347}, {1, 1.46059339}, {2, 3.28633513}, {3, 5.84237356}}},
    };
}

TEST(JudgeAnswers, knows_answers_in_closed_form) {
    for (const Answer& answer : answers()) {
        const std::vector<double> got = Given(answer.contract, answer.row).target_numbers();
        const double width = answer.row.x.size() == 768 ? 0x1p-11 : 1e-7;  // f16 outputs
        for (const auto& [i, right] : answer.right) EXPECT_NEAR(got[i], right, std::fabs(right) * width) << answer.what;
    }
}

TEST(JudgeAnswers, tells_the_two_orders_of_cast_and_gamma_apart) {
    const Numbers row{{1, 2, 3, 4}, repeated({1.1953125}, 4), {}, {}};
    const Given last("rms x=bf16 eps=1e-6", row);
    const Given before("rms x=bf16 eps=1e-6 cast=before_gamma", row);
    const std::vector<double> gemma = {0.435546875, 0.87109375, 1.3125, 1.7421875};
    const std::vector<double> llama = {0.4375, 0.875, 1.3046875, 1.75};
    EXPECT_EQ(last.target_numbers(), gemma);
    EXPECT_EQ(before.target_numbers(), llama);
    EXPECT_EQ(last.verdict(llama), Verdict::fail);
    EXPECT_EQ(before.verdict(gemma), Verdict::fail);
    EXPECT_EQ(last.verdict(gemma), Verdict::pass);
    EXPECT_EQ(before.verdict(llama), Verdict::pass);
}

TEST(JudgeAnswers, tells_the_formats_apart_in_which_one_is_added) {
    const Numbers row{{1, 2}, {15.8125, 15.8125}, {}, {}};
    const Given wide("rms x=bf16 gamma=one_plus", row);
    const Given narrow("rms x=bf16 gamma=one_plus offset_in=bf16", row);
    EXPECT_EQ(wide.target_numbers(), (std::vector<double>{10.625, 21.25}));
    EXPECT_EQ(narrow.target_numbers(), (std::vector<double>{10.5625, 21.125}));
    EXPECT_EQ(wide.verdict(narrow.targets()), Verdict::fail);
    EXPECT_EQ(narrow.verdict(wide.targets()), Verdict::fail);
    EXPECT_EQ(wide.verdict(Given("rms x=bf16", row).targets()), Verdict::fail);
}

TEST(JudgeAnswers, tells_a_rounded_residual_sum_from_a_wide_one) {
    const Numbers row{{1, 1}, {1, 1}, {}, {0, 0.009765625}};
    const Given wide("rms x=bf16 residual=wide", row);
    const Given rounded("rms x=bf16 residual=rounded", row);
    EXPECT_EQ(wide.target_numbers(), (std::vector<double>{0.99609375, 1.0078125}));
    EXPECT_EQ(rounded.target_numbers(), (std::vector<double>{0.99609375, 1.0}));
    EXPECT_EQ(wide.verdict(rounded.targets()), Verdict::fail);
    EXPECT_EQ(rounded.verdict(wide.targets()), Verdict::fail);
}

TEST(JudgeAnswers, an_element_is_told_with_the_error_that_its_row_is) {
    for (const double wrong : {0.18586145, 0.7, 12345.678, 1.0000001}) {
        for (const char* contract : {"rms", "rms x=bf16", "layer beta=add x=f16"}) {
            const Given given(contract, {{0.25, 0.375, -0.5}, {}, {}, {}});
            rows::Codes y = given.targets();
            y[2] = round_double(format(given.contract.y), -wrong);
            const RowOutputs outputs{.y = y.data(), .residual_out = nullptr, .mean = {}, .rstd = {}};
            EXPECT_EQ(given.judge.explain(given.inputs(), outputs, Output::y, 2).error,
                      given.result(outputs).element_error)
                << contract << ' ' << wrong;
        }
    }
}

}  // namespace
}  // namespace normcheck
