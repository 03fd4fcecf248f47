// The lock between processes: one holder at a time, given back whatever becomes of it.
#include "harness/io/file_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/io/atomic_file.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

TEST(file_lock, a_second_holder_is_refused_and_told_the_files) {
    const TemporaryDirectory directory;
    const FileLock lock(directory.path / "out");
    const std::string message = refusal([&] { FileLock(directory.path / "out"); });
    EXPECT_TRUE(contains(message, "another process is working on")) << message;
    EXPECT_TRUE(contains(message, (directory.path / "out.lock").string())) << message;
    EXPECT_EQ(refusal([&] { FileLock(directory.path / "other"); }), "");
}

TEST(file_lock, it_can_be_taken_again_and_leaves_no_file) {
    const TemporaryDirectory directory;
    for (int turn = 0; turn < 2; ++turn) {
        const FileLock lock(directory.path / "out");
        EXPECT_TRUE(std::filesystem::exists(directory.path / "out.lock"));
    }
    EXPECT_TRUE(std::filesystem::is_empty(directory.path));
}

TEST(file_lock, a_holder_that_is_killed_holds_it_no_longer) {
    const TemporaryDirectory directory;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const FileLock lock(directory.path / "out");
        ::_exit(0);  // without giving it back
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_TRUE(std::filesystem::exists(directory.path / "out.lock"));
    EXPECT_EQ(refusal([&] { FileLock(directory.path / "out"); }), "");
}

TEST(file_lock, a_folder_that_is_not_there_is_named) {
    const std::string message = refusal([] { FileLock("/nowhere/out"); });
    EXPECT_TRUE(contains(message, "/nowhere/out.lock")) << message;
}

}  // namespace
}  // namespace normcheck
