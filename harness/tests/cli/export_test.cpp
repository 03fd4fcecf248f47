// The verb `export`: what it writes is what a case holds, and can be scored once y is there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/io/npy.hpp"
#include "harness/io/safetensors.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

TEST(Export, WritesTheInputsInBothFormatsAndAManifest) {
    const Folder folder;
    const Ran ran =
        run_program({"export", "kernel=cpu/rms rows=2 cols=5", "layer beta=add x=f16 cols=3", "-o", folder / "a/b"});
    ASSERT_EQ(ran.status, 0) << ran.errors;
    const SafeTensors first = read_safetensors(folder / "a/b/000-cpu_rms.safetensors");
    EXPECT_EQ(first.tensors.at("x"), read_npy(folder / "a/b/000-cpu_rms.x.npy"));
    EXPECT_EQ(first.tensors.at("gamma"), read_npy(folder / "a/b/000-cpu_rms.gamma.npy"));
    EXPECT_EQ(read_npy(folder / "a/b/001-case.beta.npy").format, FormatId::f16);
    std::ifstream file(folder / "a/b/manifest.json");
    const nlohmann::json manifest = nlohmann::json::parse(file);
    ASSERT_EQ(manifest["cases"].size(), 2U);
    EXPECT_EQ(manifest["cases"][1]["inputs"]["beta"], "001-case.beta.npy");
}

std::string printed_command(const std::string& output) {
    const size_t begin = output.find("  normcheck score ");
    return output.substr(begin + 11, output.find('\n', begin) - begin - 11);
}

TEST(Export, PrintsTheCommandThatScoresWhatWasRunElsewhere) {
    const Folder folder;
    const std::string line = "kernel=cpu/rms x=bf16 rows=2 cols=5";
    const Ran ran = run_program({"export", line, "-o", folder / "it's here"});
    ASSERT_EQ(ran.status, 0);
    ASSERT_EQ(run_program({"case", line, "--dump", folder / "dump.safetensors"}).status, 0);
    const SafeTensors dump = read_safetensors(folder / "dump.safetensors");
    write_npy(folder / "it's here/000-cpu_rms.y.npy", dump.tensors.at("y"));
    const std::string command = fmt::format("{}{} --quiet", NORMCHECK_PROGRAM, printed_command(ran.output));
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    Tensor wrong = dump.tensors.at("y");
    wrong.data[1] ^= std::byte{0x40};
    write_npy(folder / "it's here/000-cpu_rms.y.npy", wrong);
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1) << command;
}

TEST(Export, RefusesAFolderThatHoldsFiles) {
    const Folder folder;
    ASSERT_EQ(run_program({"export", "rms cols=4", "-o", folder / "out"}).status, 0);
    const Ran again = run_program({"export", "rms cols=4", "-o", folder / "out"});
    EXPECT_EQ(again.status, 2);
    EXPECT_TRUE(contains(again.errors, "holds files already")) << again.errors;
}

TEST(Export, NamesWhatIsWrongAndWritesNothing) {
    const Folder folder;
    const Ran ran = run_program({"export", "kernel=cpu/rms", "kernel=cpu/none", "-o", folder / "a"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(contains(ran.errors, "'cpu/none'")) << ran.errors;
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

}  // namespace
}  // namespace normcheck
