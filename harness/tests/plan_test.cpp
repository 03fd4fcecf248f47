// The default plan: its size, that it meets every choice, and that it depends on nothing but its options.
#include "harness/cases/plan.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/cases/fills.hpp"
#include "harness/cases/make_inputs.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

const char* const contracts[] = {"rms",
                                 "layer beta=add in_place=yes",
                                 "rms gamma=none",
                                 "layer beta=add eps_at=outside",
                                 "rms residual=rounded gamma=one_plus in_place=yes",
                                 "rms eps_at=none",
                                 "layer beta=add eps=1e-5:f64"};

int64_t elements(const std::vector<Case>& cases) {
    int64_t sum = 0;
    for (const Case& c : cases) sum += c.rows * c.cols;
    return sum;
}

template <typename Choice>
auto met(const std::vector<Case>& cases, Choice choice) {
    std::set<decltype(choice(cases.front()))> values;
    for (const Case& c : cases) values.insert(choice(c));
    return values;
}

TEST(Plan, TheDefaultPlanHasHundredsOfCasesAndAboutAMillionElements) {
    for (const char* text : contracts) {
        const auto cases = plan("k", parse_contract(text), {});
        EXPECT_GE(cases.size(), 360u) << text;
        EXPECT_LE(cases.size(), 600u) << text;
        EXPECT_GE(elements(cases), 800000) << text;
        EXPECT_LE(elements(cases), 1500000) << text;
    }
}

TEST(Plan, EveryCaseComesBackFromItsTextAndItsOverridesFitTheKernel) {
    for (const char* text : contracts) {
        const Contract contract = parse_contract(text);
        for (const Case& c : plan("k", contract, {.formats = {FormatId::bf16, FormatId::f32}})) {
            EXPECT_EQ(parse_case(print(c)), c);
            EXPECT_NO_THROW(with_overrides(contract, c.overrides)) << print(c);
        }
    }
}

TEST(Plan, EveryFillMeetsEveryNumberOfColumns) {
    const auto pairs = met(plan("k", Contract{}, {}), [](const Case& c) { return std::pair(c.x.fill, c.cols); });
    for (const FillInfo& info : fills()) {
        for (int64_t cols : {1, 2, 3, 5, 17, 64, 127, 128, 129, 255, 256, 257, 768, 1024, 1025, 4096}) {
            EXPECT_TRUE(pairs.contains({info.name, cols})) << info.name << " " << cols;
        }
    }
}

TEST(Plan, FillsPlacedByEpsMeetEveryEps) {
    const Contract contract = parse_contract("layer beta=add");
    const auto pairs = met(plan("k", contract, {}), [&](const Case& c) {
        return std::pair(c.x.fill, with_overrides(contract, c.overrides).eps.value);
    });
    for (const char* fill : {"eps_grid", "small", "gaussian"}) {
        for (const char* eps : {"0", "1e-12", "1e-6", "1e-5", "1e-3", "0.1", "1"}) {
            EXPECT_TRUE(pairs.contains({fill, parse_number(eps, FormatId::f32, "eps")})) << fill << " " << eps;
        }
        EXPECT_TRUE(std::ranges::any_of(
            pairs, [&](const auto& pair) { return pair.first == fill && pair.second > 0 && pair.second < 0x1p-126; }))
            << fill << " meets no subnormal eps";
    }
}

TEST(Plan, EpsGridAndSmallMeetEveryEpsAtSeveralLengths) {
    for (const char* fill : {"eps_grid", "small"}) {
        std::map<std::string, std::set<int64_t>> lengths;
        for (const Case& c : plan("k", Contract{}, {})) {
            if (c.x.fill == fill) lengths[c.overrides].insert(c.cols);
        }
        EXPECT_GE(lengths.size(), 8u);
        for (const auto& [eps, cols] : lengths) EXPECT_GE(cols.size(), 3u) << fill << " " << eps;
    }
}

