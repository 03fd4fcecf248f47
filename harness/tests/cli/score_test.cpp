// The verb `score` on recordings that the tests make themselves.
#include <gtest/gtest.h>

#include <functional>

#include "harness/io/npy.hpp"
#include "harness/io/safetensors.hpp"
#include "harness/tests/cli/command.hpp"
#include "reports/json.hpp"

namespace normcheck {
namespace {

const std::string outside_line = "kernel=cpu/rms_eps_outside rows=6 cols=64 fill=small";
const std::string layer_line = "kernel=cpu/layer_two_pass rows=6 cols=24";

/// A folder with the dump of a case in it.
struct Dump {
    Folder folder;
    std::string path = folder / "dump.safetensors";

    explicit Dump(const std::string& line) {
        EXPECT_EQ(run_program({"case", line, "--dump", path, "--quiet"}).status, 0);
    }
    void change(const std::function<void(SafeTensors&)>& edit) const {
        SafeTensors content = read_safetensors(path);
        edit(content);
        write_safetensors(path, content);
    }
    void to_npy() const {
        for (const auto& [name, tensor] : read_safetensors(path).tensors) write_npy(npy(name), tensor);
    }
    std::string npy(const std::string& name) const { return folder / (name + ".npy"); }
    Ran score(std::vector<std::string> more) const {
        more.insert(more.begin(), {"score", "--tensors", path});
        return run_program(more);
    }
};

void expect_refused(const Ran& ran, std::string_view word) {
    EXPECT_EQ(ran.status, 2) << ran.output;
    EXPECT_TRUE(contains(ran.errors, word)) << ran.errors;
}

TEST(Score, TellsEpsInsideFromEpsOutside) {
    const Dump dump(outside_line);
    EXPECT_EQ(dump.score({"--contract", "rms eps_at=outside"}).status, 0);
    const Ran inside = dump.score({"--contract", "rms"});
    EXPECT_EQ(inside.status, 1);
    EXPECT_TRUE(contains(inside.output, "'dump.safetensors' row 0, y[")) << inside.output;
}

TEST(Score, HasNoSeedToTell) {
    const Dump dump(outside_line);
    const Ran ran = dump.score({"--contract", "rms eps_at=outside"});
    EXPECT_TRUE(contains(ran.output, "\nnormcheck ")) << ran.output;
    EXPECT_FALSE(contains(ran.output, "seed")) << ran.output;
    const Ran json = dump.score({"--contract", "rms eps_at=outside", "--json", "-"});
    EXPECT_FALSE(parse_report(json.output).context.seed.has_value());
    const Ran verified = run_program({"verify", "cpu/rms", "--formats", "f32", "--cases", "1", "--seed", "0"});
    EXPECT_TRUE(contains(verified.output, ", seed 0\n")) << verified.output;
}

TEST(Score, TakesTheContractOfTheMetadata) {
    const Dump dump(outside_line + " x=bf16");
    EXPECT_EQ(dump.score({}).status, 0);
    dump.change([](SafeTensors& content) { content.metadata.clear(); });
    expect_refused(dump.score({}), "--contract");
}

TEST(Score, ExplainsAndWritesJson) {
    const Dump dump(outside_line);
    EXPECT_TRUE(contains(dump.score({"--contract", "rms", "--explain"}).output, "not admissible"));
    const Report report = parse_report(dump.score({"--contract", "rms", "--json", "-"}).output);
    ASSERT_FALSE(report.findings.empty());
    EXPECT_EQ(report.findings[0].kernel, "dump.safetensors");
    EXPECT_EQ(report.findings[0].row, 0);
    EXPECT_GE(report.findings[0].element, 0);
}

TEST(Score, ExpectsAVerdict) {
    const Dump dump(outside_line);
    EXPECT_EQ(dump.score({"--contract", "rms", "--expect", "fail"}).status, 0);
    EXPECT_EQ(dump.score({"--contract", "rms eps_at=outside", "--expect", "fail"}).status, 1);
    expect_refused(dump.score({"--contract", "rms", "--expect", "good"}), "'good'");
}

TEST(Score, JudgesSavedStatisticsToo) {
    const Dump dump(layer_line);
    EXPECT_EQ(dump.score({}).status, 0);
    dump.change([](SafeTensors& content) { content.tensors["mean"].data[7] ^= std::byte{0x80}; });
    const Ran ran = dump.score({});
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(contains(ran.output, "saved mean")) << ran.output;
}

TEST(Score, ReadsNpyFilesAndTakesWordsOfSixteenBitsByTheContract) {
    const Dump dump("kernel=cpu/rms x=bf16 rows=2 cols=9");
    dump.to_npy();
    const std::vector<std::string> files{"score",       "--x",     dump.npy("x"),    "--y",
                                         dump.npy("y"), "--gamma", dump.npy("gamma")};
    const auto with = [&](const char* contract) {
        std::vector<std::string> words = files;
        words.insert(words.end(), {"--contract", contract});
        return run_program(words);
    };
    EXPECT_EQ(with("rms x=bf16").status, 0);
    expect_refused(with("rms"), "x.npy");
}

TEST(Score, TurnsAxesIntoRowsAndColumns) {
    const Dump dump(layer_line);
    const auto reshape = [&](std::vector<int64_t> shape, std::vector<int64_t> parameters) {
        dump.change([&](SafeTensors& content) {
            for (const char* name : {"x", "y"}) content.tensors[name].shape = shape;
            for (const char* name : {"gamma", "beta"}) content.tensors[name].shape = parameters;
        });
    };
    reshape({3, 2, 4, 6}, {4, 6});
    EXPECT_EQ(dump.score({"--axis", "-2"}).status, 0);
    EXPECT_EQ(dump.score({"--axis", "2"}).status, 0);
    expect_refused(dump.score({}), "broadcast");
    expect_refused(dump.score({"--axis", "4"}), "--axis 4");
    reshape({3, 2, 4, 6}, {6, 4});
    expect_refused(dump.score({"--axis", "-2"}), "(6, 4)");
}

TEST(Score, RepeatsAGammaOfOneElement) {
    const Dump dump("kernel=cpu/rms rows=2 cols=9 gamma_fill=values:2,2,2,2,2,2,2,2,2");
    dump.change([](SafeTensors& content) {
        content.tensors["gamma"].shape = {1};
        content.tensors["gamma"].data.resize(4);
    });
    EXPECT_EQ(dump.score({}).status, 0);
}

TEST(Score, TakesWeightAndBiasAsGammaAndBeta) {
    const Dump dump(layer_line);
    const auto rename = [](SafeTensors& content, const char* from, const char* to) {
        content.tensors[to] = content.tensors[from];
        content.tensors.erase(from);
    };
    dump.change([&](SafeTensors& content) { rename(content, "gamma", "weight"); });
    dump.change([&](SafeTensors& content) { rename(content, "beta", "bias"); });
    EXPECT_EQ(dump.score({}).status, 0);
    dump.change([&](SafeTensors& content) { rename(content, "bias", "offset"); });
    expect_refused(dump.score({}), "offset");
}

TEST(Score, RefusesWhatDoesNotFitTogether) {
    const Dump dump(layer_line);
    expect_refused(dump.score({"--contract", "layer beta=add x=f16"}), "x holds f32, but the contract says x=f16");
    expect_refused(dump.score({"--contract", "layer"}), "beta=none");
    expect_refused(dump.score({"--contract", "layer beta=add gamma=none"}), "gamma=none");
    expect_refused(dump.score({"--contract", "layer beta=add residual=wide"}), "residual");
    expect_refused(dump.score({"--contract", "rms beta=add"}), "mean");
    expect_refused(dump.score({"--contract", "layer epsilon=1"}), "epsilon");
    expect_refused(dump.score({"--x", "x.npy"}), "--tensors and --x");
    expect_refused(run_program({"score", "--contract", "rms"}), "--x");
    expect_refused(run_program({"score", "--tensors", dump.folder / "none"}), "none");
}

TEST(Score, RefusesTensorsThatAreMissingOrMisshapen) {
    const Dump dump(layer_line);
    const auto without = [&](const char* name) {
        const Dump other(layer_line);
        other.change([&](SafeTensors& content) { content.tensors.erase(name); });
        return other.score({"--contract", "layer beta=add"});
    };
    expect_refused(without("x"), "x is missing");
    expect_refused(without("y"), "y is missing");
    dump.change([](SafeTensors& content) {
        content.tensors["mean"].shape = {3, 1};
        content.tensors["mean"].data.resize(12);
    });
    expect_refused(dump.score({}), "mean");
    dump.change([](SafeTensors& content) { content.tensors["y"].shape = {24, 6}; });
    expect_refused(dump.score({}), "(24, 6)");
}

TEST(Score, RefusesAResidualOfAnotherShapeOrFormat) {
    const std::string line = "kernel=cpu/add_rms_wide rows=2 cols=6";
    const Dump shape(line);
    EXPECT_EQ(shape.score({}).status, 0);
    shape.change([](SafeTensors& content) { content.tensors["residual"].shape = {6, 2}; });
    expect_refused(shape.score({}), "residual");
    const Dump format(line);
    format.change([](SafeTensors& content) {
        content.tensors["residual"] = from_codes(FormatId::f16, {2, 6}, std::vector<uint64_t>(12));
    });
    expect_refused(format.score({}), "residual");
}

TEST(Score, RefusesAnotherFormatOfYUnlessTheContractNamesIt) {
    const Dump dump("kernel=cpu/rms x=bf16 cols=8");
    dump.change([](SafeTensors& content) {
        content.metadata.clear();
        std::vector<uint64_t> wide;
        for (const uint64_t code : codes(content.tensors.at("y"))) wide.push_back(code << 16);
        content.tensors["y"] = from_codes(FormatId::f32, content.tensors.at("y").shape, wide);
    });
    expect_refused(dump.score({"--contract", "rms"}), "expected y=f32");
    EXPECT_NE(dump.score({"--contract", "rms y=f32"}).status, 2);
}

TEST(Score, RefusesToJudgeNothing) {
    const Dump dump(layer_line);
    dump.change([](SafeTensors& content) {
        for (const char* name : {"x", "y"}) content.tensors[name].shape = {0, 24}, content.tensors[name].data.clear();
        for (const char* name : {"mean", "rstd"}) content.tensors.erase(name);
    });
    expect_refused(dump.score({}), "nothing to judge");
}

}  // namespace
}  // namespace normcheck
