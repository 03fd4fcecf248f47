// What every loop over cases on several threads needs beside its own work.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>

#include "harness/cases/case.hpp"

namespace normcheck {

/// What kernels do to nested parallelism is set for the run and put back after it.
class NestedParallelism {
  public:
    NestedParallelism() : found_(omp_get_max_active_levels()) { omp_set_max_active_levels(std::max(found_, 2)); }
    ~NestedParallelism() { omp_set_max_active_levels(found_); }
    NestedParallelism(const NestedParallelism&) = delete;
    NestedParallelism& operator=(const NestedParallelism&) = delete;

  private:
    int found_;
};

/// The exception of the earliest case that threw; later cases are not begun, earlier ones are, so that it is always the
/// same one.
class FirstException {
  public:
    bool is_before(int64_t index) {
        const std::lock_guard lock(mutex_);
        return index_ < index;
    }
    void keep(int64_t index, std::exception_ptr exception) {
        const std::lock_guard lock(mutex_);
        if (index_ < index) return;
        index_ = index;
        exception_ = std::move(exception);
    }
    void rethrow() const {
        if (exception_) std::rethrow_exception(exception_);
    }

  private:
    std::mutex mutex_;
    int64_t index_ = std::numeric_limits<int64_t>::max();
    std::exception_ptr exception_;
};

/// The exception being handled, with the case's line where it is one of ours.
std::exception_ptr with_case_line(const Case& c);

}  // namespace normcheck
