// The loop over cases. Every thread gathers into a report of its own; merging does not depend on the order, so neither
// does the result.
#include "harness/check/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "harness/check/abi_format.hpp"
#include "harness/check/case_loop.hpp"
#include "harness/check/check.hpp"
#include "harness/check/float_environment.hpp"
#include "harness/check/row_findings.hpp"
#include "harness/io/bytes.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"
#include "reports/baseline.hpp"
#include "reports/collect.hpp"
#include "reports/finding_order.hpp"

namespace normcheck {
namespace {

using Clock = std::chrono::steady_clock;

/// One case of the run with its place.
struct Task {
    const Job* job;
    const Case* c;
    int64_t index;
};

std::vector<Task> tasks_of(std::span<const Job> jobs) {
    std::vector<Task> tasks;
    for (const Job& job : jobs)
        for (const Case& c : job.cases) tasks.push_back({&job, &c, std::ssize(tasks)});
    return tasks;
}

std::string contract_text(const Job& job) {
    return print(parse_contract(laid_over(job.kernel->contract, fmt::format("x={}", format(job.format).name))));
}

/// The record of a job, which empty_report has made.
KernelReport& report_of(Report& report, const Job& job) {
    return kernel_report(report, job.kernel->name, job.format, "");
}

/// A digest of the cases without the kernel's name: two kernels may have the same inputs.
std::string inputs_of(const Job& job) {
    std::string lines;
    for (Case c : job.cases) {
        c.kernel.clear();
        lines += print(c) + '\n';
    }
    return fmt::format("{:016x}", digest(lines));
}

Case witness_case(const KernelReport& record, const std::string& line) {
    try {
        Case c = parse_case(line);
        c.kernel = record.kernel;
        return c;
    } catch (const InputError& error) {
        throw InputError(
            fmt::format("a witness of {} {} is no case: {}", record.kernel, format(record.format).name, error.what()));
    }
}

/// A report with every kernel in order and nothing gathered.
Report empty_report(std::span<const Job> jobs, const RunOptions& options) {
    Report report;
    report.finding_cap = options.finding_cap;
    for (const Job& job : jobs)
        kernel_report(report, job.kernel->name, job.format, contract_text(job)).inputs = inputs_of(job);
    return report;
}

Finding finding_of(const Task& task, const std::string& line) {
    Finding finding;
    finding.kernel = task.job->kernel->name;
    finding.format = task.job->format;
    finding.case_line = line;
    finding.case_index = task.index;
    return finding;
}

void add_broken_rules(Report& report, KernelReport& kernel, const CaseResult& result, const Finding& blank) {
    for (const std::string& rule : result.broken_rules) {
        add_broken_rule(kernel, rule_without_place(rule));
        Finding finding = blank;
        finding.reason = rule;
        add_finding(report, std::move(finding));
    }
}

/// Only findings that may be kept are given numbers: of those alike, the ones of earlier rows of the case come first.
void add_row_findings(Report& report, const Task& task, const CaseResult& result, const Finding& blank) {
    const Contract contract = case_contract(task.job->kernel, *task.c);
    std::optional<Judge> judge;
    std::map<std::string, int64_t> alike;
    for (int64_t row = 0; row < std::ssize(result.rows); ++row) {
        const RowResult& judged = result.rows[static_cast<size_t>(row)];
        if (judged.verdict != Verdict::fail && judged.verdict != Verdict::suspect) continue;
        if (!judge) judge = make_judge(contract, task.c->cols, result.inputs);
        Finding finding = blank;
        describe_row(finding, *judge, contract, result, task.c->cols, row, alike[judged.reason]++ < report.finding_cap);
        add_finding(report, std::move(finding));
    }
}

void gather(Report& report, const Task& task, const CaseResult& result) {
    KernelReport& kernel = report_of(report, *task.job);
    const std::string line = print(*task.c);
    const Finding blank = finding_of(task, line);
    if (result.refusal) add_refusal(kernel, *result.refusal);
    if (!result.refusal) add_case(kernel);
    for (int64_t row = 0; row < std::ssize(result.rows); ++row)
        add_row(kernel, result.rows[static_cast<size_t>(row)], line, task.index, row);
    add_broken_rules(report, kernel, result, blank);
    add_row_findings(report, task, result, blank);
}

void run_task(Report& report, const Task& task, const RunOptions& options) {
    const DefaultFloatEnvironment environment;
    gather(report, task, check_case(*task.job->kernel, *task.c, options.oracle));
    if (options.after_case) options.after_case(report, *task.job, *task.c, task.index);
}

/// One run: what the threads share.
struct Run {
    const std::vector<Task>& tasks;
    const RunOptions& options;
    Clock::time_point begin = Clock::now();
    FirstException exception{};
    std::mutex progress{};
    int64_t done = 0;
    std::atomic<bool> failed = false;                             // and that ends the run
    std::vector<char> skipped = std::vector<char>(tasks.size());  // by task; a char each, so threads do not collide

