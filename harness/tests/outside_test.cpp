// Kernels from outside within one process: what a crash costs a run, when a kernel is given up, and memory limits.
#include "harness/outside/outside.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "harness/cases/plan.hpp"
#include "harness/check/check.hpp"
#include "harness/check/float_environment.hpp"
#include "harness/check/run_plan.hpp"
#include "harness/compiler/address_sanitizer.hpp"
#include "harness/host/hosted_call.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/outside/library.hpp"
#include "harness/outside/outside_text.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

const nc_kernel& planted(const std::string& name) {
    if (find_kernel("planted/rms") == nullptr) add_outside_kernels({.plugins = {NORMCHECK_PLANTED_PLUGIN}});
    return *find_kernel("planted/" + name);
}

CaseResult checked(const std::string& kernel, const std::string& words) {
    return check_case(planted(kernel), parse_case(words));
}

/// So many cases of the default plans of seed 1 and those after it.
Job job_of(const nc_kernel& kernel, size_t cases) {
    Job job{&kernel, {}, FormatId::f32};
    const Contract contract = parse_contract(kernel.contract);
    for (uint64_t seed = 1; job.cases.size() < cases; ++seed)
        for (const Case& c : plan("planted/any", contract, {.formats = {FormatId::f32}, .seed = seed}))
            job.cases.push_back(c);
    job.cases.resize(cases);
    return job;
}

/// The report without what tells two kernels, and lists of cases that differ in one, apart.
KernelReport renamed(KernelReport report) {
    report.kernel = "planted/any";
    report.inputs.clear();
    return report;
}

TEST(Outside, a_crash_in_one_case_of_a_thousand_costs_the_run_that_case_alone) {
    constexpr size_t unlucky = 617;
    setenv("NORMCHECK_PLANTED_BITS", "3f9e0419", 1);  // 1.2345; hosts have the environment that they are started with
    Job crashing = job_of(planted("crash_on_value"), 1000);
    Job right = crashing;
    right.kernel = &planted("rms");
    crashing.cases[unlucky] = parse_case("x=f32 rows=2 cols=7 fill=values:1.2345,2,3,4,5,6,7");
    right.cases[unlucky] = parse_case("x=f32 rows=0 cols=7");  // which adds no rows
    const Report got = run_plan(std::span(&crashing, 1), {.threads = 2});
    const Report wanted = run_plan(std::span(&right, 1), {.threads = 2});
    unsetenv("NORMCHECK_PLANTED_BITS");
    ASSERT_EQ(got.findings.size(), 1U);
    EXPECT_EQ(got.findings[0].case_index, static_cast<int64_t>(unlucky));
    EXPECT_EQ(got.findings[0].reason, "the kernel crashed (SIGABRT)");
    EXPECT_EQ(wanted.findings.size(), 0U);
    KernelReport report = got.kernels.at(0);
    EXPECT_EQ(report.broken_rules.size(), 1U);
    report.broken_rules.clear();
    report.findings = {};
    EXPECT_EQ(renamed(report), renamed(wanted.kernels.at(0)));
    EXPECT_EQ(report.skipped_cases, 0);
}

TEST(Outside, a_kernel_that_ends_every_process_is_given_up) {
    int called = 0;
    for (int i = 0; i < host::death_limit + 5; ++i) {
        const CaseResult result = checked("exit", "x=f32 cols=257");
        ASSERT_EQ(result.broken_rules.size(), 1U);
        called += result.broken_rules[0] == "the kernel ended its process with exit status 3";
    }
    EXPECT_EQ(called, host::death_limit);
    EXPECT_EQ(checked("exit", "x=f32 cols=256").broken_rules.at(0),
              "not called: the kernel ended its process on 50 calls in a row");
}

TEST(Outside, a_kernel_that_returns_in_between_is_not_given_up) {
    for (int i = 0; i < host::death_limit + 5; ++i) {
        EXPECT_EQ(checked("crash", "x=f32 cols=257").broken_rules.size(), 1U);
        EXPECT_TRUE(checked("crash", "x=f32 cols=256").broken_rules.empty());
    }
}

