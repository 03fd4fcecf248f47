// The verb `list`.
#include <gtest/gtest.h>

#include "harness/kernels/cuda/device_kernels.hpp"
#include "harness/kernels/faulty/faults.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/properties/properties.hpp"
#include "harness/tests/cli/command.hpp"
#include "oracles/contract.hpp"

namespace normcheck {
namespace {

TEST(List, ShowsEveryKernelAndEveryField) {
    const std::string all = run_program({"list"}).output;
    for (const nc_kernel* kernel : built_in_kernels()) EXPECT_TRUE(contains(all, kernel->name)) << kernel->name;
    for (const FieldInfo& field : contract_fields()) EXPECT_TRUE(contains(all, field.name)) << field.name;
    for (const char* word : {"bf16", "gaussian", "eps_dominated", "doubtful", "default: inside"})
        EXPECT_TRUE(contains(all, word)) << word;
}

TEST(List, SaysThatDeviceKernelsAreSkippedWhereThereIsNoDevice) {
    const std::string text = run_program({"list", "kernels"}).output;
    EXPECT_EQ(contains(text, "cuda/* are skipped: "), !why_no_device_kernels().empty());
    EXPECT_EQ(contains(text, "cuda/rms"), why_no_device_kernels().empty());
}

TEST(List, ShowsFaultsOnlyWhereTheyAreAskedFor) {
    const std::string asked = run_program({"list", "faults"}).output;
    for (const FaultInfo& fault : faults()) EXPECT_TRUE(contains(asked, fault.kernel->name)) << fault.kernel->name;
    EXPECT_LE(longest_line(asked), 80U);
    EXPECT_FALSE(contains(run_program({"list"}).output, "faulty/"));
}

TEST(List, ShowsEveryProperty) {
    const std::string text = run_program({"list", "properties"}).output;
    for (const PropertyInfo& property : properties()) EXPECT_TRUE(contains(text, property.name)) << property.name;
}

TEST(List, FitsEightyColumns) {
    EXPECT_LE(longest_line(run_program({"list"}).output), 80U);
}

TEST(List, ShowsTheWordsOfACaseWithTheirDefaults) {
    const Ran ran = run_program({"list", "cases"});
    for (const char* word : {"position", "residual_fill", "(default: gaussian)"})
        EXPECT_TRUE(contains(ran.output, word)) << word;
}

TEST(List, ShowsOneSectionAlone) {
    const std::string verdicts = run_program({"list", "verdicts"}).output;
    EXPECT_TRUE(contains(verdicts, "unsupported"));
    EXPECT_FALSE(contains(verdicts, "gaussian"));
    EXPECT_FALSE(contains(run_program({"list", "fills"}).output, "unsupported"));
}

}  // namespace
}  // namespace normcheck
