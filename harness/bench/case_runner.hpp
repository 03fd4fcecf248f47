// Whole cases at the pace of a fuzzer: one row each, drawn from a seed of its own, in memory that is kept from case to
// case. A case gets what check_case gives it, with narrower guards: the 64 bytes on either side of every output.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/check/call_buffers.hpp"
#include "oracles/judge.hpp"

namespace normcheck {

/// One thread's memory for cases of one kernel, format and width.
class CaseRunner {
  public:
    /// Gaussian rows of `cols` columns with random gamma and beta: the case `kernel=... x=... cols=... seed=...`.
    CaseRunner(const nc_kernel& kernel, FormatId format, int64_t cols);

    /// The case with this seed from start to end. Throws InputError where the kernel refuses it or breaks a rule.
    RowResult run(uint64_t seed);

    /// The steps of which run consists, in order.
    void make(uint64_t seed);  // x, gamma and beta, in the buffers
    void call();               // the kernel
    void prepare();            // the judge under this gamma and beta
    RowResult judge();

    const Case& described() const { return case_; }

    CaseRunner(const CaseRunner&) = delete;
    CaseRunner& operator=(const CaseRunner&) = delete;

  private:
    struct Input {
        GuardedTensor* tensor;
        const std::vector<uint64_t>* codes;
    };
    struct Output {
        GuardedTensor* tensor;
        CacheLine before, behind;  // as they were made
    };
    const char* broken_rule() const;

    const nc_kernel& kernel_;
    Case case_;
    Contract contract_;
    bool random_;
    Inputs drawn_;
    CallBuffers buffers_;
    nc_call call_;
    Judge judge_;
    std::vector<Input> inputs_;  // those that the call has
    std::vector<Output> outputs_;
};

}  // namespace normcheck
