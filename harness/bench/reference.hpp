// The yardstick: what people check a kernel with instead of an oracle. Mean and variance in two passes of plain double,
// then the largest |y - reference| of the row; as fast as we could make it.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/check/guarded_tensor.hpp"
#include "oracles/contract.hpp"
#include "oracles/instruction_sets.hpp"
#include "oracles/judge.hpp"

namespace normcheck {

/// Rows of one contract and width under one gamma and beta.
class PlainReference {
  public:
    /// x and y of the contract must be of one format: f64, f32 or bf16; gamma must be multiplied in, and epsilon lie
    /// inside the root (InternalError otherwise). gamma and beta are cols codes, or null: ones and zeros.
    PlainReference(const Contract& contract, int64_t cols, const uint64_t* gamma, const uint64_t* beta,
                   InstructionSet set = best_instruction_set());

    /// The largest |y - reference| of a row of finite values: cols codes each, in their storage size. Not for two
    /// threads at a time.
    double largest_error(Codes x, Codes y);

  private:
    const Format& format_;
    int64_t cols_;
    double eps_;
    bool layer_;
    InstructionSet set_;
    std::vector<CacheLine> gamma_, beta_, kept_;  // doubles
};

}  // namespace normcheck
