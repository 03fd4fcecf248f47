// A target's state and its output, which is lines of JSON behind a word, for people and for `normcheck fuzz` alike.
#include "harness/fuzz/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>

#include "harness/check/check.hpp"
#include "harness/check/minimize.hpp"
#include "harness/fuzz/codec.hpp"
#include "harness/fuzz/fixed_kernel.hpp"
#include "harness/host/hosted_call.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/io/bytes.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/outside/outside_text.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int64_t executions_per_look = 1024;
constexpr int64_t short_cols = 64;  // an execution of at most that many counts as short

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

const nc_kernel* named_kernel(const std::string& name) {
    add_outside_kernels(read_outside(environment(outside_variable)));
    if (name.empty()) return fixed_kernel();
    const nc_kernel* kernel = find_kernel(name);
    if (kernel == nullptr) throw InputError(fmt::format("NORMCHECK_FUZZ_KERNEL={}: there is no such kernel", name));
    return kernel;
}

std::optional<FormatId> named_format(const std::string& name) {
    if (name.empty()) return std::nullopt;
    if (const auto found = find_format(name)) return found;
    throw InputError(
        fmt::format("NORMCHECK_FUZZ_FORMAT={}: there is no such format; expected {}", name, format_names()));
}

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Of a finding that does not come back, the case itself.
Case smallest(const nc_kernel& kernel, const Case& found) {
    constexpr int64_t budget = 1000;
    const host::ShortCalls short_calls;
    const std::string kind = kind_of_finding(kernel, found);
    if (kind.empty()) return found;
    return minimize(kernel, found, [&](const Case& c) { return kind_of_finding(kernel, c) == kind; }, budget).smallest;
}

void tell(std::string_view word, const nlohmann::json& json) {
    fmt::print(stderr, "{} {}\n", word, json.dump());
    std::fflush(stderr);
}

}  // namespace

Engine read_engine(std::string_view name) {
    for (size_t i = 0; i < std::size(engine_names); ++i)
        if (name == engine_names[i]) return static_cast<Engine>(i);
    throw InputError(fmt::format("engine '{}': expected guided, unguided or random", name));
}

FuzzSession::FuzzSession()
    : kernel_(named_kernel(environment("NORMCHECK_FUZZ_KERNEL"))),
      tells_status_(!environment("NORMCHECK_FUZZ_STATUS").empty()),
      begin_(Clock::now()),
      told_(begin_) {
    const std::string engine = environment("NORMCHECK_FUZZ_ENGINE");
    if (!engine.empty()) engine_ = read_engine(engine);
    format_ = named_format(environment("NORMCHECK_FUZZ_FORMAT"));
}

const FuzzSubject& FuzzSession::subject_of(const nc_kernel& kernel) {
    for (const FuzzSubject& subject : subjects_)
        if (&subject.kernel() == &kernel) return subject;
    return subjects_.emplace_back(kernel, format_);
}

const FuzzSubject& FuzzSession::subject_of(const Draft& draft) {
    return subject_of(kernel_ != nullptr ? *kernel_ : kernel_of(draft));
}

// An execution takes until the next begins: what the engine does with it is a part of it.
void FuzzSession::time_short_executions() {
    const double now = cpu_seconds();
    if (is_short_) {
        ++short_executions_;
        short_cpu_seconds_ += now - execution_began_;
    }
    execution_began_ = now;
}

Execution FuzzSession::run(std::span<const uint8_t> bytes) {
    if (tells_status_) time_short_executions();
    const Draft draft = read_draft(bytes);
    // What libFuzzer begins with is none of the random rows.
    if (engine_ == Engine::random && fill_name(draft, DraftTensor::x) != "uniform_bits") return {};
    const FuzzSubject& subject = subject_of(draft);
    Execution execution = executor_.run(subject, draft);
    ++executions_;
    ++shape_runs_[static_cast<size_t>(draft[DraftField::shape]) % draft_shapes().size()];
    is_short_ = 0 < execution.cols && execution.cols <= short_cols;
    refusals_ += execution.refused;
    rows_ += std::ssize(execution.rows);
    note_slack(execution, slack_,
               [&](Regime regime) { witness_[static_cast<size_t>(regime)] = print(case_of(draft, subject)); });
    if (execution.is_finding()) report(subject, draft, execution);
    if (tells_status_ && executions_ % executions_per_look == 0) tell_status_now_and_then();
    return execution;
}

Case FuzzSession::case_of_input(std::span<const uint8_t> bytes) {
    const Draft draft = read_draft(bytes);
    return case_of(draft, subject_of(draft));
}

Bytes FuzzSession::bytes_of_line(std::string_view line) {
    const Case c = parse_case(line);
    if (kernel_ != nullptr) return encode_case(c, subject_of(*kernel_));
    const nc_kernel* kernel = find_kernel(c.kernel);
    if (kernel == nullptr) throw InputError(fmt::format("'{}': there is no such kernel", line));
    return encode_case(c, subject_of(*kernel));
}

std::string FuzzSession::status() const {
    nlohmann::json slack = nlohmann::json::object(), witness = nlohmann::json::object();
    for (const RegimeInfo& info : regimes()) {
        const auto place = static_cast<size_t>(info.regime);
        if (slack_[place] < 0) continue;
        slack[info.name] = slack_[place];
        witness[info.name] = witness_[place];
    }
    return nlohmann::json{{"executions", executions_},
                          {"seconds", seconds_since(begin_)},
                          {"cpu_seconds", cpu_seconds()},
                          {"refused", refusals_},
                          {"rows", rows_},
                          {"short_executions", short_executions_},
                          {"short_cpu_seconds", short_cpu_seconds_},
                          {"slack", slack},
                          {"witness", witness}}
        .dump();
}

FuzzSession::~FuzzSession() {
    if (tells_status_) tell_status();
}

void FuzzSession::tell_status_now_and_then() {
    if (seconds_since(told_) < 1) return;
    told_ = Clock::now();
    tell_status();
}

void FuzzSession::tell_status() const {
    fmt::print(stderr, "NORMCHECK_STATUS {}\n", status());
    std::fflush(stderr);
}

// The first line goes out before anything else is tried with a kernel that is known to misbehave.
void FuzzSession::report(const FuzzSubject& subject, const Draft& draft, const Execution& execution) {
    const Case found = case_of(draft, subject);
    const std::string kernel = subject.kernel().name, engine = engine_names[static_cast<size_t>(engine_)];
    tell("NORMCHECK_FOUND", {{"kernel", kernel},
                             {"engine", engine},
                             {"executions", executions_},
                             {"seconds", seconds_since(begin_)},
                             {"verdict", "fail"},
                             {"reason", execution.reason()},
                             {"case", print(found)}});
    if (tells_status_) tell_status();
    const std::string line = print(smallest(subject.kernel(), found));
    const std::string path = fmt::format("{}finding-{:016x}.case", artifact_prefix_, digest(line));
    write_file_atomically(path, fmt::format("# {}\n# found as: {}\n{}\n", execution.reason(), print(found), line));
    tell("NORMCHECK_FINDING", {{"case", line}, {"file", path}});
    std::abort();
}

}  // namespace normcheck
