// The last steps that several kernels share: normalise, scale, shift; each step one operation of the accumulator's
// format, on registers or single values.
#pragma once

#include "harness/kernels/cpu/row_program.hpp"

namespace normcheck {

/// ((x - mean) * rstd) * gamma + beta
struct ApplyCentred {
    static constexpr bool layer = true;
    static constexpr int absent_gamma = 1;
    template <class Y, class Values, class Float>
    static Values of(Values x, Values gamma, Values beta, const RowStatistics<Float>& statistics) {
        return (x - statistics.mean) * statistics.rstd * gamma + beta;
    }
};

/// (x * rstd) * gamma
struct ApplyScaled {
    static constexpr bool layer = false;
    static constexpr int absent_gamma = 1;
    template <class Y, class Values, class Float>
    static Values of(Values x, Values gamma, const RowStatistics<Float>& statistics) {
        return x * statistics.rstd * gamma;
    }
};

}  // namespace normcheck
