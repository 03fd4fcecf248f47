// Processes and their logs; see fuzz_jobs.hpp.
#include "harness/cli/fuzz_jobs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const bool replaced = std::ranges::any_of(
            added, [&](const auto& pair) { return text.starts_with(pair.first) && text[pair.first.size()] == '='; });
        if (!replaced) variables.emplace_back(text);
    }
    for (const auto& [name, value] : added) variables.push_back(name + '=' + value);
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

pid_t start(const FuzzCommand& command, const std::filesystem::path& log) {
    std::vector<std::string> arguments = command.arguments, variables = environment_with(command.environment);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t process = -1;
    const int error = posix_spawn(&process, arguments[0].c_str(), &actions, nullptr, pointers(arguments).data(),
                                  pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw InputError(fmt::format("{}: cannot be started: {}", arguments[0], std::strerror(error)));
    return process;
}

/// The JSON behind `word` at the start of a line; nothing where the line is another, or not yet written in full.
std::optional<nlohmann::json> json_behind(std::string_view word, std::string_view line) {
    if (!line.starts_with(word) || line.size() <= word.size()) return std::nullopt;
    const auto json = nlohmann::json::parse(line.substr(word.size() + 1), nullptr, false);
    return json.is_discarded() ? std::nullopt : std::optional(json);
}

void read_status(FuzzLog& log, const nlohmann::json& status) {
    log.executions = status.value("executions", log.executions);
    log.seconds = status.value("seconds", log.seconds);
    log.cpu_seconds = status.value("cpu_seconds", log.cpu_seconds);
    log.slack = status.value("slack", log.slack);
    log.witness = status.value("witness", log.witness);
}

void read_found(FuzzLog& log, const nlohmann::json& found) {
    if (log.finding) return;
    log.finding = FuzzFinding{found.value("reason", ""),
                              found.value("case", ""),
                              found.value("case", ""),
                              "",
                              found.value("executions", int64_t{0}),
                              found.value("seconds", 0.0)};
    log.executions = std::max(log.executions, log.finding->executions);
}

void read_minimised(FuzzLog& log, const nlohmann::json& minimised) {
    if (!log.finding) return;
    log.finding->line = minimised.value("case", log.finding->line);
    log.finding->file = minimised.value("file", "");
}

/// libFuzzer's own lines: `#4096 pulse cov: 90 ft: 400 corp: 51/2kb ...`.
void read_corpus_size(FuzzLog& log, std::string_view line) {
    const size_t place = line.find(" corp: ");
    if (!line.starts_with('#') || place == std::string_view::npos) return;
    log.corpus = std::atoll(line.substr(place + 7).data());
}

void read_line(FuzzLog& log, const std::string& line) {
    if (const auto status = json_behind("NORMCHECK_STATUS", line)) return read_status(log, *status);
    if (const auto found = json_behind("NORMCHECK_FOUND", line)) return read_found(log, *found);
    if (const auto minimised = json_behind("NORMCHECK_FINDING", line)) return read_minimised(log, *minimised);
    read_corpus_size(log, line);
}

}  // namespace

FuzzLog read_fuzz_log(const std::filesystem::path& path) {
    FuzzLog log;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) read_line(log, line);
    return log;
}

FuzzJob::FuzzJob(const FuzzCommand& command, std::filesystem::path log)
    : process_(start(command, log)), log_(std::move(log)) {}

void FuzzJob::note(int status) {
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool FuzzJob::is_running() {
    int status = 0;
    if (!status_ && waitpid(process_, &status, WNOHANG) == process_) note(status);
    return !status_;
}

void FuzzJob::stop() {
    if (is_running()) kill(process_, SIGINT);
}

int FuzzJob::wait() {
    int status = 0;
    if (!status_ && waitpid(process_, &status, 0) == process_) note(status);
    return *status_;
}

}  // namespace normcheck
