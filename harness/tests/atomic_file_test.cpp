// Whole files: replaced in one step or left alone, and nothing left lying about.
#include "harness/io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <iterator>

#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

constexpr uint64_t plenty = 1 << 20;

int64_t entries_in(const std::filesystem::path& directory) {
    return std::distance(std::filesystem::directory_iterator(directory), std::filesystem::directory_iterator());
}

/// Lets no file of this process grow past 1000 bytes, until the end of the scope.
struct SmallFiles {
    rlimit before{};
    SmallFiles() {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before);
        rlimit small{1000, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;
    ~SmallFiles() { ::setrlimit(RLIMIT_FSIZE, &before); }
};

TEST(atomic_file, bytes_come_back_whatever_they_are) {
    TemporaryDirectory directory;
    auto file = directory.path / "a";
    for (const std::string& bytes : {std::string(), std::string("a\0b\r\n\xff", 6), std::string(200'000, 'x')}) {
        write_file_atomically(file, bytes);
        EXPECT_EQ(read_file(file, plenty), bytes);
    }
    EXPECT_EQ(entries_in(directory.path), 1);
}

TEST(atomic_file, a_bare_name_is_written_to_the_current_directory) {
    TemporaryDirectory directory;
    auto before = std::filesystem::current_path();
    std::filesystem::current_path(directory.path);
    write_file_atomically("bare", "x");
    std::filesystem::current_path(before);
    EXPECT_EQ(read_file(directory.path / "bare", plenty), "x");
}

TEST(atomic_file, the_old_file_is_replaced_and_not_written_into) {
    TemporaryDirectory directory;
    write_file_atomically(directory.path / "a", "old");
    std::filesystem::create_hard_link(directory.path / "a", directory.path / "other_name");
    write_file_atomically(directory.path / "a", "new");
    EXPECT_EQ(read_file(directory.path / "a", plenty), "new");
    EXPECT_EQ(read_file(directory.path / "other_name", plenty), "old");
}

TEST(atomic_file, permissions_follow_the_umask) {
    TemporaryDirectory directory;
    mode_t before = ::umask(022);
    write_file_atomically(directory.path / "a", "x");
    ::umask(before);
    struct stat status{};
    ASSERT_EQ(::stat((directory.path / "a").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0644u);
}

TEST(atomic_file, a_symbolic_link_stays_and_its_file_is_replaced) {
    TemporaryDirectory directory;
    write_file_atomically(directory.path / "real", "old");
    std::filesystem::create_symlink("real", directory.path / "link");
    write_file_atomically(directory.path / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(directory.path / "link"));
    EXPECT_EQ(read_file(directory.path / "real", plenty), "new");
}

TEST(atomic_file, a_name_that_a_killed_run_left_behind_is_stepped_over) {
    TemporaryDirectory directory;
    auto left_behind = directory.path / ("a." + std::to_string(::getpid()) + "-0.tmp");
    write_file_atomically(left_behind, "half");
    write_file_atomically(directory.path / "a", "whole");
    EXPECT_EQ(read_file(directory.path / "a", plenty), "whole");
    EXPECT_EQ(read_file(left_behind, plenty), "half");
}

TEST(atomic_file, a_failed_write_says_why_and_leaves_the_old_file_alone) {
    TemporaryDirectory directory;
    auto file = directory.path / "a";
    write_file_atomically(file, "old");
    std::string message;
    {
        SmallFiles limit;
        message = refusal([&] { write_file_atomically(file, std::string(5000, 'x')); });
    }
    EXPECT_EQ(message, "cannot write " + file.string() + ": File too large");
    EXPECT_EQ(read_file(file, plenty), "old");
    EXPECT_EQ(entries_in(directory.path), 1);
}

TEST(atomic_file, a_directory_that_is_missing_is_named_with_the_reason) {
    TemporaryDirectory directory;
    auto file = directory.path / "missing" / "a";
    std::string expected = file.string() + ": No such file or directory";
    EXPECT_EQ(refusal([&] { write_file_atomically(file, "x"); }), "cannot write " + expected);
    EXPECT_EQ(refusal([&] { read_file(file, plenty); }), "cannot read " + expected);
}

TEST(atomic_file, what_is_no_regular_file_is_never_replaced) {
    TemporaryDirectory directory;
    auto inner = directory.path / "inner";
    std::filesystem::create_directory(inner);
    EXPECT_TRUE(contains(refusal([&] { write_file_atomically(inner, "x"); }), "not a regular file"));
    std::filesystem::create_symlink("nowhere", directory.path / "dangling");
    EXPECT_TRUE(contains(refusal([&] { write_file_atomically(directory.path / "dangling", "x"); }), "No such file"));
    EXPECT_EQ(entries_in(directory.path), 2);
    EXPECT_TRUE(contains(refusal([&] { read_file(inner, plenty); }), "Is a directory"));
}

TEST(atomic_file, reading_stops_at_the_limit_even_where_a_file_never_ends) {
    TemporaryDirectory directory;
    write_file_atomically(directory.path / "a", "12345");
    EXPECT_EQ(read_file(directory.path / "a", 5), "12345");
    EXPECT_TRUE(contains(refusal([&] { read_file(directory.path / "a", 4); }), "at most 4 bytes"));
    EXPECT_TRUE(
        contains(refusal([&] { read_file("/dev/zero", plenty); }), "/dev/zero: expected at most 1048576 bytes"));
}

}  // namespace
}  // namespace normcheck
