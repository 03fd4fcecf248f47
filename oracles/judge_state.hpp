// The insides of the judge, shared by its source files.
#pragma once

#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "oracles/element.hpp"
#include "oracles/judge.hpp"
#include "oracles/row.hpp"

namespace normcheck {

struct Judge::State {
    Contract contract;
    int64_t cols;
    Parameters parameters;
    std::vector<Place> places;  // where elements are rounded before y
};

using JudgeState = Judge::State;

/// The elements of a row under one scenario, as ranks of rounded values. Enclosures throw Undecided where they are too
/// wide to give a rank.
template <class A>
class BasicElements {
  public:
    using Upper = typename A::Upper;

    BasicElements(const JudgeState& state, const BasicScenario<A>& scenario, std::span<const typename A::Value> s,
                  std::span<const Upper> input_loss);

    /// The target of y: the held value at which its last stretch starts when every rounding before is the correct one,
    /// that stretch, and the rank of its rounding with the overflow rule applied.
    struct Target {
        Held held;
        Approximation exact;
        int64_t rank = 0;
    };
    Target target(int64_t i) const;
    /// A held value that a correct kernel may have before the last stretch; `error` is the half width of an interval
    /// where it stands for more values than are tried one by one.
    struct Path {
        Held held;
        Upper error;
    };
    /// All of them, the target's first; kept until another element's are asked for.
    const std::vector<Path>& paths(int64_t i) const;
    /// Ranks of y that are admissible on one path.
    RankRange y_range(const Path& path, int64_t i) const;
    Upper y_loss(const Path& path, int64_t i) const;
    bool admissible(int64_t i, int64_t got_rank) const;
    /// Hull of y_range over all paths.
    RankRange y_hull(int64_t i) const;
    /// Half width of the admissible set before the last rounding.
    Upper half_width(int64_t i) const;
    /// Sign of the normalised value (0: exactly zero), nothing where a correct kernel may have either.
    std::optional<int> normed_sign(int64_t i) const;

    const ProgramOf<A>& program() const { return program_; }
    ProgramOf<A>& program() { return program_; }

  protected:
    RankRange range(Place place, const Held& held, int64_t i, Upper loss) const;
    RankRange range(Place place, const Held& held, int64_t i, Upper loss, const Approximation& near) const;
    RankRange y_range(const Path& path, int64_t i, Upper loss, const Approximation& near) const;
    bool holds(const Path& path, int64_t i, int64_t got_rank, double got) const;
    int64_t rounded(Place place, const Held& held, int64_t i, const Approximation& near, double delta) const;
    int64_t limited(int64_t rank) const;
    RankRange flushed(RankRange range) const;

    const JudgeState& state_;
    ProgramOf<A> program_;
    const Format& y_format_;

