// Whether two kernels give the same bits on the same cases, as a kernel on a device and under the device model should.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "harness/check/run_plan.hpp"

namespace normcheck {

struct BitComparison {
    int64_t outputs = 0;    // codes of y, residual_out, mean and rstd; NaNs are alike
    int64_t differing = 0;  // of them; beside, a refusal and each output that one kernel alone gives count 1
    std::string first;      // the line of the first case of the job that differs; empty where none does
};

/// Both kernels on every case of the job, whose own kernel is not called.
BitComparison compare_bits(const nc_kernel& a, const nc_kernel& b, const Job& job, int threads);

}  // namespace normcheck
