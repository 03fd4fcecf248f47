// What a fuzz target knows besides the input: the kernel, how to search, where findings go, and what has been met so
// far. Environment: NORMCHECK_FUZZ_KERNEL names a kernel for the target of all kernels (also one that is not built in
// there, and one of those that NORMCHECK_OUTSIDE names: see harness/outside/outside_text.hpp); NORMCHECK_FUZZ_FORMAT
// names the only format of x; NORMCHECK_FUZZ_ENGINE is guided (the default), unguided (no slack counters) or random
// (rows of uniform random bits, whatever was learnt); NORMCHECK_FUZZ_STATUS=1 prints a line of JSON every second.
#pragma once

#include <array>
#include <chrono>
#include <deque>
#include <optional>
#include <string>

#include "harness/fuzz/execute.hpp"
#include "harness/fuzz/feedback.hpp"
#include "harness/fuzz/mutate.hpp"

namespace normcheck {

enum class Engine : uint8_t { guided, unguided, random };
constexpr const char* engine_names[] = {"guided", "unguided", "random"};
/// Throws InputError naming the engines.
Engine read_engine(std::string_view name);

class FuzzSession {
  public:
    /// Reads the environment. Throws InputError where it names no kernel or engine.
    FuzzSession();
    /// Prints the last status.
    ~FuzzSession();
    FuzzSession(const FuzzSession&) = delete;
    FuzzSession& operator=(const FuzzSession&) = delete;

    Engine engine() const { return engine_; }
    /// What a guided search knows of shapes; null for the others.
    const ShapeRuns* shape_runs() const { return engine_ == Engine::guided ? &shape_runs_ : nullptr; }
    /// Where findings are written: a prefix of file names, as libFuzzer's -artifact_prefix.
    void set_artifact_prefix(std::string prefix) { artifact_prefix_ = std::move(prefix); }

    /// Runs one input. A finding is printed and written, minimised, and ends the process by abort().
    Execution run(std::span<const uint8_t> bytes);

    /// The case of an input, in full.
    Case case_of_input(std::span<const uint8_t> bytes);
    /// The bytes of a case's text; the generic target takes the kernel that it names.
    Bytes bytes_of_line(std::string_view line);

    /// One line of JSON: executions, seconds, refusals, largest slack by regime and the case that has it.
    std::string status() const;

  private:
    const FuzzSubject& subject_of(const Draft& draft);
    const FuzzSubject& subject_of(const nc_kernel& kernel);
    [[noreturn]] void report(const FuzzSubject& subject, const Draft& draft, const Execution& execution);
    void time_short_executions();
    void tell_status() const;
    void tell_status_now_and_then();

    const nc_kernel* kernel_ = nullptr;  // null: the draft chooses
    std::optional<FormatId> format_;     // none: the draft chooses
    Engine engine_ = Engine::guided;
    bool tells_status_ = false;
    std::string artifact_prefix_;
    std::deque<FuzzSubject> subjects_;
    Executor executor_;
    std::chrono::steady_clock::time_point begin_, told_;
    int64_t executions_ = 0, refusals_ = 0, rows_ = 0;
    int64_t short_executions_ = 0;  // of up to 64 columns, timed where the status is told
    double short_cpu_seconds_ = 0, execution_began_ = 0;
    bool is_short_ = false;
    ShapeRuns shape_runs_{};
    LargestSlack slack_ = no_slack();
    std::array<std::string, regime_count> witness_;  // the case that has it
};

}  // namespace normcheck
