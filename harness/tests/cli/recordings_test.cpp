// What real frameworks write, in small and made by the tests: each output is scored under what it is and under what it
// is often taken for, and inference names what it is.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/io/safetensors.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

struct Recording {
    Folder folder;
    std::string path = folder / "recorded.safetensors";

    Recording() = default;
    explicit Recording(const std::string& line) {
        EXPECT_EQ(run_program({"case", line, "--dump", path, "--quiet"}).status, 0);
    }

    int score(const std::string& contract) const {
        return run_program({"score", "--tensors", path, "--contract", contract}).status;
    }
    bool infers(const std::string& contract) const {
        const Ran ran = run_program({"score", "--infer", "--tensors", path, "--json", "-"});
        const nlohmann::json best = nlohmann::json::parse(ran.output)["obeyed"][0]["contracts"];
        return std::find(best.begin(), best.end(), contract) != best.end();
    }
};

// Sums of such a ramp are exact in any order, so that the error shows the form alone.
TEST(Recordings, ARampFarFromZeroTellsFoldedFromCentred) {
    const Recording folded("kernel=cpu/layer_folded eps=1e-5 fill=values:1000000,1000001,1000002,1000003");
    EXPECT_EQ(folded.score("layer beta=add eps=1e-5"), 1);
    EXPECT_EQ(folded.score("layer beta=add eps=1e-5 apply=folded"), 0);
    EXPECT_TRUE(folded.infers("layer eps=1e-05 beta=add apply=folded"));
}

TEST(Recordings, TheCastBeforeGammaIsSeenInBf16) {
    const Recording llama("kernel=cpu/rms_cast_before_gamma x=bf16 rows=8 cols=96");
    EXPECT_EQ(llama.score("rms"), 1);
    EXPECT_EQ(llama.score("rms cast=before_gamma"), 0);
    EXPECT_TRUE(llama.infers("rms x=bf16 cast=before_gamma"));
}

TEST(Recordings, AGammaStoredAsAnOffsetIsSeen) {
    for (const std::string format : {"f32", "bf16"}) {
        const Recording gemma("kernel=cpu/rms_one_plus rows=4 cols=96 x=" + format);
        EXPECT_EQ(gemma.score("rms"), 1);
        EXPECT_EQ(gemma.score("rms gamma=one_plus"), 0);
    }
}

double bf16(double value) {
    return decode_double(format(FormatId::bf16), round_double(format(FormatId::bf16), value));
}

struct Moments {
    double count = 0, mean = 0, squares = 0;
};

// Chan's merge and, with a count of 1, Welford's step, every result rounded to bf16.
Moments merged(const Moments& a, const Moments& b) {
    const double count = a.count + b.count;
    if (count == 0) return a;
    const double share = bf16(b.count / count);
    const double delta = bf16(b.mean - a.mean);
    const double product = bf16(bf16(bf16(delta * delta) * share) * a.count);
    return {count, bf16(a.mean + bf16(share * delta)), bf16(a.squares + bf16(b.squares + product))};
}

// A LayerNorm that keeps everything about a row in bf16 and only applies it in f32.
std::vector<uint64_t> coarse_layer(const std::vector<double>& x) {
    std::vector<Moments> lanes(16);
    for (size_t i = 0; i < x.size(); ++i) lanes[i % 16] = merged(lanes[i % 16], {1, x[i], 0});
    Moments all;
    for (const Moments& lane : lanes) all = merged(all, lane);
    const double variance = bf16(all.squares / all.count);
    const double rstd = bf16(1 / bf16(std::sqrt(bf16(variance + bf16(1e-5)))));
    const double shift = bf16(-rstd * all.mean);
    std::vector<uint64_t> y;
    for (const double value : x) {
        const float normed = static_cast<float>(value) * static_cast<float>(rstd) + static_cast<float>(shift);
        y.push_back(round_double(format(FormatId::bf16), normed));
    }
    return y;
}

void record_coarse(const Recording& recording) {
    constexpr int64_t rows = 6, cols = 256;
    std::vector<uint64_t> x, y;
    uint64_t state = 1;
    for (int64_t row = 0; row < rows; ++row) {
        std::vector<double> values;
        for (int64_t i = 0; i < cols; ++i) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            values.push_back(bf16(static_cast<double>(state >> 40) / (1 << 22) - 1.9));
            x.push_back(round_double(format(FormatId::bf16), values.back()));
        }
        for (const uint64_t code : coarse_layer(values)) y.push_back(code);
    }
    SafeTensors content;
    content.tensors["x"] = from_codes(FormatId::bf16, {rows, cols}, x);
    content.tensors["y"] = from_codes(FormatId::bf16, {rows, cols}, y);
    write_safetensors(recording.path, content);
}

TEST(Recordings, StatisticsKeptInBf16AreSeen) {
    const Recording coarse;
    record_coarse(coarse);
    const std::string stored = "stored=mean:bf16,var:bf16,radicand:bf16,std:bf16,rstd:bf16,shift:bf16";
    EXPECT_EQ(coarse.score("layer eps=1e-5"), 1);
    EXPECT_EQ(coarse.score("layer eps=1e-5 apply=folded"), 1);
    EXPECT_EQ(coarse.score("layer eps=1e-5 apply=folded stored=rstd:bf16,shift:bf16"), 1);
    EXPECT_EQ(coarse.score("layer eps=1e-5 apply=folded moments=bf16 variance=welford reduce=lanes:16 " + stored), 0);
}

}  // namespace
}  // namespace normcheck
