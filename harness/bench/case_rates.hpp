// `bench sweep`: whole cases per second on one core, where their time goes, and rows per second of exhaustive sweeps.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/measure.hpp"
#include "oracles/format.hpp"
#include "reports/layout.hpp"
#include "reports/record.hpp"

namespace normcheck {

struct CaseRate {
    std::string kernel;
    FormatId format = FormatId::f32;
    int64_t cols = 0;
    double wanted = 0;  // cases per second
    Timing whole;       // per case, all steps
    Timing make, call, prepare, judge;

    double per_second() const { return 1 / whole.seconds; }
    bool met() const { return per_second() >= wanted; }
};

/// cpu/rms and cpu/layer_two_pass by f32 and bf16 by 16 and 1024 columns.
std::vector<CaseRate> measure_case_rates(const MeasureOptions& options);

/// The pace of an exhaustive sweep, taken on parts of its domain.
struct SweepRate {
    std::string kernel;
    std::string domain;  // as in "f16, 2 columns"
    uint64_t rows = 0;   // that a whole sweep runs: one of each orbit of its symmetries
    Timing per_row;

    double per_second() const { return 1 / per_row.seconds; }
    double whole_seconds() const { return static_cast<double>(rows) * per_row.seconds; }
};

/// One column of f32 and two columns of f16, cpu/rms and cpu/layer_two_pass.
std::vector<SweepRate> measure_sweep_rates(const MeasureOptions& options);

struct SweepBench {
    std::vector<CaseRate> cases;
    std::vector<SweepRate> sweeps;
};
/// `judged`: whether the rates are held to what is wanted.
std::string sweep_bench_text(const SweepBench& bench, bool judged, const Page& page);
nlohmann::json sweep_bench_json(const SweepBench& bench, const Context& context);

}  // namespace normcheck
