// The fault zoo: complete, in order, and caught by the default plan wherever one call can show the fault.
#include "harness/kernels/faulty/faults.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "harness/cases/plan.hpp"
#include "harness/check/abi_format.hpp"
#include "harness/check/check.hpp"
#include "harness/check/run_plan.hpp"
#include "harness/kernels/faulty/cuda_parts.hpp"
#include "harness/kernels/faulty/parts.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

std::vector<Case> planned(const nc_kernel& kernel, FormatId format, PlanOptions options = {}) {
    options.formats = {format};
    return plan(kernel.name, parse_contract(kernel.contract), options);
}

/// What is wrong with the case's result; empty where nothing is.
std::string complaint(const CaseResult& result) {
    if (!result.broken_rules.empty()) return result.broken_rules[0];
    for (const RowResult& row : result.rows)
        if (row.verdict == Verdict::fail) return "an output is not admissible";
    return "";
}

/// The line of the first case of the plan that catches the kernel, and what it says; nothing where none does.
std::optional<std::string> first_catch(const nc_kernel& kernel, const PlanOptions& options = {}) {
    for (const FormatId format : formats_of(kernel)) {
        for (const Case& c : planned(kernel, format, options)) {
            const std::string text = complaint(check_case(kernel, c));
            if (!text.empty()) return fmt::format("{}: {}", print(c), text);
        }
    }
    return std::nullopt;
}

TEST(Faults, there_are_two_of_every_kind_and_seventy_in_all) {
    EXPECT_GE(faults().size(), 70U);
    for (const FaultKind& kind : fault_kinds()) {
        const auto is_it = [&](const FaultInfo& fault) { return fault.kind == kind.letter; };
        EXPECT_GE(std::ranges::count_if(faults(), is_it), 2) << kind.letter;
    }
}

TEST(Faults, every_fault_has_a_known_kind_a_name_of_its_own_and_a_contract) {
    std::set<std::string> names;
    for (const FaultInfo& fault : faults()) {
        const std::string name = fault.kernel->name;
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_TRUE(name.starts_with("faulty/")) << name;
        EXPECT_EQ(find_kernel(name), fault.kernel) << name;
        EXPECT_NO_THROW(parse_contract(fault.kernel->contract)) << name;
        const auto is_its = [&](const FaultKind& kind) { return fault.kind == kind.letter; };
        EXPECT_TRUE(std::ranges::any_of(fault_kinds(), is_its)) << name;
    }
}

TEST(Faults, no_fault_is_a_built_in_kernel) {
    for (const nc_kernel* kernel : built_in_kernels()) EXPECT_FALSE(std::string(kernel->name).starts_with("faulty/"));
}

using faulty::Steps;

/// The correct kernels that the faults are made from.
constexpr nc_kernel correct_kernels[] = {
    faulty::rms<[] { return Steps{}; }>("correct/rms", ""),
    faulty::layer<[] { return Steps{}; }>("correct/layer", ""),
    faulty::add_rms<[] { return Steps{}; }>("correct/add_rms", ""),
    faulty::promising<[] { return Steps{.residual = ResidualSum::wide}; }>("correct/add_rms_wide",
                                                                           faulty::add_rms_wide_contract, ""),
    faulty::cuda::kernel<faulty::cuda::RmsParts>("correct/cuda_rms", ""),
    faulty::cuda::kernel<faulty::cuda::LayerParts>("correct/cuda_layer", ""),
};

TEST(Faults, with_no_step_replaced_the_kernel_passes_the_default_plan) {
    std::vector<Job> jobs;
    for (const nc_kernel& kernel : correct_kernels)
        for (const FormatId format : formats_of(kernel)) jobs.push_back({&kernel, planned(kernel, format), format});
    const Report report = run_plan(jobs, {.threads = omp_get_num_procs()});
    for (const Finding& finding : report.findings) ADD_FAILURE() << finding.case_line << ": " << finding.reason;
    for (const KernelReport& kernel : report.kernels)
        EXPECT_EQ(verdict(kernel), Verdict::pass) << kernel.kernel << " in " << format(kernel.format).name;
}

std::vector<const nc_kernel*> kernels_shown_by(ShownBy shown_by) {
    std::vector<const nc_kernel*> kernels;
    for (const FaultInfo& fault : faults())
        if (fault.shown_by == shown_by) kernels.push_back(fault.kernel);
    return kernels;
}

void expect_caught(ShownBy shown_by, const PlanOptions& options) {
    const std::vector<const nc_kernel*> kernels = kernels_shown_by(shown_by);
    std::vector<std::optional<std::string>> found(kernels.size());
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < kernels.size(); ++i) found[i] = first_catch(*kernels[i], options);
    EXPECT_FALSE(kernels.empty());
    for (size_t i = 0; i < kernels.size(); ++i) {
        EXPECT_TRUE(found[i]) << kernels[i]->name << " is not caught: " << kernels[i]->about;
        if (found[i]) ::testing::Test::RecordProperty(kernels[i]->name, *found[i]);
    }
}

TEST(Faults, the_default_plan_catches_every_fault_that_one_call_can_show) {
    expect_caught(ShownBy::any, {});
}

TEST(Faults, many_rows_show_those_that_need_them) {
    expect_caught(ShownBy::rows, {.cols = {1}, .rows = {65537}, .fills = {"gaussian"}});
}

/// Each of their results is right: only a comparison shows them.
TEST(Faults, one_call_does_not_show_those_that_need_a_property) {
    for (const nc_kernel* kernel : kernels_shown_by(ShownBy::property))
        EXPECT_EQ(first_catch(*kernel, {.max_cases = 100}), std::nullopt) << kernel->name;
}

}  // namespace
}  // namespace normcheck