TEST(Plan, EveryParameterFillThreadsAndAliasIsMet) {
    const auto cases = plan("k", parse_contract("layer beta=add residual=wide in_place=yes"), {});
    const auto gammas = met(cases, [](const Case& c) { return c.gamma.fill; });
    for (const FillInfo& info : parameter_fills())
        EXPECT_TRUE(gammas.contains(info.name) || info.name == std::string("zeros"));
    EXPECT_TRUE(gammas.contains("absent"));
    EXPECT_TRUE(met(cases, [](const Case& c) { return c.beta.fill; }).contains("zeros"));
    EXPECT_EQ(met(cases, [](const Case& c) { return c.alias; }).size(), 3u);
    EXPECT_TRUE(met(cases, [](const Case& c) { return c.threads; }).contains(2));
    EXPECT_GE(met(cases, [](const Case& c) { return c.pitch; }).size(), 4u);
    EXPECT_GE(met(cases, [](const Case& c) { return c.stride; }).size(), 3u);
    EXPECT_GE(met(cases, [](const Case& c) { return c.offset; }).size(), 4u);
    EXPECT_GE(met(cases, [](const Case& c) { return c.rows; }).size(), 5u);
}

TEST(Plan, EpsZeroIsNotAskedOfRowsThatAreAllZero) {
    for (const Case& c : plan("k", parse_contract("layer beta=add"), {})) {
        if (c.overrides.find("eps=0 ") == 0 || c.overrides == "eps=0") {
            EXPECT_NE(c.x.fill, "zeros");
            EXPECT_NE(c.x.fill, "constant");
        }
    }
}

TEST(Plan, NoAliasIsAskedThatTheContractDoesNotAllow) {
    for (const Case& c : plan("k", parse_contract("rms"), {})) EXPECT_EQ(c.alias, Alias::none);
}

TEST(Plan, FormatsAreInterleavedAndAShortPlanIsThePrefixOfALongOne) {
    const PlanOptions options{.formats = {FormatId::f16, FormatId::bf16}};
    PlanOptions brief = options;
    brief.max_cases = 2 * std::ssize(fills());
    const auto all = plan("k", Contract{}, options);
    const auto first = plan("k", Contract{}, brief);
    ASSERT_EQ(first.size(), 2 * fills().size());
    EXPECT_TRUE(std::ranges::equal(first, std::span(all).first(2 * fills().size())));
    EXPECT_EQ(first[0].x, first[1].x);
    EXPECT_EQ(met(first, [](const Case& c) { return c.x.fill; }).size(), fills().size());
}

TEST(Plan, SeedsDifferFromCaseToCaseAndFollowTheSeedOfThePlan) {
    const auto cases = plan("k", Contract{}, {});
    EXPECT_EQ(cases, plan("k", Contract{}, {}));
    EXPECT_GT(met(cases, [](const Case& c) { return c.seed; }).size(), cases.size() * 9 / 10);
    EXPECT_NE(cases[0].seed, plan("k", Contract{}, {.seed = 2})[0].seed);
}

TEST(Plan, ListsAreAProduct) {
    const auto cases = plan("k", Contract{},
                            {.formats = {FormatId::f32, FormatId::f16},
                             .cols = {4, 9},
                             .rows = {1, 2, 3},
                             .fills = {"ramp:0:2"},
                             .eps = {"0", "1e-3", "1e-6"}});
    EXPECT_EQ(cases.size(), 2u * 2 * 3 * 3);
    EXPECT_EQ(met(cases, [](const Case& c) { return std::tuple(c.overrides, c.rows, c.cols); }).size(), cases.size());
    EXPECT_EQ(met(cases, [](const Case& c) { return c.x.fill; }), std::set<std::string>{"ramp:0:2"});
}

TEST(Plan, ListsThatAreOpenTakeAFewChoices) {
    EXPECT_EQ(plan("k", Contract{}, {.cols = {7}}).size(), fills().size());
    const auto inline_cases = plan("k", Contract{}, {.fills = {"values:1,2,3,4"}});
    ASSERT_EQ(inline_cases.size(), 1u);
    EXPECT_EQ(inline_cases[0].cols, 4);
    EXPECT_EQ(inline_cases[0].x.bits.size(), 4u);
}

TEST(Plan, BadListsAreRefused) {
    EXPECT_THROW(plan("k", Contract{}, {.fills = {"nothing"}}), InputError);
    EXPECT_THROW(plan("k", Contract{}, {.eps = {"-1"}}), InputError);
    EXPECT_THROW(plan("k", Contract{}, {.cols = {-1}}), InputError);
    EXPECT_THROW(plan("k", Contract{}, {.cols = {2}, .fills = {"values:1,2,3"}}), InputError);
}

}  // namespace
}  // namespace normcheck