  private:
    mutable int64_t paths_of_ = -1;
    mutable std::vector<Path> paths_, next_paths_;
};

class Elements : public BasicElements<Exact> {
  public:
    Elements(const JudgeState& state, const Row& row, const Scenario& scenario)
        : BasicElements(state, scenario, row.s, row.input_loss) {}
};
using NearElements = BasicElements<Certified>;

/// Errors, slack and the ratio to eps are stated to 11 significant bits, ties away from 0, so that both oracles state
/// the same: the certified one knows them to many more.
inline double stated(double value) {
    constexpr int dropped = 53 - 11;
    if (!std::isfinite(value)) return value;
    const uint64_t code = std::bit_cast<uint64_t>(value) + (uint64_t{1} << (dropped - 1));
    return std::bit_cast<double>(code >> dropped << dropped);
}
/// |got - exact| - half an ulp, without losing what a near tie leaves of it: got - exact.hi is exact there.
inline double beyond_half(const Approximation& exact, double got, double half_ulp) {
    const double distance = got - exact.hi;
    const double rest = distance < 0 || (distance == 0 && exact.lo > 0) ? exact.lo : -exact.lo;
    return (std::fabs(distance) - half_ulp) + rest;
}
/// Stated to a 256th, for logarithms.
inline double stated_log2(double value) {
    return std::isfinite(value) ? std::round(value * 256) / 256 + 0.0 : value;
}

/// Why the row is outside; nothing where it is not. range=acc: products of the element's program that may overflow the
/// accumulator are not promised.
template <class A>
const char* outside_reason(const JudgeState& state, const SumsOf<A>& sums, const BasicRowProgram<A>& program);

/// Trivial: every element may be off by as much as the row's largest normalised value, and by half its unit at least.
template <class A>
bool is_trivial(const JudgeState& state, const ElementLoss<A>& elements, const BasicLoss<A>& loss);

/// Whether the saved value may be the statistic that `stretch` gives in one of the scenarios.
template <class A>
bool statistic_is_admissible(const Format& format, uint64_t got, const std::vector<BasicScenario<A>>& scenarios,
                             auto stretch, auto loss) {
    if (is_nan(format, got)) return false;
    for (const BasicScenario<A>& scenario : scenarios) {
        const RankRange range = round_range(format, stretch(scenario), loss(scenario));
        if (range.lowest <= rank(format, got) && rank(format, got) <= range.highest) return true;
    }
    return false;
}
constexpr const char* wrong_mean = "the saved mean is outside its admissible set";
constexpr const char* wrong_rstd = "the saved rstd is outside its admissible set";
constexpr const char* wrong_y = "y is outside its admissible set";
constexpr const char* wrong_nan = "NaN where a number is due";
constexpr const char* trivial_reason = "every output of this size is admissible: the bound is as wide as the outputs";
constexpr const char* suspect_reason = "admissible, but beyond the probabilistic bound";
/// Shorter rows are not asked for the probabilistic bound: 9 sqrt(n) is no less than n.
constexpr int64_t shortest_probable = 82;

/// One row with finite values, judged exactly.
class RowJudgement {
  public:
    RowJudgement(const JudgeState& state, const Row& row, const RowOutputs& outputs, const JudgeOptions& options)
        : state_(state), row_(row), outputs_(outputs), options_(options), y_(format(state.contract.y)) {}
    RowResult run();

  private:
    void promise_nothing(std::string reason);
    void measure(const Elements& elements);
    void measure_element(const Elements& elements, int64_t i);
    void judge_elements(const Elements& elements);
    void judge_pair(const RowProgram& program);
    void try_other_scenarios(const RowProgram& program);
    Upper searched_rstd_loss(const RowProgram& program, const Scenario& target) const;
    bool all_admissible(const Elements& elements) const;
    double distance_bits(const Elements& elements) const;
    void summarize_errors();
    void judge_statistics(const RowProgram& program);
    void judge_residual_out();
    void fail(int64_t i, std::string reason);
    void ask_probability();
    void place(const Dyadic& spread);

    const JudgeState& state_;
    const Row& row_;
    const RowOutputs& outputs_;
    const JudgeOptions& options_;
    const Format& y_;
    RowResult result_;
    std::vector<double> exact_, error_;  // of y: nearest double to the target, |got - target|
    bool special_failed_ = false;        // an element with a non-finite gamma or beta is wrong under every scenario
    struct Inexact {
        int64_t index;
        double beyond;  // of the error, past half an ulp
    };
    std::vector<Inexact> inexact_;  // elements that are not correctly rounded
};

/// Rows with NaN or Inf, and elements with a non-finite gamma or beta.
RowResult judge_special(const JudgeState& state, const Row& row, const RowOutputs& outputs);
struct SpecialTarget {
    bool plain = false;        // an ordinary element, judged as such
    uint64_t code = 0;         // else this value (any NaN for NaN)
    bool or_nan = false;       // or NaN
    bool or_opposite = false;  // or the same with the other sign
};
SpecialTarget special_target(const JudgeState& state, const Row& row, int64_t i);
/// What a non-finite gamma or beta makes of an element. `normed_sign` is asked for the sign of its normalised value
/// (nothing: not known) where that matters.
SpecialTarget special_parameter(const JudgeState& state, int64_t i,
                                const std::function<std::optional<int>()>& normed_sign);
constexpr const char* wrong_special = "a non-finite gamma or beta must act on its element as IEEE arithmetic does";
constexpr const char* wrong_residual_out = "residual_out is not x + residual rounded once";
bool residual_out_is_right(const Contract& contract, const Row& row, const RowOutputs& outputs);
/// Bits it takes to state a value that is `distance` representable values from a known one.
inline double bits_of(double distance) {
    return std::log2(1 + 2 * std::fabs(distance));
}
/// Whether gamma and beta of element i are finite.
bool is_plain(const JudgeState& state, int64_t i);
bool matches(const Format& format, const SpecialTarget& target, uint64_t got);

}  // namespace normcheck