    bool is_late() const {
        const std::chrono::duration<double> passed = Clock::now() - begin;
        return options.time_limit_seconds > 0 && passed.count() > options.time_limit_seconds;
    }
    bool is_over() const { return failed || is_late() || (options.is_interrupted && options.is_interrupted()); }
    void tell_progress() {
        const std::lock_guard lock(progress);
        ++done;
        if (options.progress) options.progress(done, std::ssize(tasks));
    }
};

bool has_failure(const Report& report) {
    return std::ranges::any_of(report.findings, [](const Finding& one) { return one.verdict == Verdict::fail; });
}

void step(Run& run, Report& report, const Task& task) {
    if (run.exception.is_before(task.index)) return;
    try {
        if (run.is_over()) {
            run.skipped[static_cast<size_t>(task.index)] = 1;
        } else {
            run_task(report, task, run.options);
            if (run.options.stop_at_failure && has_failure(report)) run.failed = true;
        }
        run.tell_progress();
    } catch (...) {
        run.exception.keep(task.index, with_case_line(*task.c));
    }
}

void run_all(Run& run, Report& report, const Report& empty) {
    const NestedParallelism nested;
    const DefaultFloatEnvironment environment;  // threads that are made here take it over
    const int64_t number = std::ssize(run.tasks);
#pragma omp parallel num_threads(std::max(run.options.threads, 1))
    {
        Report part = empty;
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < number; ++i) step(run, part, run.tasks[static_cast<size_t>(i)]);
#pragma omp critical(normcheck_run_plan)
        merge(report, std::move(part));
    }
    run.exception.rethrow();
}

void count_skipped(Report& report, const Run& run) {
    for (const Task& task : run.tasks)
        report_of(report, *task.job).skipped_cases += run.skipped[static_cast<size_t>(task.index)];
}

}  // namespace

std::vector<Job> planned_jobs(const nc_kernel& kernel, const PlanOptions& narrowed) {
    std::vector<Job> jobs;
    PlanOptions options = narrowed;
    for (const FormatId id : narrowed.formats.empty() ? formats_of(kernel) : narrowed.formats) {
        options.formats = {id};
        options.tall = jobs.empty();
        jobs.push_back({&kernel, plan(kernel.name, parse_contract(kernel.contract), options), id});
    }
    return jobs;
}

Report run_plan(std::span<const Job> jobs, const RunOptions& options) {
    const std::vector<Task> tasks = tasks_of(jobs);
    const Report empty = empty_report(jobs, options);
    Report report = empty;
    Run run{tasks, options};
    run_all(run, report, empty);
    count_skipped(report, run);
    return report;
}

std::vector<KernelReport> rerun_witnesses(std::span<const KernelReport> records, const RunOptions& options) {
    std::vector<Job> jobs;
    for (const KernelReport& record : records) {
        const nc_kernel* kernel = find_kernel(record.kernel);
        const std::vector<std::string> lines = witnesses_of(record);
        if (!kernel || lines.empty()) continue;
        Job job{kernel, {}, record.format};
        for (const std::string& line : lines) job.cases.push_back(witness_case(record, line));
        jobs.push_back(std::move(job));
    }
    return run_plan(jobs, options).kernels;
}

}  // namespace normcheck
