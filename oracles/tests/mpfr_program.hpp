// A contract as a straight-line program of interval steps and named roundings, at one precision.
#pragma once

#include <optional>
#include <vector>

#include "oracles/contract.hpp"
#include "oracles/tests/mpfr_decide.hpp"

namespace normcheck::twin {

/// The program at one precision: statistics when built, elements on demand.
class Program {
  public:
    Program(const Contract& contract, const Inputs& inputs, Effort effort);

    bool defined() const { return defined_; }
    bool finite() const;
    bool finite_at(int64_t i) const;
    Roundings y(int64_t i) const;
    Roundings mean() const { return decide_all(mean_, contract_.stats, effort_); }
    Roundings rstd() const { return decide_all(reciprocal(), contract_.stats, effort_); }
    uint64_t residual_out(int64_t i) const;
    double gap_to_midpoint(int64_t i) const { return gap(contract_.y, unrounded(i)); }

  private:
    Interval number(double value) const { return interval(value, effort_.bits); }
    Interval count() const { return number(static_cast<double>(inputs_.cols)); }
    Interval eps() const { return number(contract_.eps.value); }
    Interval rounded(const Interval& a, FormatId format) const;
    Interval named(Point point, const Interval& a) const;
    Interval wide_sum(int64_t i) const;
    Interval element(int64_t i) const;
    Interval mean_of_elements() const;
    Interval mean_square_from(const Interval& centre) const;
    Interval variance() const;
    Interval radicand(const Interval& variance) const;
    Interval denominator() const;
    Interval reciprocal() const;
    Interval over_denominator(const Interval& a) const;
    Interval centred(int64_t i) const;
    Interval normalised(int64_t i) const;
    Interval gamma(int64_t i) const;
    Interval scaled(int64_t i) const;
    Interval unrounded(int64_t i) const;

    const Contract& contract_;
    const Inputs& inputs_;
    Effort effort_;
    std::vector<Interval> elements_;
    Interval true_mean_;
    Interval mean_;
    Interval denominator_;
    bool defined_ = true;
    std::optional<Interval> stored_rstd_;
    std::optional<Interval> stored_shift_;
};

}  // namespace normcheck::twin
