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
template <class A>
struct BasicLoss {
    using Upper = typename A::Upper;
    Upper mean_error;     // |e|
    Upper gap;            // how far the exact reciprocal may be off because of e: 1 / D(v) - 1 / D(v + e^2)
    Upper mean_term;      // |e| * reciprocal, with the reciprocal that belongs to e
    Upper rstd_relative;  // relative error of the computed reciprocal beyond the gap
    Upper reciprocal;     // 1 / D(v), from above
};
using Loss = BasicLoss<Exact>;

/// The mean: mean_number / mean_scale, or mean_centre + mean_rest.
template <class A>
struct MeanOf {
    Dyadic mean_number;
    Dyadic mean_scale = dyadic_integer(1);
};
template <>
struct MeanOf<Certified> {
    double mean_centre = 0;
    Near mean_rest;
};

/// rstd = rstd_number / (sqrt(radicand) + offset); shift is stored, or nothing.
template <class A>
struct BasicScenario : MeanOf<A> {
    typename A::Real rstd_number = A::integer(1);
    typename A::Real radicand;
    typename A::Real offset;
    std::optional<typename A::Real> shift;
    BasicLoss<A> loss;
};
using Scenario = BasicScenario<Exact>;
using NearScenario = BasicScenario<Certified>;

/// Error of the inputs themselves: a wide residual sum rounds in the accumulator, flushed inputs vanish.
template <class A>
struct BasicInputLoss {
    typename A::Upper mean;  // mean of the |errors|
    typename A::Upper root_mean_square;
};
using InputLoss = BasicInputLoss<Exact>;

/// Statistics stored so coarsely, or bounded so weakly, that their admissible values are not listed one by one: a row
/// is admissible where one stored rstd of this range, with one stored shift or mean beside it, gives all of its
/// outputs.
struct StoredSearch {
    int64_t lowest_rstd = 0;  // ranks in the format that rstd is stored in
    int64_t highest_rstd = 0;
    Upper mean_error;  // of the mean, its own storing included
    Upper roundoff;    // of the coarsest format on the way to shift
};

template <class A>
struct BasicRowProgram {
    std::vector<BasicScenario<A>> scenarios;  // empty where the row is outside
    std::optional<StoredSearch> search;       // then scenarios holds the target's alone
    const char* outside = nullptr;            // why the contract promises nothing here
    typename A::Real spread;                  // exact variance (rms: mean square) = spread / n^2, about the exact mean
};
using RowProgram = BasicRowProgram<Exact>;

/// Builds the program of a row of finite values. `probabilistic` bounds hold with high probability only.
/// With target_only the bounds are skipped: one scenario, never outside but for a zero denominator.
/// Enclosed sums throw Undecided where they are too wide, or a search would be needed.
struct ProgramOptions {
    bool target_only = false;
    bool probabilistic = false;
};
RowProgram row_program(const Contract& contract, const RowSums& sums, const InputLoss& input_loss,
                       const ProgramOptions& options);
BasicRowProgram<Certified> row_program(const Contract& contract, const NearSums& sums,
                                       const BasicInputLoss<Certified>& input_loss, const ProgramOptions& options);

Stretch mean_stretch(const Scenario& scenario);
BasicStretch<Near> mean_stretch(const NearScenario& scenario);
/// -mean * rstd.
Stretch shift_stretch(const Scenario& scenario);
BasicStretch<Near> shift_stretch(const NearScenario& scenario);
template <class A>
BasicStretch<typename A::Real> rstd_stretch(const BasicScenario<A>& s) {
    return {s.rstd_number, s.radicand, s.offset, {}};
}
/// What a correct kernel may lose on rstd, absolute.
template <class A>
typename A::Upper rstd_loss(const BasicScenario<A>& s) {
    return s.loss.gap + s.loss.rstd_relative * s.loss.reciprocal;
}

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
RankRange round_range(const Format& format, const BasicStretch<Near>& exact, Bound loss);

/// The stored values to go on with: all of the range, target first, or, where they are more than `limit`, the target's
/// value alone with the width of the range as its error.
template <class A>
struct StoredValue {
    typename A::Real value;
    typename A::Upper error;
};
template <class A>
std::vector<StoredValue<A>> stored_values(const Format& format, const RankRange& range, unsigned limit);

}  // namespace normcheck
