// Inference on what built-in kernels return: it must name what they compute.
#include "harness/cli/infer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cli/infer_lattice.hpp"
#include "harness/cli/infer_ranking.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/tensor_files.hpp"
#include "harness/tests/cli/command.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

/// What a kernel returned, as `score` reads it.
Tensors recorded(const std::string& line) {
    const Folder folder;
    EXPECT_EQ(run_program({"case", line, "--dump", folder / "dump.safetensors", "--quiet"}).status, 0);
    return read_tensors({folder / "dump.safetensors", {}}, "");
}

std::string best(const std::string& line, const InferOptions& options = {}) {
    return infer(recorded(line), options).front().text;
}

const std::string small = " rows=12 cols=64 fill=small";

TEST(Infer, NamesWhereEpsIsAdded) {
    EXPECT_EQ(best("kernel=cpu/rms_eps_outside" + small), "rms eps_at=outside");
    EXPECT_EQ(best("kernel=cpu/rms" + small), "rms");
}

TEST(Infer, NamesTheEpsAndTakesOthersToTry) {
    EXPECT_EQ(best("kernel=cpu/rms eps=1e-5" + small), "rms eps=1e-05");
    EXPECT_EQ(best("kernel=cpu/rms eps=3e-5" + small, {"", {"3e-5"}}), "rms eps=3e-05");
}

TEST(Infer, NamesTheNormAndWhatIsDoneWithGamma) {
    EXPECT_EQ(best("kernel=cpu/layer_two_pass" + small), "layer beta=add");
    EXPECT_EQ(best("kernel=cpu/rms_one_plus" + small), "rms gamma=one_plus");
    EXPECT_TRUE(contains(best("kernel=cpu/rms_cast_before_gamma x=bf16" + small), "cast=before_gamma"));
}

TEST(Infer, RefutesWithARowAndAnElement) {
    const std::vector<Candidate> candidates = infer(recorded("kernel=cpu/rms_eps_outside" + small), {});
    const auto found = std::ranges::find(candidates, "rms", &Candidate::text);
    ASSERT_NE(found, candidates.end());
    EXPECT_EQ(found->standing, Standing::refuted);
    EXPECT_TRUE(found->is_default);
    ASSERT_TRUE(found->refutation.story.has_value());
    EXPECT_FALSE(found->refutation.story->admissible);
    EXPECT_NE(found->refutation.story->got, found->refutation.story->target);
}

TEST(Infer, LooksAtEveryRow) {
    const Tensors good = recorded("kernel=cpu/rms" + small);
    for (int64_t row = 0; row < good.rows; ++row) {
        Tensors bad = good;
        bad.outputs.y[static_cast<size_t>(row * good.cols + 3)] ^= 0x400000;
        const std::vector<Candidate> candidates = infer(bad, {"rms eps=1e-6 gamma=mul", {}});
        const auto found = std::ranges::find(candidates, "rms", &Candidate::text);
        ASSERT_NE(found, candidates.end());
        EXPECT_EQ(found->standing, Standing::refuted);
        EXPECT_EQ(found->refutation.row, row);
    }
}

TEST(Infer, TellsEqualPromisesApartByTheOutputsThatAreTheTarget) {
    EXPECT_EQ(best("kernel=cpu/rms eps=1e-5 rows=16 cols=256"), "rms eps=1e-05");
}

TEST(Infer, RanksAPromiseOfNothingLast) {
    const std::string line = "kernel=cpu/layer_two_pass rows=7 cols=64 fill=offset";
    EXPECT_FALSE(contains(best(line), "one_pass")) << best(line);
}

TEST(Infer, KeepsFixedWords) {
    for (const Candidate& candidate : infer(recorded("kernel=cpu/rms_eps_outside" + small), {"rms eps=1e-5", {}})) {
        EXPECT_TRUE(contains(candidate.text, "rms eps=1e-05")) << candidate.text;
        EXPECT_EQ(candidate.contract.norm, Norm::rms);
    }
}

TEST(Infer, RefusesFixedWordsThatNoContractHolds) {
    const Tensors tensors = recorded("kernel=cpu/rms" + small);
    EXPECT_THROW(infer(tensors, {"rms apply=folded", {}}), InputError);
    EXPECT_THROW(infer(tensors, {"x=f16", {}}), InputError);
    EXPECT_THROW(infer(tensors, {"", {"tiny"}}), InputError);
}

TEST(Infer, PutsTogetherWhatTheRowsCannotTellApart) {
    const std::vector<Candidate> candidates =
        infer(recorded("kernel=cpu/rms_eps_outside rows=4 cols=16 fill=constant:1048576 gamma_fill=ones"), {});
    const auto in_best_group = std::ranges::count(candidates, 0, &Candidate::group);
    EXPECT_GT(in_best_group, 5);
}

TEST(Infer, TriesEveryContractOnce) {
    std::vector<Candidate> candidates = infer(recorded("kernel=cpu/rms x=bf16" + small), {"rms", {"1e-6", "1e-6"}});
    std::ranges::sort(candidates, {}, &Candidate::text);
    EXPECT_EQ(std::ranges::adjacent_find(candidates, {}, &Candidate::text), candidates.end());
}

TEST(InferVerb, PrintsTheBestContractFirst) {
    const Folder folder;
    run_program({"case", "kernel=cpu/rms_eps_outside" + small, "--dump", folder / "dump.safetensors"});
    const Ran ran = run_program({"score", "--infer", "--tensors", folder / "dump.safetensors"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "best:\n  rms eps_at=outside\n")) << ran.output;
    EXPECT_LE(longest_line(ran.output), 80U);
    const Ran json = run_program({"score", "--infer", "--tensors", folder / "dump.safetensors", "--json", "-"});
    const nlohmann::json document = nlohmann::json::parse(json.output);
    EXPECT_EQ(document["obeyed"][0]["contracts"][0], "rms eps_at=outside");
    EXPECT_EQ(document["obeyed"][0]["rows"]["fail"], 0);
    EXPECT_EQ(
        std::ranges::count_if(document["refuted"], [](const auto& refuted) { return refuted["default"] == true; }), 2);
}

TEST(InferVerb, ExitsWithOneWhereNoContractIsObeyed) {
    const Folder folder;
    run_program({"case", "kernel=cpu/rms eps=7e-5" + small, "--dump", folder / "dump.safetensors"});
    const Ran ran = run_program({"score", "--infer", "--tensors", folder / "dump.safetensors"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(contains(ran.output, "none of the contracts that were tried is obeyed")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "--eps names them")) << ran.output;
}

Candidate obeyed(const char* text, int words, int64_t passed) {
    Candidate candidate;
    candidate.text = text;
    candidate.words = words;
    candidate.standing = Standing::obeyed;
    count(candidate.rows, Verdict::pass) = passed;
    return candidate;
}

TEST(Infer, OfContractsNotToldApartThatWithFewestWordsLeadsAndThenTheOneThatPromisesMore) {
    std::vector<Candidate> candidates{obeyed("rms a", 1, 5), obeyed("rms b", 1, 8), obeyed("rms c", 2, 9),
                                      obeyed("rms d", 1, 8)};
    rank(candidates);
    std::string order;
    for (const Candidate& one : candidates) order += one.text.back();
    EXPECT_EQ(order, "bdac");
}

}  // namespace
}  // namespace normcheck
