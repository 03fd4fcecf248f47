// What `detect` found, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "harness/detect/detect.hpp"
#include "harness/kernels/faulty/faults.hpp"
#include "reports/layout.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// The kind of kernels from outside, which are examined as faults are.
constexpr char kind_outside = '-';

struct FaultRecord {
    const FaultInfo* fault = nullptr;
    Detection detection;
    std::string obeys;  // see obeyed_contract
};

struct DetectionReport {
    Context context;
    std::string engine;
    double seconds_per_fault = 0;
    std::vector<FaultRecord> faults;
    int64_t alarm_seeds = 0;  // with which correct kernels were run
    Report correct;           // what came of them
};

/// The faults, and kernels from outside, that were not caught; correct kernels that were accused, by kernel and format.
int64_t missed(const DetectionReport& report);
int64_t accused(const DetectionReport& report);

std::string fault_text(const FaultRecord& record, const Page& page);
std::string score_text(const DetectionReport& report, const Page& page);
/// A document with a newline at the end.
std::string detection_json(const DetectionReport& report);

}  // namespace normcheck
