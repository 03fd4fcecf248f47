// Properties accuse no correct kernel, whatever the case, and each catches the kernel that was made to break it.
#include "harness/properties/properties.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "harness/cases/fills.hpp"
#include "harness/check/check.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/properties/property_calls.hpp"
#include "harness/properties/property_stage.hpp"
#include "harness/tests/bad_kernels.hpp"
#include "harness/tests/properties_faulty.hpp"
#include "oracles/error.hpp"
#include "reports/finding_order.hpp"

namespace normcheck {
namespace {

using Status = PropertyResult::Status;

template <typename List>
auto one_of(const List& list) {
    return list[*rc::gen::inRange<size_t>(0, std::size(list))];
}

constexpr const char* drawn_eps[] = {"1e-6", "1e-5", "1", "1e-12", "0", "1e-3", "1e-40"};
constexpr const char* drawn_parameters[] = {"ones", "random", "absent", "with_zeros", "large", "negative", "specials"};

/// A recipe: everything but the numbers themselves. Each draw shrinks to the first of its list or range.
Case drawn_case(const nc_kernel& kernel) {
    Case c;
    c.kernel = kernel.name;
    constexpr FormatId formats[] = {FormatId::f32, FormatId::bf16, FormatId::f16};
    const bool takes_all = (kernel.supports & NC_TAKES(NC_F16)) != 0;
    const FormatId x = takes_all ? one_of(formats) : FormatId::f32;
    c.overrides = canonical_overrides(fmt::format("x={} eps={}", format(x).name, one_of(drawn_eps)));
    c.rows = *rc::gen::inRange<int64_t>(1, 6);
    c.cols = *rc::gen::inRange<int64_t>(1, 65);
    c.x.fill = fills()[*rc::gen::inRange<size_t>(0, fills().size())].name;
    c.residual.fill = *rc::gen::arbitrary<bool>() ? c.x.fill : "gaussian";
    c.gamma.fill = one_of(drawn_parameters);
    c.beta.fill = one_of(drawn_parameters);
    c.position = *rc::gen::inRange<int64_t>(0, 100);
    c.threads = *rc::gen::inRange(1, 3);
    c.seed = *rc::gen::inRange<uint64_t>(1, 1000000);
    return parse_case(print(c));
}

std::vector<const nc_kernel*> correct_kernels() {
    std::vector<const nc_kernel*> kernels(built_in_kernels().begin(), built_in_kernels().end());
    for (const nc_kernel* kernel : {&honest_rms_kernel, &honest_layer_kernel, &honest_kernel, &honest_adding_kernel})
        kernels.push_back(kernel);
    return kernels;
}

/// RapidCheck with the same draws in every run.
rc::detail::TestResult searched(const std::function<void()>& testable, int times) {
    rc::detail::TestParams params;
    params.seed = 20240601;
    params.maxSuccess = times;
    return rc::detail::checkTestable(testable, rc::detail::TestMetadata(), params);
}

std::string explained(const rc::detail::TestResult& result) {
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    return text.str();
}

TEST(Properties, accuse_no_correct_kernel) {
    const std::vector<const nc_kernel*> kernels = correct_kernels();
    std::map<std::string, int> held_by;
    const auto result = searched(
        [&] {
            const nc_kernel& kernel = *one_of(kernels);
            const Case c = drawn_case(kernel);
            for (const PropertyInfo& property : properties()) {
                const PropertyResult answer = property.check(kernel, c);
                if (answer.status == Status::violated)
                    RC_FAIL(fmt::format("'{}': {}: {}", print(c), property.name, answer.reason));
                if (answer.status == Status::held) ++held_by[property.name];
            }
        },
        400);
    EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << explained(result);
    for (const PropertyInfo& property : properties()) EXPECT_GE(held_by[property.name], 30) << property.name;
}

// A residual sum that overflows beside the Inf, a y that reached the smallest normal number by rounding, and a -0 that
// is +0 after x + c - c.
TEST(Properties, accuse_no_correct_kernel_at_the_ends_of_a_format) {
    for (const auto& [property, line] :
         {std::pair{"inf_stays_in_its_row",
                    "kernel=cpu/add_rms_wide eps=1 rows=7 cols=64 fill=near_overflow residual_fill=near_overflow "
                    "seed=328698 position=56"},
          std::pair{"gamma_power_of_two",
                    "kernel=cpu/add_rms_wide x=f16 cols=128 fill=wide_exponents gamma_fill=absent seed=408302 "
                    "position=28"},
          std::pair{"shift_response",
                    "kernel=cpu/layer_two_pass x=bf16 cols=127 fill=wide_exponents beta_fill=absent seed=509279 "
                    "position=91"}}) {
        const Case c = parse_case(line);
        EXPECT_EQ(property_named(property).check(*find_kernel(c.kernel), c).status, Status::held) << line;
    }
}

/// Breaks up a kernel's memory of the call before.
void call_something_else(const nc_kernel& kernel) {
    const Case other = parse_case("kernel=test/other cols=3");
    const Contract contract = case_contract(&kernel, other);
    call_kernel(kernel, other, contract, make_inputs(other, contract));
}

std::set<std::string> violated_by(const nc_kernel& kernel, const Case& c) {
    std::set<std::string> names;
    for (const PropertyInfo& property : properties()) {
        call_something_else(kernel);
        const PropertyResult result = property.check(kernel, c);
        if (result.status == Status::violated) names.insert(property.name);
    }
    return names;
}

Case planted_case(const PlantedFault& fault) {
    return parse_case(fmt::format("kernel={} {}", fault.kernel.name, fault.case_line));
}

TEST(Properties, each_catches_a_fault_that_no_other_one_sees) {
    std::set<std::string> caught;
    for (const PlantedFault& fault : planted_faults()) {
        EXPECT_EQ(violated_by(fault.kernel, planted_case(fault)), std::set<std::string>{fault.property})
            << fault.kernel.name;
        EXPECT_EQ(property_named(fault.property).check(*fault.honest, planted_case(fault)).status, Status::held)
            << fault.property;
        caught.insert(fault.property);
    }
    EXPECT_EQ(caught.size(), properties().size());
}

/// Faults that a witness shows by itself: the others depend on what was called before, or on both calls.
bool is_shown_by_the_witness(std::string_view property) {
    return property == "shift_response" || property == "eps_response" || property == "admissible";
}

TEST(Properties, a_witness_is_a_case_of_its_own) {
    for (const PlantedFault& fault : planted_faults()) {
        const PropertyResult result = property_named(fault.property).check(fault.kernel, planted_case(fault));
        EXPECT_FALSE(result.reason.empty()) << fault.property;
        EXPECT_EQ(parse_case(print(result.witness)), result.witness) << fault.property;
        if (!is_shown_by_the_witness(fault.property)) continue;
        bool failed = false;
        for (const RowResult& row : check_case(fault.kernel, result.witness).rows)
            failed = failed || row.verdict == Verdict::fail;
        EXPECT_TRUE(failed) << fault.property << ": " << print(result.witness);
    }
}

TEST(Properties, a_failing_case_shrinks_to_one_of_few_columns) {
    const auto faults = planted_faults();
    const nc_kernel& kernel = std::ranges::find_if(faults, [](const PlantedFault& f) {
                                  return f.property == std::string("strided_equals_dense");
                              })->kernel;
    Case smallest;
    const auto result = searched(
        [&] {
            const Case c = drawn_case(kernel);
            if (property_named("strided_equals_dense").check(kernel, c).status != Status::violated) return;
            smallest = c;  // what fails last is where shrinking ended
            RC_FAIL(print(c));
        },
        100);
    EXPECT_TRUE(result.is<rc::detail::FailureResult>());
    EXPECT_EQ(smallest.rows, 1) << print(smallest);
    EXPECT_LE(smallest.cols, 3) << print(smallest);
}

/// The honest computation, with bits that depend on how many rows there are: right where no bits are promised.
const char* run_by_batch(const nc_call* call) {
    honest_rms_kernel.run(call);
    if (call->x.shape[0] == 1 && call->x.shape[1] > 0) {
        float& y = *static_cast<float*>(call->y.data);
        y = std::nextafter(y, 2 * y);
    }
    return nullptr;
}

TEST(Properties, a_contract_that_promises_no_bits_is_judged_instead) {
    const nc_kernel promises{"test/by_batch", honest_rms_kernel.contract, "", 1U << NC_F32, run_by_batch};
    const nc_kernel promises_not{"test/by_batch", "rms", "", 1U << NC_F32, run_by_batch};
    const Case c = parse_case("kernel=test/by_batch rows=4 cols=33");
    EXPECT_EQ(property_named("batch_independence").check(promises, c).status, Status::violated);
    EXPECT_EQ(property_named("batch_independence").check(promises_not, c).status, Status::held);
    EXPECT_EQ(property_named("sign_symmetry").check(promises_not, c).status, Status::not_applicable);
}

TEST(Properties, a_refused_call_is_no_pass) {
    for (const PropertyInfo& property : properties()) {
        const PropertyResult result =
            property.check(refusing_kernel, parse_case("kernel=test/refusing rows=3 cols=33"));
        EXPECT_EQ(result.status, Status::not_applicable) << property.name;
        EXPECT_FALSE(result.reason.empty()) << property.name;
    }
}

TEST(Properties, an_empty_call_asks_for_rules_alone) {
    for (const char* line : {"kernel=test/honest_rms rows=0 cols=5", "kernel=test/honest_rms rows=3 cols=0"})
        for (const PropertyInfo& property : properties()) {
            const bool rule =
                property.name == std::string("guard_bands") || property.name == std::string("inputs_untouched");
            EXPECT_EQ(property.check(honest_rms_kernel, parse_case(line)).status,
                      rule ? Status::held : Status::not_applicable)
                << property.name << " on " << line;
        }
}

TEST(Properties, the_response_to_eps_names_the_placement_that_is_obeyed) {
    const auto faults = planted_faults();
    for (const PlantedFault& fault : faults) {
        if (fault.property != std::string("eps_response")) continue;
        const PropertyResult result = property_named("eps_response").check(fault.kernel, planted_case(fault));
        EXPECT_NE(result.reason.find("it obeys eps_at=outside"), std::string::npos) << result.reason;
    }
}

TEST(Properties, the_response_to_eps_names_the_value_that_is_obeyed) {
    for (const auto& [name, words] : {std::pair{"faulty/rms_eps_1e5", "it obeys eps=1e-5"},
                                      std::pair{"faulty/layer_eps_doubled", "it obeys twice the eps"},
                                      std::pair{"faulty/rms_eps_squared", "it obeys the square of eps"}}) {
        const Case c = parse_case(fmt::format("kernel={} eps=1e-3 rows=2 cols=33", name));
        const PropertyResult result = property_named("eps_response").check(*find_kernel(name), c);
        EXPECT_NE(result.reason.find(words), std::string::npos) << name << ": " << result.reason;
    }
}

TEST(Properties, the_response_to_a_shift_tells_the_norms_apart) {
    const nc_kernel rms_as_layer{"test/a", honest_layer_kernel.contract, "", 1U << NC_F32, honest_rms_kernel.run};
    const Case c = parse_case("kernel=test/a rows=1 cols=33 beta_fill=zeros");
    const PropertyResult result = property_named("shift_response").check(rms_as_layer, c);
    EXPECT_EQ(result.status, Status::violated);
    EXPECT_NE(result.reason.find("as under rms"), std::string::npos) << result.reason;
}

TEST(Properties, names_are_read_from_lists) {
    EXPECT_EQ(read_properties("all").size(), properties().size());
    EXPECT_TRUE(read_properties("none").empty());
    const auto two = read_properties("sign_symmetry,admissible");
    ASSERT_EQ(two.size(), 2U);
    EXPECT_STREQ(two[0]->name, "admissible");
    try {
        read_properties("admissible,beauty");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_TRUE(
            std::string(error.what()).starts_with("there is no property 'beauty'; expected some of admissible, "));
    }
}

std::vector<Case> repeated_case(const nc_kernel& kernel, int64_t times) {
    return std::vector<Case>(static_cast<size_t>(times),
                             parse_case(fmt::format("kernel={} rows=4 cols=33", kernel.name)));
}

TEST(PropertyStage, counts_answers_and_makes_violations_findings) {
    const auto faults = planted_faults();
    const PlantedFault& fault = faults[4];
    ASSERT_STREQ(fault.property, "sign_symmetry");
    const std::vector<Job> jobs = {{&fault.kernel, repeated_case(fault.kernel, 3), FormatId::f32}};
    RunOptions options;
    options.after_case = property_stage(jobs, read_properties("sign_symmetry,doubled_gamma_and_beta"));
    const Report report = run_plan(jobs, options);
    const auto& counts = report.kernels[0].properties;
    EXPECT_EQ(counts.at("sign_symmetry"), (PropertyCounts{.violated = 3}));
    EXPECT_EQ(counts.at("doubled_gamma_and_beta"), (PropertyCounts{.not_applicable = 3}));
    EXPECT_EQ(report.kernels[0].broken_rules, (ReasonCounts{{"property sign_symmetry", 3}}));
    ASSERT_EQ(report.findings.size(), 3U);
    EXPECT_EQ(report.findings[1].case_index, 1);
    EXPECT_EQ(report.findings[1].case_line, print(jobs[0].cases[1]));
    EXPECT_TRUE(report.findings[1].reason.starts_with("property sign_symmetry: y[")) << report.findings[1].reason;
}

TEST(PropertyStage, spreads_over_a_long_plan_and_leaves_large_cases_alone) {
    std::vector<Case> cases = repeated_case(honest_rms_kernel, 400);
    for (Case& c : cases) c.cols = 3;
    cases[0].cols = 4096;
    const std::vector<Job> jobs = {{&honest_rms_kernel, cases, FormatId::f32}};
    RunOptions options;
    const AfterCase stage = property_stage(jobs, read_properties("admissible"));
    Report report;
    std::vector<int64_t> asked;
    for (int64_t i = 0; i < 400; ++i) {
        const Report before = report;
        stage(report, jobs[0], cases[static_cast<size_t>(i)], i);
        if (report != before) asked.push_back(i);
    }
    EXPECT_LE(asked.size(), 100U);
    EXPECT_GE(asked.size(), 50U);
    EXPECT_GT(asked.front(), 0);
    EXPECT_GE(asked.back(), 380);
}

TEST(Properties, those_that_stand_first_in_a_report_are_properties) {
    for (const std::string_view name : telling_properties) EXPECT_NO_THROW(property_named(name)) << name;
}

}  // namespace
}  // namespace normcheck
