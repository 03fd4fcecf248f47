// The verb `fuzz`, with shell scripts in the place of fuzz targets: what it starts, what it makes of a log, and its
// status.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cli/fuzz_jobs.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

namespace fs = std::filesystem;

/// A folder of targets with one, a script.
void plant(const Folder& folder, const std::string& script) {
    const fs::path target = folder.path() / "fuzz_any";
    write_file_atomically(target, "#!/bin/sh\necho \"$@\" \"$NORMCHECK_FUZZ_KERNEL $NORMCHECK_FUZZ_ENGINE\" >>" +
                                      (folder / "calls") + "\n" + script);
    fs::permissions(target, fs::perms::owner_all);
}

Ran fuzz(const Folder& folder, const std::vector<std::string>& further) {
    std::vector<std::string> arguments = {
        "fuzz", "cpu/rms", "--targets", folder.path().string(), "--output", folder / "out", "--quiet", "--time", "1"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return run_program(arguments);
}

nlohmann::json json_of(const Ran& ran) {
    const size_t place = ran.output.find("json  ");
    return nlohmann::json::parse(ran.output.substr(place + 6));
}

constexpr const char* status =
    R"(echo 'NORMCHECK_STATUS {"executions":2048,"seconds":1.0,"cpu_seconds":0.5,"slack":{"ordinary":0.25}}'
)";
constexpr const char* finding =
    R"(echo 'NORMCHECK_FOUND {"case":"kernel=cpu/rms cols=9","executions":77,"seconds":0.5,"reason":"row 0, ordinary: y"}'
echo 'NORMCHECK_FINDING {"case":"kernel=cpu/rms cols=2","file":"finding-1.case"}'
exit 77
)";

TEST(Fuzz, RefusesWhatItDoesNotKnowAndNamesTheCommandThatBuildsTargets) {
    const Folder folder;
    const auto refused = [&](const Ran& ran, std::string_view word) {
        EXPECT_EQ(ran.status, 2);
        EXPECT_TRUE(contains(ran.errors, word)) << ran.errors;
        EXPECT_EQ(std::ranges::count(ran.errors, '\n'), 1) << ran.errors;
    };
    refused(fuzz(folder, {}), "scripts/fuzz_build");
    refused(fuzz(folder, {"--engine", "clever"}), "guided");
    refused(fuzz(folder, {"--jobs", "0"}), "--jobs");
    refused(run_program({"fuzz"}), "KERNEL");
    refused(run_program({"fuzz", "cpu/nothing"}), "cpu/nothing");
}

TEST(Fuzz, AKernelFromOutsideIsHandedToTheTarget) {
    const Folder folder;
    const fs::path target = folder.path() / "fuzz_any";
    write_file_atomically(target, "#!/bin/sh\necho \"$NORMCHECK_OUTSIDE\" >>" + (folder / "outside") + "\nexit 0\n");
    fs::permissions(target, fs::perms::owner_all);
    const Ran ran =
        run_program({"fuzz", "planted/rms", "--plugin", NORMCHECK_PLANTED_PLUGIN, "--call-limit", "3", "--targets",
                     folder.path().string(), "--output", folder / "out", "--quiet", "--time", "1", "--fresh"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_TRUE(contains(read_file(folder / "outside", 1000),
                         std::string("plugin ") + NORMCHECK_PLANTED_PLUGIN + "\ncall-limit 3\n"));
}

TEST(Fuzz, ACleanSearchEndsWith0AndItsFigures) {
    const Folder folder;
    plant(folder, status);
    const Ran ran = fuzz(folder, {"--jobs", "2", "--seed", "5", "--engine", "unguided"});
    EXPECT_EQ(ran.status, 0) << ran.errors;
    const nlohmann::json json = json_of(ran);
    EXPECT_EQ(json["executions"], 4096);
    EXPECT_EQ(json["executions_per_cpu_second"], 4096.0);
    EXPECT_EQ(json["slack"]["ordinary"], 0.25);
    EXPECT_TRUE(json["executions_to_first_finding"].is_null());
    const std::string calls = read_file(folder.path() / "calls", 1 << 20);
    for (const char* word : {"-seed=5 ", "-seed=6 ", "-merge=1 ", "cpu/rms unguided", "job0", "job1"})
        EXPECT_TRUE(contains(calls, word)) << word << " in " << calls;
}

TEST(Fuzz, AFindingEndsWith1AndItsCase) {
    const Folder folder;
    plant(folder, finding);
    const Ran ran = fuzz(folder, {"--fresh"});
    EXPECT_EQ(ran.status, 1) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "fail  kernel=cpu/rms cols=2\n")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "found as kernel=cpu/rms cols=9\n")) << ran.output;
    EXPECT_EQ(json_of(ran)["executions_to_first_finding"], 77);
    EXPECT_EQ(json_of(ran)["case"], "kernel=cpu/rms cols=2");
}

TEST(Fuzz, ACrashWithoutAFindingIsNoCleanSearch) {
    const Folder folder;
    plant(folder, "exit 77\n");
    const Ran ran = fuzz(folder, {"--fresh"});
    EXPECT_EQ(ran.status, 1) << ran.errors;
    EXPECT_TRUE(contains(ran.output, "status 77 (a crash)")) << ran.output;
}

TEST(Fuzz, ATargetThatCannotRunIsAnError) {
    const Folder folder;
    plant(folder, "exit 2\n");
    EXPECT_EQ(fuzz(folder, {"--fresh"}).status, 2);
}

TEST(FuzzLogs, AreReadUpToTheLastWholeLine) {
    const Folder folder;
    write_file_atomically(folder.path() / "log", R"(INFO: something
NORMCHECK_STATUS {"executions":10,"seconds":1.5,"slack":{"special":0.5}}
#16	pulse  cov: 90 ft: 400 corp: 51/2kb lim: 4096
NORMCHECK_STATUS {"executions":30,"sec)");
    const FuzzLog log = read_fuzz_log(folder.path() / "log");
    EXPECT_EQ(log.executions, 10);
    EXPECT_EQ(log.seconds, 1.5);
    EXPECT_EQ(log.corpus, 51);
    EXPECT_EQ(log.slack.at("special"), 0.5);
    EXPECT_FALSE(log.finding);
}

}  // namespace
}  // namespace normcheck
