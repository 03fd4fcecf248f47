// What a sweep keeps: found again by the same sweep, refused to any other, replaced whole or not at all.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "harness/io/atomic_file.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/sweep/result_file.hpp"
#include "harness/sweep/store.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

SweepResult blank(const char* words, PlaceRange range = {0, 32'768}) {
    return {make_subject(*find_kernel("cpu/rms"), words, 1, true).identity, SweepState(range)};
}

/// After so many rows.
SweepResult begun(uint64_t rows) {
    SweepResult result = blank("x=f16");
    SweepState part({0, rows});
    EXPECT_FALSE(run_sweep(make_subject(*find_kernel("cpu/rms"), "x=f16", 1, true), part, {}));
    result.state.tally = part.tally;
    result.state.done = rows;
    return result;
}

TEST(SweepStore, progress_and_result_are_found_again) {
    const TemporaryDirectory directory;
    const SweepStore store(directory.path / "out");
    EXPECT_FALSE(store.find(blank("x=f16")));
    store.keep(begun(5000));
    EXPECT_FALSE(std::filesystem::exists(directory.path / "out"));
    EXPECT_EQ(store.find(blank("x=f16")), begun(5000));
    store.keep(begun(32'768));
    EXPECT_EQ(store.find(blank("x=f16")), begun(32'768));
    EXPECT_FALSE(std::filesystem::exists(directory.path / "out.part"));
}

TEST(SweepStore, another_sweep_or_range_is_refused_with_the_difference) {
    const TemporaryDirectory directory;
    const SweepStore store(directory.path / "out");
    store.keep(begun(5000));
    const std::string contract = refusal([&] { store.find(blank("x=f16 eps=1e-3")); });
    EXPECT_TRUE(contains(contract, "out.part holds another sweep: contract")) << contract;
    const std::string range = refusal([&] { store.find(blank("x=f16", {0, 1000})); });
    EXPECT_TRUE(contains(range, "places 0 to 32767, not places 0 to 999")) << range;
}

TEST(SweepStore, a_damaged_file_is_named_with_the_reason) {
    const TemporaryDirectory directory;
    const SweepStore store(directory.path / "out");
    write_file_atomically(directory.path / "out.part", to_json_text(begun(5000)).substr(0, 600));
    const std::string message = refusal([&] { store.find(blank("x=f16")); });
    EXPECT_TRUE(contains(message, "out.part: damaged")) << message;
}

TEST(SweepStore, what_a_killed_process_was_writing_is_removed) {
    const TemporaryDirectory directory;
    for (const char* name : {"out.part.123-0.tmp", "out.9-1.tmp", "other.part.5-0.tmp"})
        write_file_atomically(directory.path / name, "half");
    const SweepStore store(directory.path / "out");
    EXPECT_FALSE(std::filesystem::exists(directory.path / "out.part.123-0.tmp"));
    EXPECT_FALSE(std::filesystem::exists(directory.path / "out.9-1.tmp"));
    EXPECT_TRUE(std::filesystem::exists(directory.path / "other.part.5-0.tmp"));
}

TEST(SweepStore, a_second_one_on_the_same_output_is_refused) {
    const TemporaryDirectory directory;
    const SweepStore store(directory.path / "out");
    EXPECT_TRUE(contains(refusal([&] { SweepStore(directory.path / "out"); }), "another process is working on"));
}

TEST(SweepStore, a_disk_that_is_full_leaves_what_was_kept) {
    const TemporaryDirectory directory;
    const SweepStore store(directory.path / "out");
    store.keep(begun(5000));
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{1000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const std::string message = refusal([&] { store.keep(begun(6000)); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_TRUE(contains(message, "out.part: File too large")) << message;
    EXPECT_EQ(store.find(blank("x=f16")), begun(5000));
}

TEST(SweepStore, a_device_is_no_output) {
    EXPECT_TRUE(contains(refusal([] { SweepStore("/dev/full"); }), "not a regular file"));
    EXPECT_FALSE(std::filesystem::exists("/dev/full.lock"));
}

}  // namespace
}  // namespace normcheck
