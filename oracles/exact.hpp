// The exact oracle: the contract's target on one row, with every real step exact and every named rounding correct.
// Each stretch between two roundings is A / (sqrt(R) + k) + b with dyadic A, R, k, b, and is decided in integers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "oracles/contract.hpp"

namespace normcheck {

/// The target of one row. Inputs are codes: x and residual in contract.x, gamma and beta in contract.params; null where
/// absent. Requires cols >= 1, finite inputs, and a denominator that is not 0 (throws InternalError otherwise).
class ExactRow {
  public:
    ExactRow(const Contract& contract, int64_t cols, const uint64_t* x, const uint64_t* residual, const uint64_t* gamma,
             const uint64_t* beta);
    ~ExactRow();

    /// Element i of y: named roundings to nearest even, the last rounding, to format y, by `mode` (overflow rule
    /// applied for nearest_even only: saturate gives the largest finite value).
    uint64_t y(int64_t i, RoundingMode mode = RoundingMode::nearest_even) const;
    /// The statistics rounded to format stats: the row's mean (layer), and 1 / denominator of the contract.
    uint64_t mean(RoundingMode mode = RoundingMode::nearest_even) const;
    uint64_t rstd(RoundingMode mode = RoundingMode::nearest_even) const;
    /// x + residual rounded to format x.
    uint64_t residual_out(int64_t i) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace normcheck
