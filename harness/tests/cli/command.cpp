// Running the program; see command.hpp.
#include "harness/tests/cli/command.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
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

int run_to_files(std::vector<std::string> words, const std::string& output, const std::string& errors) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT, 0600);
    pid_t child = 0;
    const int failed = posix_spawn(&child, words[0].c_str(), &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    require(failed == 0, "the program cannot be started");
    int status = 0;
    require(waitpid(child, &status, 0) == child, "the program was lost");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Ran run_program(const std::vector<std::string>& arguments) {
    const Folder folder;
    std::vector<std::string> words{NORMCHECK_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Ran ran;
    ran.status = run_to_files(std::move(words), folder / "output", folder / "errors");
    ran.output = content(folder / "output");
    ran.errors = content(folder / "errors");
    return ran;
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
