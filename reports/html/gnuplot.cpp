// One run of gnuplot in a folder of its own; see gnuplot.hpp.
#include "reports/html/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "reports/escape.hpp"

extern char** environ;

namespace normcheck {
namespace {

/// A new folder, removed with all in it; without a path where none can be made.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::error_code error;
        std::string pattern = (std::filesystem::temp_directory_path(error) / "normcheck-XXXXXX").string();
        if (!error && mkdtemp(pattern.data()) != nullptr) path = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        if (!path.empty()) std::filesystem::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
};

std::string content(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string whole_script(const std::vector<Sketch>& sketches) {
    std::string result = "set encoding utf8\n";
    for (size_t i = 0; i < sketches.size(); ++i)
        result += fmt::format(
            "reset\nset terminal svg size {},{} dynamic font 'sans-serif,13' noenhanced\n"
            "set output '{}.svg'\n{}\nset output\n",
            figure_width, sketches[i].height, i, sketches[i].commands);
    return result;
}

/// Runs gnuplot in the folder; the errno of a start that failed, or nothing and the exit status.
int start_in(const std::filesystem::path& folder, int& status) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "errors", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::string words[] = {"gnuplot", "-d", "script"};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    pid_t child = 0;
    const int error = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return error;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

/// Why nothing was drawn; empty where all went well.
std::string run_in(const std::filesystem::path& folder) {
    int status = 0;
    const int error = start_in(folder, status);
    if (error == ENOENT) return "gnuplot is not installed";
    if (error != 0) return fmt::format("gnuplot could not be started: {}", std::strerror(error));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
    const std::string said = content(folder / "errors");
    return fmt::format("gnuplot failed{}{}", said.empty() ? "" : ": ", printable(said.substr(0, 200)));
}

}  // namespace

Drawings draw(const std::vector<Sketch>& sketches) {
    if (sketches.empty()) return {};
    const Folder folder;
    if (folder.path.empty()) return {{}, "there is no folder for gnuplot to draw in"};
    std::ofstream(folder.path / "script", std::ios::binary) << whole_script(sketches);
    Drawings result{{}, run_in(folder.path)};
    for (size_t i = 0; i < sketches.size() && result.problem.empty(); ++i) {
        result.files.push_back(content(folder.path / fmt::format("{}.svg", i)));
        if (!result.files.back().ends_with("</svg>\n\n")) result.problem = "gnuplot left a figure unfinished";
    }
    if (!result.problem.empty()) result.files.clear();
    return result;
}

}  // namespace normcheck
