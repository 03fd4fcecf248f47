// The verb `bench`.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/bench/case_rates.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

void expect_refused(const std::vector<std::string>& arguments, std::string_view word, std::string_view expected) {
    const Ran ran = run_program(arguments);
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(ran.errors.starts_with("normcheck: ")) << ran.errors;
    EXPECT_EQ(std::ranges::count(ran.errors, '\n'), 1) << ran.errors;
    EXPECT_TRUE(contains(ran.errors, word) && contains(ran.errors, expected)) << ran.errors;
    EXPECT_EQ(ran.output, "");
}

TEST(Bench, RefusesWhatItDoesNotKnow) {
    expect_refused({"bench"}, "nothing is named", "expected oracle or sweep or isolation, or kernels");
    expect_refused({"bench", "kernel"}, "'kernel' matches no kernel", "normcheck list kernels");
    expect_refused({"bench", "kernel"}, "'kernel' matches no kernel", "beside kernels there are oracle or sweep or");
    expect_refused({"bench", "cpu/rms", "sweep"}, "'sweep' matches no kernel", "there are oracle or sweep or");
    expect_refused({"bench", "oracle", "--rows", "3"}, "--rows", "expected oracle without it");
    expect_refused({"bench", "sweep", "--report", "page.html"}, "--report", "expected sweep without it");
    expect_refused({"bench", "cpu/rms", "--rows", "0"}, "0 x 1024", "1 to 2^31 elements");
    expect_refused({"bench", "cpu/rms", "--rows", "65536", "--cols", "65536"}, "65536 x 65536", "2^31");
    expect_refused({"bench", "cpu/rms", "--threads", "0"}, "--threads", "0");
    expect_refused({"bench", "cpu/rms", "--formats", "f64"}, "none of these kernels", "formats");
    expect_refused({"bench", "faulty/rms_exits", "--rows", "2"}, "faulty/rms_exits", "host process");
    expect_refused({"bench", "cpu/rms", "--exec", "true"}, "--exec", "expected --plugin");
    expect_refused({"bench", "oracle", "sweep"}, "'sweep'", "expected oracle or sweep or isolation alone");
    expect_refused({"bench", "oracle", "--nonsense"}, "--nonsense", "not expected");
    expect_refused({"bench", "oracle", "--json", "/nowhere/bench.json"}, "--json", "/nowhere");
    expect_refused({"bench", "oracle", "--width", "3"}, "--width", "40");
}

TEST(Bench, HelpNamesWhatCanBeMeasured) {
    const Ran ran = run_program({"bench", "--help"});
    EXPECT_EQ(ran.status, 0);
    for (const char* word : {"oracle", "sweep", "--json", "--quick"}) EXPECT_TRUE(contains(ran.output, word)) << word;
    EXPECT_EQ(run_program({"bench", "oracle", "--help"}).status, 0);
}

void expect_timing(const Json& timing) {
    for (const char* key : {"seconds_per_row", "seconds_per_element"})
        EXPECT_GT(timing.at(key).get<double>(), 0) << key;
    EXPECT_GE(timing.at("spread").get<double>(), 0);
    EXPECT_EQ(timing.at("repetitions"), 3);
}

void expect_setting(const Json& setting) {
    const bool has_kernel = setting.at("format") != "f64";
    EXPECT_EQ(setting.at("times").size(), has_kernel ? 6U : 5U);
    for (const char* key : {"plain", "certified", "exact", "bin_float", "mpfr"})
        expect_timing(setting.at("times").at(key));
    if (has_kernel) expect_timing(setting.at("times").at("kernel"));
    EXPECT_EQ(setting.at("kernel").is_string(), has_kernel);
    EXPECT_TRUE(setting.at("contract").is_string());
    EXPECT_GT(setting.at("certified_per_plain").get<double>(), 0);
    EXPECT_GT(setting.at("mpfr_per_certified").get<double>(), 0);
    EXPECT_GE(setting.at("judged").get<int64_t>(), setting.at("cols").get<int64_t>());
    EXPECT_GE(setting.at("undecided").get<int64_t>(), 0);
}

