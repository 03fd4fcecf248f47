// Runs many cases of many kernels in parallel and gathers everything into one report, which does not depend on the
// number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/cases/case.hpp"
#include "harness/cases/plan.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// The cases of one kernel whose x has one format.
struct Job {
    const nc_kernel* kernel = nullptr;
    std::vector<Case> cases;
    FormatId format = FormatId::f32;
};

/// The cases that `verify` runs, one job per format: those of `narrowed`, or where it names none, all formats of x that
/// the kernel takes. Throws InputError on a bad fill or eps.
std::vector<Job> planned_jobs(const nc_kernel& kernel, const PlanOptions& narrowed);

/// Asks more of a case that ran, with its index, and adds it to the report. Called on the thread of the case.
using AfterCase = std::function<void(Report& report, const Job& job, const Case& c, int64_t index)>;

struct RunOptions {
    int threads = 1;           // cases that run at a time; each call takes the threads of its case beside
    int64_t finding_cap = 10;  // findings kept per kernel and format
    Oracle oracle = Oracle::certified;
    double time_limit_seconds = 0;  // after it no case is begun; those left are counted as skipped. 0: no limit
    bool stop_at_failure = false;   // no case is begun after one that failed or broke a rule; those left are skipped
    /// No case is begun once this is true; those left are counted as skipped.
    std::function<bool()> is_interrupted = {};
    AfterCase after_case = {};
    /// Called after every case, by one thread at a time, with the cases done or skipped so far and their total number.
    std::function<void(int64_t done, int64_t total)> progress = {};
};

/// The report of all jobs in order; its context and `strict` are left to the caller. A case's index counts over all
/// jobs. Every failing or suspect row and every broken rule becomes a finding. Throws what the first case that threw
/// has thrown, with its line: InputError for a case that makes no sense, InternalError for a defect of ours.
Report run_plan(std::span<const Job> jobs, const RunOptions& options);

/// What the witnesses of these records give now: a record with the cells of their cases, for each whose kernel there
/// is. Throws InputError naming a witness that is no case.
std::vector<KernelReport> rerun_witnesses(std::span<const KernelReport> records, const RunOptions& options);

}  // namespace normcheck
