// The second oracle: a contract's target on one row, computed as the straight-line program that it is, in MPFR
// intervals. Exists so that the first (exact.hpp, integers and one radical) is judged by something that shares no code
// with it.
//
// Precision: 512 bits first; where a rounding is not decided there, 4096 bits, or 8192 where a format is f64. Intervals
// are rounded outward at every step, so what 512 bits decide is decided. At the last precision a value whose interval
// touches a boundary of rounding, and is narrower than 2^-(precision/2) of the format's spacing there, counts as lying
// on it. That is an assumption and not a proof: a value nearer than that to a midpoint without being one would be
// rounded as a tie.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "oracles/contract.hpp"

namespace normcheck::twin {

/// One value rounded in every mode: codes, indexed by RoundingMode.
using Roundings = std::array<uint64_t, 3>;

/// One row of inputs as codes: x and residual in contract.x, gamma and beta in contract.params; null where absent.
struct Inputs {
    int64_t cols = 0;
    const uint64_t* x = nullptr;
    const uint64_t* residual = nullptr;
    const uint64_t* gamma = nullptr;
    const uint64_t* beta = nullptr;
};

/// The target of one row of finite inputs, cols >= 1. Contract and inputs must outlive it.
class MpfrTwin {
  public:
    MpfrTwin(const Contract& contract, const Inputs& inputs);
    ~MpfrTwin();

    /// False where the denominator is 0: then there is no target, and rstd and y may not be asked for.
    bool defined() const;
    /// False where what the whole row uses is infinite after a named rounding (the sum with the residual, which must
    /// also fit f64; an effective gamma; a statistic). Requires defined().
    bool finite() const;
    /// False where an intermediate of the element is infinite after a named rounding. Requires finite().
    bool finite_at(int64_t i) const;
    Roundings y(int64_t i) const;
    Roundings mean() const;
    Roundings rstd() const;
    /// x + residual rounded to format x.
    uint64_t residual_out(int64_t i) const;
    /// How far the unrounded y(i) lies below (positive) or above the midpoint of the two values of format y around it;
    /// 0 where it is beyond the largest finite value. Rounded to a double.
    double gap_to_midpoint(int64_t i) const;
    /// The highest precision in bits that was needed so far.
    long precision_used() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace normcheck::twin
