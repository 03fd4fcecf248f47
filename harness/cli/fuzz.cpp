// The verb `fuzz`: searches for inputs on which a kernel leaves its admissible sets, with libFuzzer in processes of
// their own.
#include "harness/cli/fuzz.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "harness/check/check.hpp"
#include "harness/cli/fuzz_jobs.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sweep_text.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/fuzz/codec.hpp"
#include "harness/fuzz/input_files.hpp"
#include "harness/host/host_process.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/io/file_lock.hpp"
#include "harness/outside/outside_text.hpp"
#include "oracles/error.hpp"
#include "oracles/regime.hpp"

namespace normcheck {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr int finding_status = 77;  // of libFuzzer
constexpr double seconds_between_lines = 5;

struct FuzzOptions {
    std::string kernel, format, engine = "guided", output = "reports/out/fuzz", targets;
    double time = 60;
    int jobs = 1;
    uint32_t seed = 1;
    bool fresh = false;
    bool quiet = false;
    OutsideOptions outside;
};

void add_options(CLI::App& app, FuzzOptions& options) {
    app.add_option("KERNEL", options.kernel, "the kernel (see: list kernels)")->required();
    app.add_option("--format", options.format, "search among inputs of this format alone")->type_name("F");
    app.add_option("--time", options.time, "seconds to search, or as in 90s, 10m, 8h (default 60)")
        ->type_name("S")
        ->transform(time_span(true));
    app.add_option("--jobs", options.jobs, "processes (default 1)")->type_name("N")->check(whole_number(1, 256));
    app.add_option("--seed", options.seed, "seed of the first process; the others count on from it (default 1)")
        ->type_name("S")
        ->check(whole_number(1, 4000000000));
    app.add_option("--engine", options.engine,
                   "guided climbs the slack (default), unguided sees code edges alone, random learns nothing")
        ->check(CLI::IsMember(std::vector<std::string>(std::begin(fuzz_engines), std::end(fuzz_engines))));
    app.add_flag("--fresh", options.fresh, "begin with an empty corpus and keep none: for figures of detection");
    app.add_option("--output", options.output, "keep corpora and findings here (default reports/out/fuzz)")
        ->type_name("FOLDER");
    app.add_option("--targets", options.targets, "where the fuzz targets are (default: build/fuzz/targets)")
        ->type_name("FOLDER");
    app.add_flag("--quiet", options.quiet, "print no progress");
    add_outside_options(app, options.outside);
}

/// The folder in which build/ stands, with this program in build/PRESET/.
fs::path project_root() {
    return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
}

/// As in kernels.def: cpu/rms is cpu_rms.
std::string file_name(std::string kernel) {
    std::ranges::replace(kernel, '/', '_');
    return kernel;
}

/// The kernel's own target, or the one of all kernels, which is told the name.
fs::path find_target(const FuzzOptions& options) {
    const fs::path folder = options.targets.empty() ? project_root() / "build/fuzz/targets" : fs::path(options.targets);
    for (const std::string& name : {"fuzz_" + file_name(options.kernel), std::string("fuzz_any")})
        if (fs::exists(folder / name)) return folder / name;
    throw InputError(fmt::format("no fuzz target in {}; build them with scripts/fuzz_build", folder.string()));
}

/// One run of the verb, and the folders it works in.
struct FuzzRun {
    const FuzzOptions& options;
    const nc_kernel& kernel;
    std::optional<FormatId> format;  // none: all that the kernel takes
    fs::path target, folder;
    std::vector<FuzzJob> jobs = {};

