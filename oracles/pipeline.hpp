// The statistics of a contract's program, stage by stage: mean, variance, root, denominator, reciprocal, shift. Each
// stage carries an exact expression and a bound on the relative error of the computed one; a stored stage branches into
// one scenario per admissible value. Internal to the oracle.
#pragma once

#include "oracles/scenario.hpp"

namespace normcheck {

constexpr unsigned branch_limit = 8;  // stored values tried one by one at each stage; wider ranges go on as an interval

// What is known of the current quantity of the pipeline.
template <class A>
struct Stage {
    using Upper = typename A::Upper;
    BasicScenario<A> scenario;
    typename A::Real spread;  // the variance is spread / scale^2
    typename A::Real scale = A::integer(1);
    typename A::Real eps;
    bool shifted = false;   // the variance in use is v + e^2 with the mean's error e
    Upper error;            // absolute, of the variance, the mean's error included
    Upper error_beyond;     // absolute, about v + e^2
    Upper underflow;        // absolute, of the variance, by underflow alone
    Upper relative;         // of the current quantity, the mean's error included
    Upper relative_beyond;  // of the current quantity, about the one at v + e^2
    bool stored = false;    // the variance or something after it has been stored: input errors are absorbed

    void set_relative(Upper both) { relative = relative_beyond = both; }
};

template <class A>
class Pipeline {
  public:
    using Real = typename A::Real;
    using Upper = typename A::Upper;
    using Lower = typename A::Lower;
    using Scenario = BasicScenario<A>;
    using Stretch = BasicStretch<Real>;
    using Stored = StoredValue<A>;

    Pipeline(const Contract& contract, const SumsOf<A>& sums, const BasicInputLoss<A>& input,
             const ProgramOptions& options)
        : contract_(contract),
          sums_(sums),
          input_(input),
          options_(options),
          moments_(machine<A>(contract.moments, contract.subnormals)),
          acc_(machine<A>(contract.acc, contract.subnormals)) {}

    BasicRowProgram<A> run();

  private:
    bool layer() const { return contract_.norm == Norm::layer; }
    bool bounded() const { return !options_.target_only; }
    Real n() const { return A::integer(sums_.n); }
    Upper rounding(bool happens = true) const { return happens && bounded() ? moments_.roundoff : Upper(0); }

    void outside(const char* why) {
        if (program_.outside == nullptr) program_.outside = why;
    }
    BasicRowProgram<A> search_program();
    Upper coarsest_roundoff() const;
    void mean();
    void variance(const Scenario& centre, bool centre_is_stored);
    bool bound_variance(Stage<A>& stage, bool centre_is_stored, bool about_stored);
    void root(Stage<A>& stage);
    void root_relative(Stage<A>& stage);
    void store_radicand(const Stage<A>& stage);
    void square_root(Stage<A>& stage);
    void denominator(Stage<A>& stage);
    void reciprocal(Stage<A>& stage);
    void shift(Scenario& scenario);
    void convert(Scenario& scenario) const;
    Upper reciprocal_roundoff() const;
    void finish_bounds(Stage<A>& stage);
    bool radicand_leaves_range(const Scenario& s) const;

    bool eps_is_outside() const { return contract_.eps_at == EpsAt::outside || contract_.eps_at == EpsAt::max_std; }
    Upper variance_high(const Stage<A>& stage) const;
    Lower variance_low(const Stage<A>& stage) const;
    Lower shifted_variance(const Stage<A>& stage, Lower v) const;
    Lower square_at(const Stage<A>& stage, Lower v) const;
    Lower root_at(const Stage<A>& stage, Lower v) const;
    Lower denominator_at(const Stage<A>& stage, Lower v) const;
    bool range_is_left(const Stage<A>& stage);
    Upper deviation(Upper relative) const;

    template <class Continue>
    void store(Point point, const Stretch& exact, Upper loss, Continue next);

    const Contract& contract_;
    const SumsOf<A>& sums_;
    const BasicInputLoss<A>& input_;
    const ProgramOptions& options_;
    const BasicMachine<A>& moments_;
    const BasicMachine<A>& acc_;
    BasicRowProgram<A> program_;
    bool wide_ = false;  // a stored statistic has too many admissible values, or the bound on the variance is too weak
    Upper mean_error_, variance_, variance_error_;
    Lower variance_low_;
};

// Rounds the quantity where the contract stores it, and goes on once per value; otherwise goes on with nothing.
template <class A>
template <class Continue>
void Pipeline<A>::store(Point point, const Stretch& exact, Upper loss, Continue next) {
    const Format& target = format(*contract_.stored_at(point));
    const RankRange range = round_range(target, exact, bounded() ? loss : Upper(0));
    wide_ = wide_ || width(range) >= branch_limit;
    const unsigned limit = options_.target_only ? 1U : branch_limit;
    if (std::max(std::abs(range.lowest), std::abs(range.highest)) >= rank(target, target.inf_code()) && !wide_)
        return outside("a stored statistic overflows its format");
    for (const Stored& value : stored_values<A>(target, range, limit)) next(value);
}

}  // namespace normcheck
