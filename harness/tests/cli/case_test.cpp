// The verb `case`.
#include <gtest/gtest.h>

#include "harness/io/safetensors.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

const std::string line = "kernel=cpu/layer_two_pass rows=3 cols=20";

TEST(CaseVerb, ShowsTheVerdictOfEveryRow) {
    const Ran ran = run_program({"case", line});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    for (const char* row : {"row 0   pass", "row 1   pass", "row 2   pass", "exit status 0"})
        EXPECT_TRUE(contains(ran.output, row)) << ran.output;
}

TEST(CaseVerb, ExplainsTheWorstElementInHexAndDecimal) {
    const Ran ran =
        run_program({"case", "kernel=cpu/rms cols=4 fill=values:1,2,3,4 gamma_fill=absent eps=0", "--explain"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    for (const char* part :
         {"y[", "got  ", "target  ", "admissible  ", "because  ", "0x1.186f18p+0 (3f8c378c) = 1.095445"})
        EXPECT_TRUE(contains(ran.output, part)) << part << ran.output;
    EXPECT_FALSE(contains(ran.output, "from the formula without named roundings"));
}

TEST(CaseVerb, ShowsTheDistanceToTheFormulaWhereRoundingsAreNamed) {
    const Ran ran = run_program({"case", "kernel=cpu/rms_cast_before_gamma x=bf16 cols=8", "--explain"});
    EXPECT_TRUE(contains(ran.output, "from the formula without named roundings")) << ran.output;
}

TEST(CaseVerb, FindsAndExplainsWhatAKernelDoesNotPromise) {
    const Ran ran = run_program({"case", "kernel=cpu/rms_eps_outside eps_at=inside fill=small cols=64", "--explain"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(contains(ran.output, "not admissible")) << ran.output;
}

TEST(CaseVerb, AsksProperties) {
    const Ran ran = run_program({"case", line, "--properties", "sign_symmetry,layer_is_rms_of_centred", "--json", "-"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "\"sign_symmetry\": {")) << ran.output;
    const std::string text = run_program({"case", "kernel=cpu/rms cols=8", "--properties", "all"}).output;
    EXPECT_TRUE(contains(text, "property  sign_symmetry: held")) << text;
    EXPECT_TRUE(contains(text, "property  layer_is_rms_of_centred: does not apply: it takes layer")) << text;
}

TEST(CaseVerb, NeedsAKernelFromTheLineOrTheOption) {
    const Ran without = run_program({"case", "rms cols=4"});
    EXPECT_EQ(without.status, 2);
    EXPECT_TRUE(contains(without.errors, "--kernel")) << without.errors;
    EXPECT_EQ(run_program({"case", "rms cols=4", "--kernel", "cpu/rms"}).status, 0);
    const Ran unknown = run_program({"case", line, "--kernel", "cpu/none"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_TRUE(contains(unknown.errors, "'cpu/none'"));
}

TEST(CaseVerb, NamesAWordItDoesNotKnow) {
    const Ran ran = run_program({"case", "kernel=cpu/rms columns=4"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(contains(ran.errors, "columns=4")) << ran.errors;
}

TEST(CaseVerb, DumpsInputsAndOutputsWithTheContract) {
    const Folder folder;
    EXPECT_EQ(run_program({"case", line + " x=bf16", "--dump", folder / "dump.safetensors"}).status, 0);
    const SafeTensors dump = read_safetensors(folder / "dump.safetensors");
    for (const char* name : {"x", "gamma", "beta", "y", "mean", "rstd"})
        EXPECT_TRUE(dump.tensors.contains(name)) << name;
    EXPECT_EQ(dump.tensors.at("y").shape, (std::vector<int64_t>{3, 20}));
    EXPECT_EQ(dump.tensors.at("mean").format, FormatId::f32);
    EXPECT_TRUE(contains(dump.metadata.at("contract"), "layer beta=add x=bf16")) << dump.metadata.at("contract");
    EXPECT_TRUE(contains(dump.metadata.at("case"), "kernel=cpu/layer_two_pass"));
}

TEST(CaseVerb, TellsAViolatedPropertyBrieflyUnlessItExplains) {
    const std::vector<std::string> words = {"case",         "kernel=faulty/rms_eps_outside cols=257 fill=small rows=2",
                                            "--properties", "eps_response",
                                            "--width",      "1000"};
    const std::string text = run_program(words).output;
    EXPECT_TRUE(contains(text, "eps_response: violated: row 0: y[")) << text;
    EXPECT_TRUE(contains(text, "it obeys eps_at=outside; beside a call of 1 x 257")) << text;
    EXPECT_LT(text.size(), 4000U) << text;
    std::vector<std::string> whole = words;
    whole.emplace_back("--explain");
    EXPECT_TRUE(contains(run_program(whole).output, "beside 'kernel=faulty/rms_eps_outside"));
}

TEST(CaseVerb, SaysThatTheDeviceModelStoppedAKernel) {
    const std::string text = run_program({"case", "kernel=faulty/cuda_layer_missing_barrier cols=300"}).output;
    EXPECT_TRUE(contains(text, "the device model stopped the kernel: block 0: thread ")) << text;
    EXPECT_FALSE(contains(text, "exception")) << text;
}

}  // namespace
}  // namespace normcheck
