// Runs one kernel on one case and has the oracle judge what it returned. A kernel's failure is a result, never an
// exception.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/cases/case.hpp"
#include "harness/cases/make_inputs.hpp"
#include "oracles/contract.hpp"
#include "oracles/judge.hpp"

namespace normcheck {

/// Dense codes: rows * cols of y (format contract.y) and residual_out (format contract.x), rows of mean and rstd
/// (format contract.stats); empty where not asked for, and where the call was refused or has no elements.
struct Outputs {
    std::vector<uint64_t> y, residual_out, mean, rstd;
};

struct CallResult {
    std::optional<std::string> refusal;     // why the kernel does not take the call
    std::vector<std::string> broken_rules;  // by the call as a whole, each with its place: guards, inputs, environment
    bool returned = false;                  // else the call crashed, hung or threw, and there are no outputs
    Outputs outputs;
};

/// The contract of a case: the kernel's with the overrides laid over it, or the overrides alone where there is no
/// kernel. Throws InputError where they contradict each other.
Contract case_contract(const nc_kernel* kernel, const Case& c);

/// One call in guarded buffers and in the default floating-point environment. A format that the kernel does not take
/// and an aliasing that the contract does not allow are refused without a call. A kernel that may take its process with
/// it is called in a host process (harness/host).
CallResult call_kernel(const nc_kernel& kernel, const Case& c, const Contract& contract, const Inputs& inputs);

struct CaseResult {
    std::optional<std::string> refusal;
    std::vector<std::string> broken_rules;
    std::vector<RowResult> rows;  // one per row of the case; none where the call was refused or did not return
    Outputs outputs;
    Inputs inputs;
};

/// The call and the judgement of every row. Throws InputError as case_contract and make_inputs do.
CaseResult check_case(const nc_kernel& kernel, const Case& c, Oracle oracle = Oracle::certified);

/// The same on inputs that were made before; they must have the shapes and formats of the case and its contract.
CaseResult check_inputs(const nc_kernel& kernel, const Case& c, const Contract& contract, Inputs inputs, Oracle oracle);

/// What the oracle is given of row `row`. The pointers point into `inputs` and `outputs`.
RowInputs row_inputs(const Inputs& inputs, int64_t cols, int64_t row);
RowOutputs row_outputs(const Outputs& outputs, int64_t cols, int64_t row);

/// The judge of a case's rows.
Judge make_judge(const Contract& contract, int64_t cols, const Inputs& inputs);

}  // namespace normcheck
