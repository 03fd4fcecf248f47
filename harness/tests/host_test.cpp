// Calls in a host process: what a kernel does to its process is a broken rule, and the harness goes on.
#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/check/check.hpp"
#include "harness/compiler/address_sanitizer.hpp"
#include "harness/host/host_process.hpp"
#include "harness/host/hosted_call.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

CaseResult checked(const std::string& line) {
    const Case c = parse_case(line);
    return check_case(*find_kernel(c.kernel), c);
}

std::string only_rule(const CaseResult& result) {
    EXPECT_EQ(result.broken_rules.size(), 1U);
    return result.broken_rules.empty() ? "" : result.broken_rules[0];
}

/// Sanitizers end a process by an exit of their own where it would crash.
void expect_death(const CaseResult& result, const std::string& rule) {
    const std::string got = only_rule(result);
    EXPECT_TRUE(got == rule || (has_address_sanitizer && got.starts_with("the kernel ended its process"))) << got;
}

TEST(Host, runs_a_kernel_as_this_process_would) {
    const CaseResult result = checked("kernel=faulty/rms_null_read rows=3 cols=64 pitch=5 offset=3");
    EXPECT_TRUE(result.broken_rules.empty());
    ASSERT_EQ(result.rows.size(), 3U);
    for (const RowResult& row : result.rows) EXPECT_EQ(row.verdict, Verdict::pass);
    EXPECT_EQ(result.outputs.y, checked("kernel=cpu/rms rows=3 cols=64").outputs.y);
}

TEST(Host, a_crash_breaks_a_rule_and_leaves_no_rows) {
    const CaseResult result = checked("kernel=faulty/rms_null_read cols=257");
    expect_death(result, "the kernel crashed (SIGSEGV)");
    EXPECT_TRUE(result.rows.empty());
    EXPECT_TRUE(checked("kernel=faulty/rms_null_read cols=256").broken_rules.empty());
}

TEST(Host, an_abort_and_an_exit_are_told_apart) {
    EXPECT_EQ(only_rule(checked("kernel=faulty/rms_aborts cols=4 fill=bits:7fc00000")), "the kernel crashed (SIGABRT)");
    EXPECT_EQ(only_rule(checked("kernel=faulty/rms_exits cols=257")),
              "the kernel ended its process with exit status 0");
}

TEST(Host, a_hang_is_stopped) {
    const host::ShortCalls short_calls;
    EXPECT_EQ(only_rule(checked("kernel=faulty/rms_endless cols=257")), "the kernel did not return within 0.2 s");
    EXPECT_TRUE(checked("kernel=faulty/rms_endless cols=256").broken_rules.empty());
}

TEST(Host, memory_that_is_shared_grows) {
    EXPECT_TRUE(checked("kernel=faulty/rms_null_read cols=3").broken_rules.empty());
    EXPECT_TRUE(checked("kernel=faulty/rms_null_read rows=64 cols=8192").broken_rules.empty());
}

TEST(Host, a_missing_program_is_named) {
    const char* found = std::getenv("NORMCHECK_HOST");
    const std::string before = found == nullptr ? "" : found;
    setenv("NORMCHECK_HOST", "/nowhere/normcheck-host", 1);
    try {
        const host::HostProcess host(host::host_command(0));
        ADD_FAILURE() << "started";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("/nowhere/normcheck-host"), std::string::npos) << error.what();
    }
    if (found == nullptr)
        unsetenv("NORMCHECK_HOST");
    else
        setenv("NORMCHECK_HOST", before.c_str(), 1);
}

}  // namespace
}  // namespace normcheck
