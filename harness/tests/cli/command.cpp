// Running the program; see command.hpp.
#include "harness/tests/cli/command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "oracles/error.hpp"

extern char** environ;

namespace normcheck {
namespace {

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Starts the program in a process group of its own, with no signal ignored.
pid_t start(std::vector<std::string> words, const std::string& output, const std::string& errors) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t acting;
    sigemptyset(&acting);
    for (const int signal : {SIGINT, SIGTERM}) sigaddset(&acting, signal);
    posix_spawnattr_setsigdefault(&attributes, &acting);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    const int failed = posix_spawn(&child, words[0].c_str(), &actions, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    require(failed == 0, "the program cannot be started");
    return child;
}

int wait_for(pid_t child) {
    int status = 0;
    require(waitpid(child, &status, 0) == child, "the program was lost");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Whether the process has a handler for the signal.
bool catches(pid_t process, int signal) {
    const std::string word = "SigCgt:\t", status = content("/proc/" + std::to_string(process) + "/status");
    const size_t at = status.find(word);
    if (at == std::string::npos) return false;
    return (std::stoull(status.substr(at + word.size(), 16), nullptr, 16) >> (signal - 1) & 1) != 0;
}

void interrupt(pid_t child, int signal) {
    for (int i = 0; i < 3000 && !catches(child, signal); ++i) usleep(10000);
    usleep(300000);  // so that something has run
    kill(-child, signal);
}

Ran run(const std::vector<std::string>& arguments, const std::function<void(pid_t)>& meanwhile) {
    const Folder folder;
    std::vector<std::string> words{NORMCHECK_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const pid_t child = start(std::move(words), folder / "output", folder / "errors");
    meanwhile(child);
    Ran ran;
    ran.status = wait_for(child);
    ran.output = content(folder / "output");
    ran.errors = content(folder / "errors");
    return ran;
}

}  // namespace

Ran run_program(const std::vector<std::string>& arguments) {
    return run(arguments, [](pid_t) {});
}

Ran run_interrupted(const std::vector<std::string>& arguments, int signal) {
    return run(arguments, [signal](pid_t child) { interrupt(child, signal); });
}

Folder::Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "normcheck-XXXXXX").string();
    require(mkdtemp(pattern.data()) != nullptr, "no folder for the test");
    path_ = pattern;
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

size_t longest_line(const std::string& text) {
    std::stringstream lines(text);
    size_t longest = 0;
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    return longest;
}

}  // namespace normcheck
