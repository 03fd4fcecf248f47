// The row-level part of a contract's program: mean, spread and reciprocal root of one row, exact, beside what a correct
// kernel may have lost by then. A scenario fixes one admissible value for each statistic that the contract stores in a
// narrow format; the first one is the target's (every rounding correct).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracles/loss.hpp"
#include "oracles/stretch.hpp"

namespace normcheck {

/// Bounds that go with a scenario. e is the unknown error of the mean, D the denominator as a function of the variance.
struct Loss {
    Upper mean_error;     // |e|
    Upper gap;            // how far the exact reciprocal may be off because of e: 1 / D(v) - 1 / D(v + e^2)
    Upper mean_term;      // |e| * reciprocal, with the reciprocal that belongs to e
    Upper rstd_relative;  // relative error of the computed reciprocal beyond the gap
    Upper reciprocal;     // 1 / D(v), from above
};

/// mean = mean_number / mean_scale; rstd = rstd_number / (sqrt(radicand) + offset); shift is stored, or nothing.
struct Scenario {
    Dyadic mean_number;
    Dyadic mean_scale = dyadic_integer(1);
    Dyadic rstd_number = dyadic_integer(1);
    Dyadic radicand;
    Dyadic offset;
    std::optional<Dyadic> shift;
    Loss loss;
};

/// Error of the inputs themselves: a wide residual sum rounds in the accumulator, flushed inputs vanish.
struct InputLoss {
    Upper mean;  // mean of the |errors|
    Upper root_mean_square;
};

/// Statistics stored so coarsely, or bounded so weakly, that their admissible values are not listed one by one: a row
/// is admissible where one stored rstd of this range, with one stored shift or mean beside it, gives all of its
/// outputs.
struct StoredSearch {
    int64_t lowest_rstd = 0;  // ranks in the format that rstd is stored in
    int64_t highest_rstd = 0;
    Upper mean_error;  // of the mean, its own storing included
    Upper roundoff;    // of the coarsest format on the way to shift
};

struct RowProgram {
    std::vector<Scenario> scenarios;     // empty where the row is outside
    std::optional<StoredSearch> search;  // then scenarios holds the target's alone
    std::string outside;                 // why the contract promises nothing here
    Dyadic spread;                       // exact variance (rms: mean square) = spread / n^2, about the exact mean
};

/// Builds the program of a row of finite values. `probabilistic` bounds hold with high probability only.
/// With target_only the bounds are skipped: one scenario, never outside but for a zero denominator.
struct ProgramOptions {
    bool target_only = false;
    bool probabilistic = false;
};
RowProgram row_program(const Contract& contract, const RowSums& sums, const InputLoss& input_loss,
                       const ProgramOptions& options);

Stretch mean_stretch(const Scenario& scenario);
Stretch rstd_stretch(const Scenario& scenario);
/// What a correct kernel may lose on rstd, absolute.
Upper rstd_loss(const Scenario& scenario);

/// The values of a format that a stretch with an absolute loss may round to: ranks, lowest <= target <= highest.
struct RankRange {
    int64_t lowest = 0;
    int64_t target = 0;
    int64_t highest = 0;
};
/// highest - lowest, which may exceed int64_t.
inline uint64_t width(const RankRange& range) {
    return static_cast<uint64_t>(range.highest) - static_cast<uint64_t>(range.lowest);
}
RankRange round_range(const Format& format, const Stretch& exact, Upper loss);

/// The stored values to go on with: all of the range, target first, or, where they are more than `limit`, the target's
/// value alone with the width of the range as its error.
struct StoredValue {
    Dyadic value;
    Upper error;
};
std::vector<StoredValue> stored_values(const Format& format, const RankRange& range, unsigned limit);

}  // namespace normcheck