    fs::path corpus() const { return folder / "corpus"; }
    fs::path replaced() const { return folder / "corpus.replaced"; }
    fs::path seeds() const { return folder / "seeds"; }
    fs::path job_corpus(int i) const { return folder / fmt::format("job{}", i); }
};

void make_empty(const fs::path& folder) {
    fs::remove_all(folder);
    fs::create_directories(folder);
}

/// The bytes of a committed case; none where its x is not of the format that is searched.
Bytes seed_of(std::string_view line, const FuzzSubject& subject, std::optional<FormatId> only) {
    const Case c = parse_case(line);
    if (only && case_contract(&subject.kernel(), c).x != *only) return {};
    return encode_case(c, subject);
}

/// The committed cases as bytes.
void write_seeds(const FuzzRun& run) {
    make_empty(run.seeds());
    const fs::path cases = project_root() / "corpora/fuzz" / (file_name(run.options.kernel) + ".cases");
    if (run.options.fresh || !fs::exists(cases)) return;
    const FuzzSubject subject(run.kernel, run.format);
    int number = 0;
    for (const Bytes& bytes :
         read_inputs(cases, [&](std::string_view line) { return seed_of(line, subject, run.format); }))
        write_file_atomically(run.seeds() / fmt::format("seed{}", number++),
                              {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

FuzzCommand command_of(const FuzzRun& run, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), run.target.string());
    arguments.push_back(fmt::format("-artifact_prefix={}/", run.folder.string()));
    return {std::move(arguments),
            {{"NORMCHECK_FUZZ_KERNEL", run.kernel.name},
             {outside_variable, outside_text(run.options.outside.kernels)},
             {"NORMCHECK_FUZZ_ENGINE", run.options.engine},
             {"NORMCHECK_FUZZ_FORMAT", run.options.format},
             {"NORMCHECK_FUZZ_STATUS", "1"},
             {"NORMCHECK_HOST", host::host_program().string()},
             {"OMP_NUM_THREADS", "1"}}};
}

/// What a run left that was killed: the corpus that was about to be replaced, and what its jobs had found, whose names
/// are those of libFuzzer, from the content.
void take_up_left_over(const FuzzRun& run) {
    if (fs::exists(run.replaced()) && !fs::exists(run.corpus())) fs::rename(run.replaced(), run.corpus());
    fs::remove_all(run.replaced());
    fs::create_directories(run.corpus());
    for (const fs::directory_entry& entry : fs::directory_iterator(run.folder)) {
        if (!entry.is_directory() || !entry.path().filename().string().starts_with("job")) continue;
        for (const fs::directory_entry& input : fs::directory_iterator(entry.path()))
            fs::rename(input.path(), run.corpus() / input.path().filename());
    }
}

void start_jobs(FuzzRun& run) {
    fs::create_directories(run.corpus());
    for (int i = 0; i < run.options.jobs; ++i) {
        make_empty(run.job_corpus(i));
        std::vector<std::string> arguments = {fmt::format("-seed={}", run.options.seed + static_cast<uint32_t>(i)),
                                              fmt::format("-max_total_time={}", static_cast<int64_t>(run.options.time)),
                                              "-len_control=0", "-max_len=1024", run.job_corpus(i).string()};
        if (!run.options.fresh) {
            arguments.push_back(run.corpus().string());
            arguments.push_back(run.seeds().string());
        }
        run.jobs.emplace_back(command_of(run, arguments), run.folder / fmt::format("job{}.log", i));
    }
}

/// All logs taken together; the finding is the one that took fewest executions.
FuzzLog read_logs(const FuzzRun& run) {
    FuzzLog all;
    for (const FuzzJob& job : run.jobs) {
        const FuzzLog log = read_fuzz_log(job.log());
        all.executions += log.executions;
        all.cpu_seconds += log.cpu_seconds;
        all.seconds = std::max(all.seconds, log.seconds);
        all.corpus = std::max(all.corpus, log.corpus);
        for (const auto& [regime, slack] : log.slack) {
            if (all.slack.contains(regime) && all.slack[regime] >= slack) continue;
            all.slack[regime] = slack;
            if (const auto found = log.witness.find(regime); found != log.witness.end())
                all.witness[regime] = found->second;
        }
        if (log.finding && (!all.finding || log.finding->executions < all.finding->executions))
            all.finding = log.finding;
    }
    return all;
}

double rate(const FuzzLog& log, double seconds) {
    return seconds > 0 ? static_cast<double>(log.executions) / seconds : 0;
}

std::string slack_text(const FuzzLog& log) {
    std::string text;
    for (const RegimeInfo& info : regimes()) {
        const auto found = log.slack.find(info.name);
        if (found != log.slack.end())
            text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", info.name, found->second);
    }
    return text.empty() ? "none" : text;
}

void tell_progress(const FuzzLog& log) {
    fmt::print(stderr, "{:5.0f} s  {} executions, {:.0f} a second, corpus {}; largest slack: {}\n", log.seconds,
               show_grouped(log.executions), rate(log, log.seconds), log.corpus, slack_text(log));
}

/// Until all jobs have ended; the first that ends with a finding ends the others.
void watch(FuzzRun& run) {
    auto told = Clock::now();
    const auto is_running = [](FuzzJob& job) { return job.is_running(); };
    while (std::ranges::any_of(run.jobs, is_running)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        const bool ended = !std::ranges::all_of(run.jobs, is_running);
        if (ended && read_logs(run).finding)
            for (FuzzJob& job : run.jobs) job.stop();
        if (run.options.quiet || std::chrono::duration<double>(Clock::now() - told).count() < seconds_between_lines)
            continue;
        told = Clock::now();
        tell_progress(read_logs(run));
    }
}

/// What the jobs have found goes into the kept corpus, without what adds nothing.
void merge_corpora(const FuzzRun& run) {
    const fs::path merged = run.folder / "merged";
    make_empty(merged);
    std::vector<std::string> arguments = {"-merge=1", "-max_len=1024", merged.string(), run.corpus().string()};
    for (int i = 0; i < run.options.jobs; ++i) arguments.push_back(run.job_corpus(i).string());
    FuzzJob merge(command_of(run, arguments), run.folder / "merge.log");
    if (const int status = merge.wait(); status != 0)
        throw InputError(
            fmt::format("the corpora could not be merged (status {}); see {}", status, merge.log().string()));
    fs::rename(run.corpus(), run.replaced());  // a kill from here on is undone by take_up_left_over
    fs::rename(merged, run.corpus());
    fs::remove_all(run.replaced());
}

void clean_up(const FuzzRun& run) {
    for (int i = 0; i < run.options.jobs; ++i) fs::remove_all(run.job_corpus(i));
    fs::remove_all(run.seeds());
}

int64_t files_in(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

std::string json_line(const FuzzRun& run, const FuzzLog& log) {
    nlohmann::json json{{"kernel", run.kernel.name},
                        {"format", run.options.format},
                        {"engine", run.options.engine},
                        {"seed", run.options.seed},
                        {"jobs", run.options.jobs},
                        {"executions", log.executions},
                        {"seconds", log.seconds},
                        {"executions_per_cpu_second", rate(log, log.cpu_seconds)},
                        {"slack", log.slack},
                        {"witness", log.witness},
                        {"executions_to_first_finding", nullptr}};
    if (log.finding) {
        json["executions_to_first_finding"] = log.finding->executions;
        json["seconds_to_first_finding"] = log.finding->seconds;
        json["case"] = log.finding->line;
    }
    return "json  " + json.dump() + "\n";
}

std::string summary(const FuzzRun& run, const FuzzLog& log) {
    std::string text = fmt::format(
        "{}{}, {}: {} executions in {:.0f} s, {} per second and core; corpus {}\nlargest slack: {}\n", run.kernel.name,
        run.options.format.empty() ? "" : " " + run.options.format, run.options.engine, show_grouped(log.executions),
        log.seconds, show_grouped(static_cast<int64_t>(rate(log, log.cpu_seconds))), files_in(run.corpus()),
        slack_text(log));
    if (log.finding)
        text += fmt::format("fail  {}\n      {}\n      found as {}\n      after {} executions; written to {}\n",
                            log.finding->line, log.finding->reason, log.finding->found_as,
                            show_grouped(log.finding->executions), log.finding->file);
    return text + json_line(run, log);
}

/// The exit status; a process that ended otherwise than clean or stopped has met a finding of its own.
int result_of(FuzzRun& run, const FuzzLog& log) {
    if (log.finding) return 1;
    for (FuzzJob& job : run.jobs) {
        const int status = job.wait();
        if (status == 0) continue;
        if (status == 2 || status == 1)
            throw InputError(
                fmt::format("a fuzz process could not run (status {}); see {}", status, job.log().string()));
        write_output(fmt::format("fail  a fuzz process ended with status {}{}; see {}\n", status,
                                 status == finding_status ? " (a crash)" : "", job.log().string()));
        return 1;
    }
    return 0;
}

int fuzz(const FuzzOptions& options) {
    load_outside(options.outside);
    const nc_kernel& kernel = kernel_named(options.kernel);
    std::string name = file_name(kernel.name);
    std::optional<FormatId> only;
    if (!options.format.empty()) only = read_format("--format", options.format);
    if (only) name += "-" + options.format;
    if (options.fresh) name += "-" + options.engine + "-fresh";
    FuzzRun run{options, kernel, only, find_target(options), fs::path(options.output) / name};
    FuzzSubject(kernel, run.format);  // throws where the kernel does not take it
    fs::create_directories(options.output);
    const FileLock lock(run.folder);
    if (options.fresh) make_empty(run.folder);
    take_up_left_over(run);
    write_seeds(run);
    start_jobs(run);
    watch(run);
    if (!options.fresh) merge_corpora(run);
    const FuzzLog log = read_logs(run);
    clean_up(run);
    write_output(summary(run, log));
    return result_of(run, log);
}

constexpr Example examples[] = {
    {"normcheck fuzz faulty/rms_eps_outside --time 20", "twenty seconds of search; a finding is minimised and kept"},
    {"normcheck fuzz cpu/rms --jobs 2 --time 600 --output found", "ten minutes of two processes"},
    {"normcheck fuzz rms/plain --plugin ./librms.so", "a kernel of yours"},
};

}  // namespace

FuzzLog search_afresh(const std::string& kernel, const std::string& engine, double seconds, uint32_t seed,
                      const OutsideOptions& outside) {
    FuzzOptions options;
    options.outside = outside;
    options.kernel = kernel;
    options.engine = engine;
    options.time = seconds;
    options.seed = seed;
    options.fresh = options.quiet = true;
    FuzzRun run{
        options, kernel_named(kernel), std::nullopt, find_target(options),
        fs::temp_directory_path() / fmt::format("normcheck-{}-{}-{}-{}", ::getpid(), file_name(kernel), engine, seed)};
    make_empty(run.folder);
    write_seeds(run);
    start_jobs(run);
    watch(run);
    const FuzzLog log = read_logs(run);
    const int status = run.jobs.front().wait();
    if (!log.finding && status != 0)
        throw InputError(fmt::format("the fuzz process of {} ended with status {}; see {}", kernel, status,
                                     run.jobs.front().log().string()));
    fs::remove_all(run.folder);
    return log;
}

Verb add_fuzz(CLI::App& app) {
    const auto options = std::make_shared<FuzzOptions>();
    CLI::App* verb = app.add_subcommand("fuzz", "search for inputs on which a kernel fails, guided by the slack");
    add_options(*verb, *options);
    return {verb, [options](const std::string&) { return fuzz(*options); }, examples};
}

}  // namespace normcheck
