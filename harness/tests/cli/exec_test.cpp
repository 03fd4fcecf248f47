// Commands that are hosts, good and bad, and what is left of a run: no process, no file.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "harness/tests/cli/command.hpp"

extern char** environ;

namespace normcheck {
namespace {

const std::string host = NORMCHECK_PLANTED_HOST;

Ran case_of(const std::string& how, const std::string& words, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"case", "kernel=planted/rms " + words, "--exec", host + ' ' + how, "--width",
                                       "400"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
}

TEST(Exec, a_command_is_verified_like_any_kernel) {
    const Ran ran = run_program({"verify", "--exec", host + " good", "--cases", "30", "--width", "400"});
    EXPECT_EQ(ran.status, 0) << ran.output << ran.errors;
    EXPECT_TRUE(contains(ran.output, "pass  planted/rms f32")) << ran.output;
    EXPECT_TRUE(contains(ran.output, "normcheck case 'LINE' --exec '")) << ran.output;
}

struct Bad {
    const char* how;
    const char* message;
};

TEST(Exec, a_command_that_is_no_host_is_one_clear_error) {
    constexpr Bad bad_hosts[] = {
        {"dies_at_start",
         "before it said hello, its process ended with exit status 1; its last lines: 'Traceback (most recent call "
         "last):', '  File \"my_kernel.py\", line 1', 'ImportError: no module named tort'"},
        {"silent", "its process did not say hello within 0.5 s"},
        {"no_kernel_message", "its process did not say hello within 0.5 s"},
        {"short_hello", "it sent a message of 17 bytes, where 2192 were expected"},
        {"wrong_version", "it sent version 77 of the protocol, where 2 was expected"},
        {"absurd_count", "it has 1000000 kernels; expected 1 to 1000"},
        {"no_kernels", "it has 0 kernels; expected 1 to 1000"},
        {"endless_text", "its hello has a text without an end"},
        {"failed", "the moon is in the wrong phase"},
        {"hostile_space", "it has the name 'a b/c' for its namespace"},
    };
    for (const Bad& bad : bad_hosts) {
        const Ran ran = run_program({"verify", "--exec", host + ' ' + bad.how, "--start-limit", "0.5"});
        EXPECT_EQ(ran.status, 2) << bad.how << ran.output;
        EXPECT_TRUE(contains(ran.errors, "normcheck: command '" + host)) << bad.how << ran.errors;
        EXPECT_TRUE(contains(ran.errors, bad.message)) << bad.how << ran.errors;
    }
    const Ran missing = run_program({"verify", "--exec", "/nowhere/python my_kernel.py"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(contains(missing.errors, "its process ended with exit status 127")) << missing.errors;
}

TEST(Exec, a_call_that_ends_badly_breaks_a_rule_of_one_case) {
    constexpr Bad bad_calls[] = {
        {"silent_reply", "the kernel did not return within 0.3 s"},
        {"hangs", "the kernel did not return within 0.3 s"},
        {"dies", "the kernel ended its process with exit status 4"},
        {"short_reply", "the process of the kernel sent a message of 3 bytes, where 2576 were expected"},
        {"garbage_status", "the process of the kernel sent a reply that makes no sense"},
        {"garbage_kind", "the process of the kernel sent a message of kind 1, where 4 was expected"},
        {"raises", "the kernel raised ValueError: no"},
    };
    for (const Bad& bad : bad_calls) {
        const Ran ran = case_of(bad.how, "cols=257", {"--call-limit", "0.3"});
        EXPECT_EQ(ran.status, 1) << bad.how << ran.output << ran.errors;
        EXPECT_TRUE(contains(ran.output, bad.message)) << bad.how << ran.output;
        EXPECT_EQ(case_of(bad.how, "cols=256", {"--call-limit", "0.3"}).status, 0) << bad.how;
    }
}

/// The environment's variable that tells the processes of this test from all others.
class Mark {
  public:
    Mark() : value_("NORMCHECK_TEST_MARK=" + std::to_string(::getpid()) + '.' + std::to_string(++count)) {
        setenv("NORMCHECK_TEST_MARK", value_.substr(value_.find('=') + 1).c_str(), 1);
    }
    ~Mark() { unsetenv("NORMCHECK_TEST_MARK"); }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

    /// Living processes with the mark, other than this one.
    int processes() const {
        int number = 0;
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            const std::string name = entry.path().filename();
            if (name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(::getpid()))
                continue;
            std::ifstream file(entry.path() / "environ", std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            number += ('\0' + text).find('\0' + value_ + '\0') != std::string::npos;
        }
        return number;
    }
    /// Whether so many are left within some seconds.
    bool comes_to(int number) const {
        for (int wait = 0; wait < 500 && processes() != number; ++wait)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return processes() == number;
    }

  private:
    static inline int count = 0;
    std::string value_;
};

TEST(Exec, nothing_is_left_after_a_run) {
    const Folder folder;
    setenv("TMPDIR", (folder / "").c_str(), 1);
    const Mark mark;
    EXPECT_EQ(case_of("hangs", "cols=257", {"--call-limit", "0.3"}).status, 1);
    EXPECT_TRUE(mark.comes_to(0));
    EXPECT_EQ(run_program({"case", "kernel=planted/forks cols=257", "--plugin", NORMCHECK_PLANTED_PLUGIN}).status, 0);
    EXPECT_TRUE(mark.comes_to(0));
    unsetenv("TMPDIR");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// Starts the program on a case that hangs, kills it once its hosts are there, and returns whether they go.
bool leaves_nothing_when_killed(std::vector<std::string> words) {
    const Mark mark;
    words.insert(words.begin(), NORMCHECK_PROGRAM);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawn(&child, NORMCHECK_PROGRAM, nullptr, nullptr, pointers.data(), environ) != 0) return false;
    bool has_host = false;
    for (int wait = 0; wait < 500 && !has_host; ++wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        has_host = mark.processes() > 1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // to be in the call that does not return
    EXPECT_TRUE(has_host);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return mark.comes_to(0);
}

TEST(Exec, nothing_is_left_where_the_harness_is_killed) {
    EXPECT_TRUE(leaves_nothing_when_killed(
        {"case", "kernel=planted/rms cols=257", "--exec", host + " hangs", "--call-limit", "100"}));
    EXPECT_TRUE(leaves_nothing_when_killed(
        {"case", "kernel=planted/hang cols=257", "--plugin", NORMCHECK_PLANTED_PLUGIN, "--call-limit", "100"}));
}

}  // namespace
}  // namespace normcheck
