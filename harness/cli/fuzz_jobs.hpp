// Fuzz targets as separate processes, each with a log of its own that is read while it runs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace normcheck {

/// What to start: the program's arguments (the first is its path), and what is added to the environment.
struct FuzzCommand {
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> environment;
};

/// A finding as a target prints it.
struct FuzzFinding {
    std::string reason, line, found_as, file;  // line: minimised where the target came so far
    int64_t executions = 0;                    // of that process, up to it
    double seconds = 0;
};

/// What a log says so far.
struct FuzzLog {
    int64_t executions = 0, corpus = 0;
    double seconds = 0, cpu_seconds = 0;
    std::map<std::string, double> slack;         // largest, by regime
    std::map<std::string, std::string> witness;  // the case that has it
    std::optional<FuzzFinding> finding;
};
FuzzLog read_fuzz_log(const std::filesystem::path& path);

class FuzzJob {
  public:
    /// Starts the process with its output in `log`. Throws InputError with the system's reason.
    FuzzJob(const FuzzCommand& command, std::filesystem::path log);

    /// Whether it still runs.
    bool is_running();
    /// Asks it to end, as an interrupt from the keyboard does.
    void stop();
    /// Waits for it, and returns its exit status, or 128 and the signal that ended it.
    int wait();
    const std::filesystem::path& log() const { return log_; }

  private:
    void note(int status);

    pid_t process_ = -1;
    std::optional<int> status_;
    std::filesystem::path log_;
};

}  // namespace normcheck