TEST(Bench, OracleWritesEveryNumber) {
    const Folder folder;
    const Ran ran = run_program({"bench", "oracle", "--quick", "--json", folder / "bench.json"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    const Json document = Json::parse(read_file(folder / "bench.json", 1 << 20));
    EXPECT_TRUE(document.at("context").at("cpu").is_string());
    ASSERT_EQ(document.at("settings").size(), 18U);
    for (const Json& setting : document.at("settings")) expect_setting(setting);
    ASSERT_EQ(document.at("targets").size(), 3U);
    for (const Json& target : document.at("targets")) EXPECT_TRUE(target.at("met").is_boolean());
}

TEST(Bench, OraclePrintsATableOfEightyColumnsAndTheTargets) {
    const Ran ran = run_program({"bench", "oracle", "--quick"});
    EXPECT_LE(longest_line(ran.output), 80U);
    for (const char* word :
         {"layer, with gamma and beta", "bf16 4096", "rms 64", "MPFR", "certified / plain at most 3"})
        EXPECT_TRUE(contains(ran.output, word)) << word;
}

TEST(Bench, AQuickRunIsNotHeldToTheTargets) {
    for (const char* subject : {"oracle", "sweep"}) {
        const Ran ran = run_program({"bench", subject, "--quick"});
        const size_t begin = ran.output.find("targets, not judged: a quick run is no measurement\n");
        ASSERT_NE(begin, std::string::npos) << ran.output;
        EXPECT_TRUE(contains(ran.output, "\n  -  ")) << ran.output;
        EXPECT_FALSE(contains(ran.output, " met ") || contains(ran.output, " missed ")) << ran.output;
    }
}

TEST(Bench, AMeasurementIsHeldToTheTargets) {
    CaseRate fast;
    fast.kernel = "cpu/rms";
    fast.cols = 16;
    fast.wanted = 1000;
    fast.whole.seconds = 1e-4;
    CaseRate slow = fast;
    slow.whole.seconds = 1e-2;
    const std::string text = sweep_bench_text({{fast, slow}, {}}, true, Page{});
    EXPECT_TRUE(contains(text,
                         "targets\n  met     cpu/rms f32 16: 1000 cases per s: 10000\n"
                         "  missed  cpu/rms f32 16: 1000 cases per s: 100\n"))
        << text;
}

TEST(Bench, JsonOnStandardOutputStandsAlone) {
    const Ran ran = run_program({"bench", "sweep", "--quick", "--json", "-"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(Json::accept(ran.output));
}

TEST(Bench, SweepWritesEveryNumber) {
    const Folder folder;
    const Ran ran = run_program({"bench", "sweep", "--quick", "--json", folder / "bench.json"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_LE(longest_line(ran.output), 80U);
    const Json document = Json::parse(read_file(folder / "bench.json", 1 << 20));
    ASSERT_EQ(document.at("cases").size(), 8U);
    for (const Json& rate : document.at("cases")) {
        EXPECT_GT(rate.at("cases_per_second").get<double>(), 0);
        for (const char* step : {"whole", "make", "call", "prepare", "judge"})
            EXPECT_GT(rate.at(step).at("seconds").get<double>(), 0) << step;
        EXPECT_EQ(rate.at("met"), rate.at("cases_per_second") >= rate.at("wanted"));
    }
    ASSERT_EQ(document.at("sweeps").size(), 4U);
    for (const Json& rate : document.at("sweeps")) EXPECT_GT(rate.at("rows_per_second").get<double>(), 0);
}

TEST(Bench, PrintsKernelsBesideACopyAndAgainstEachOther) {
    const Ran ran = run_program({"bench", "cpu/rms", "cpu/layer_folded", "cpu/rms_composed_lanes", "cpu/layer_composed",
                                 "--quick", "--rows", "8", "--cols", "64", "--threads", "1,2"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_LE(longest_line(ran.output), 80U);
    for (const char* part :
         {"f32, 8 x 64, warm, 1 thread\n", "f32, 8 x 64, warm, 2 threads\n", "bf16, 8 x 64, warm, 2 threads\n",
          "\n  copy of x to y ", "\n  cpu/layer_folded        fused ", "\n  cpu/rms_composed_lanes  composed ",
          "  fused layer (cpu/layer_folded) against composed rms\n         (cpu/rms_composed_lanes)\n",
          "  fused rms (cpu/rms) against fused layer (cpu/layer_folded)\n",
          "  composed rms (cpu/rms_composed_lanes) against composed layer\n         (cpu/layer_composed)\n"})
        EXPECT_TRUE(contains(ran.output, part)) << part << ran.output;
    EXPECT_FALSE(contains(ran.output, "targets")) << "no tensor is out of cache";
}

TEST(Bench, DefaultShapesAreTwoAndFormatsAreTwo) {
    const Ran ran = run_program({"bench", "cpu/rms", "--quick"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    for (const char* setting : {"f32, 64 x 1024, warm", "f32, 2 x 4096, ", "bf16, 64 x 1024, ", "bf16, 2 x 4096, "})
        EXPECT_TRUE(contains(ran.output, setting)) << ran.output;
}

TEST(Bench, SpeedsGoIntoAReportAndJoinThoseOfVerify) {
    const Folder folder;
    const std::string speeds = folder / "speeds.json", judged = folder / "judged.json";
    EXPECT_EQ(run_program({"bench", "cpu/rms", "--quick", "--formats", "f32", "--json", speeds}).status, 0);
    EXPECT_EQ(run_program({"verify", "cpu/rms", "--formats", "f32", "--cases", "3", "--json", judged}).status, 0);
    const Json kernel = Json::parse(read_file(speeds, 1 << 20)).at("kernels").at(0);
    EXPECT_EQ(kernel.at("kernel"), "cpu/rms");
    ASSERT_EQ(kernel.at("speeds").size(), 2U);
    const Json& warm = kernel.at("speeds").at(0);
    EXPECT_EQ(warm.at("rows"), 64);
    EXPECT_EQ(warm.at("conditions"), "fused, warm cache");
    EXPECT_EQ(warm.at("bytes"), 2 * 64 * 1024 * 4 + 1024 * 4 + 64 * 4) << "x, y, gamma, rstd";
    const Ran page = run_program({"report", judged, speeds, "--to", "html"});
    EXPECT_EQ(page.status, 0) << page.errors;
    EXPECT_TRUE(contains(page.output, "<h3>Speed, f32</h3>") && contains(page.output, "fused, warm cache"));
    EXPECT_TRUE(contains(page.output, "pass")) << "what verify found stays";
}

TEST(Bench, WritesThePageOfAReport) {
    const Folder folder;
    const Ran ran = run_program({"bench", "cpu/rms", "--quick", "--rows", "4", "--report", folder / "speeds.html"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(read_file(folder / "speeds.html", 1 << 20), "<h3>Speed, bf16</h3>"));
}

TEST(Bench, MeasuresAPluginInThisProcess) {
    const Ran ran = run_program({"bench", "rms/plain", "--plugin", NORMCHECK_EXAMPLE_PLUGIN, "--quick", "--formats",
                                 "f32", "--rows", "4", "--cols", "32"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "\n  rms/plain       fused ")) << ran.output;
}

}  // namespace
}  // namespace normcheck