TEST(Outside, a_host_that_does_not_come_back_as_it_was_is_a_broken_rule) {
    EXPECT_EQ(checked("crash", "x=f32 cols=257").broken_rules.size(), 1U);
    for (const char* change : {"crash_at_load", "fewer_kernels"}) {
        setenv("NORMCHECK_PLANTED", change, 1);
        const CaseResult result = checked("rms", "x=f32 cols=3");
        unsetenv("NORMCHECK_PLANTED");
        ASSERT_EQ(result.broken_rules.size(), 1U) << change;
        EXPECT_TRUE(result.broken_rules[0].starts_with("no further process could be started for the kernel: plug-in "))
            << result.broken_rules[0];
        EXPECT_TRUE(result.rows.empty());
    }
    EXPECT_TRUE(checked("rms", "x=f32 cols=3").broken_rules.empty());
}

TEST(Outside, a_kernel_has_so_much_memory_and_no_more) {
#ifdef NORMCHECK_ADDRESS_SANITIZER
    GTEST_SKIP() << "hosts have no limit of memory where AddressSanitizer needs more than any";
#endif
    const int64_t before = host::host_settings().memory_mib;
    host::host_settings().memory_mib = 600;
    add_outside_kernels({.plugins = {std::string("small=") + NORMCHECK_PLANTED_PLUGIN}});
    host::host_settings().memory_mib = before;
    const CaseResult result = check_case(*find_kernel("small/hog"), parse_case("x=f32 cols=257"));
    ASSERT_EQ(result.broken_rules.size(), 1U);
    EXPECT_EQ(result.broken_rules[0], "the kernel crashed (SIGABRT)");
}

/// Only g++ links start-up code that sets flush-to-zero into a shared library.
#ifdef NORMCHECK_FLUSHING_PLUGIN
TEST(Outside, a_library_that_sets_flush_to_zero_when_it_is_loaded_spoils_nothing) {
    const FloatEnvironment before = float_environment();
    EXPECT_EQ(load_library(NORMCHECK_FLUSHING_PLUGIN).size(), load_library(NORMCHECK_PLANTED_PLUGIN).size());
    EXPECT_EQ(float_environment(), before);
    add_outside_kernels({.plugins = {std::string("hosted=") + NORMCHECK_FLUSHING_PLUGIN}});
    const CaseResult result =
        check_case(*find_kernel("hosted/rms"), parse_case("x=f32 rows=3 cols=33 fill=subnormals"));
    EXPECT_TRUE(result.broken_rules.empty());
    for (const RowResult& row : result.rows) EXPECT_EQ(row.verdict, Verdict::pass) << row.reason;
}
#else
TEST(Outside, a_library_that_sets_flush_to_zero_when_it_is_loaded_spoils_nothing) {
    GTEST_SKIP() << "there is no g++ here, which alone links such libraries";
}
#endif

TEST(Outside, a_choice_of_kernels_is_a_text_and_back) {
    const OutsideKernels all{.plugins = {"./a b.so", "x=/y.so"},
                             .commands = {"python 'my kernel.py'"},
                             .in_process = true,
                             .start_seconds = 0.5,
                             .call_seconds = 3,
                             .memory_mib = 100};
    const std::string text = outside_text(all);
    EXPECT_EQ(text,
              "plugin ./a b.so\nplugin x=/y.so\nexec python 'my kernel.py'\nin-process\nstart-limit 0.5\n"
              "call-limit 3\nmemory-limit 100\n");
    EXPECT_EQ(outside_text(read_outside(text)), text);
    EXPECT_EQ(outside_text({}), "");
    for (const char* bad : {"plugin", "plugins x", "call-limit soon", "in-process now", "memory-limit 1.5"})
        EXPECT_THROW(read_outside(bad), InputError) << bad;
}

TEST(Outside, statistics_that_a_kernel_does_not_return_are_not_asked_for) {
    const CaseResult result = checked("rms", "x=f32 rows=2 cols=5");
    EXPECT_TRUE(result.outputs.rstd.empty());
    EXPECT_TRUE(result.broken_rules.empty());
    EXPECT_EQ(result.rows.size(), 2U);
}

TEST(Outside, a_kernel_is_known_by_its_place_and_its_name) {
    const nc_kernel& kernel = planted("rms");
    const KernelEntry entry = entry_of(kernel);
    EXPECT_EQ(entry.origin, Origin::outside);
    EXPECT_GT(entry.host, fault_host);
    EXPECT_TRUE(needs_host(kernel));
    EXPECT_FALSE(needs_host(*find_kernel("cpu/rms")));
    EXPECT_EQ(entry_of(*find_kernel("faulty/rms_exits")).host, fault_host);
    EXPECT_STREQ(kernel.run(nullptr), "this kernel runs in a host process only");
}

}  // namespace
}  // namespace normcheck
