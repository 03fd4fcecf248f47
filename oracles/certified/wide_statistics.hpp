// Mean and reciprocal root of one row to about a hundred bits, for contracts with f64.
#pragma once

#include <optional>
#include <span>

#include "oracles/certified/double_double.hpp"
#include "oracles/contract.hpp"

namespace normcheck::certified {

struct WideStatistics {
    DoubleDouble mean;  // 0 under rms
    DoubleDouble rstd;
    double mean_error = 0;     // absolute
    double rstd_relative = 0;  // relative error of rstd
};

/// Of the row's values; nothing where they, eps or the results leave the range of the arithmetic.
std::optional<WideStatistics> wide_statistics(const Contract& contract, std::span<const double> values);

}  // namespace normcheck::certified
