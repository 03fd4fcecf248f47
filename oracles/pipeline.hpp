// The statistics of a contract's program, stage by stage: mean, variance, root, denominator, reciprocal, shift. Each
// stage carries an exact expression and a bound on the relative error of the computed one; a stored stage branches into
// one scenario per admissible value. Internal to the oracle.
#pragma once

#include "oracles/scenario.hpp"

namespace normcheck {

constexpr unsigned branch_limit = 8;  // stored values tried one by one at each stage; wider ranges go on as an interval

// What is known of the current quantity of the pipeline.
struct Stage {
    Scenario scenario;
    Dyadic spread;  // the variance is spread / scale^2
    Dyadic scale = dyadic_integer(1);
    Dyadic eps;
    bool shifted = false;   // the variance in use is v + e^2 with the mean's error e
    Upper error;            // absolute, of the variance, the mean's error included
    Upper error_beyond;     // absolute, about v + e^2
    Upper underflow;        // absolute, of the variance, by underflow alone
    Upper relative;         // of the current quantity, the mean's error included
    Upper relative_beyond;  // of the current quantity, about the one at v + e^2
    bool stored = false;    // the variance or something after it has been stored: input errors are absorbed

    void set_relative(Upper both) { relative = relative_beyond = both; }
};

class Pipeline {
  public:
    Pipeline(const Contract& contract, const RowSums& sums, const InputLoss& input, const ProgramOptions& options)
        : contract_(contract),
          sums_(sums),
          input_(input),
          options_(options),
          moments_(machine(contract.moments, contract.subnormals)),
          acc_(machine(contract.acc, contract.subnormals)) {}

    RowProgram run();

  private:
    bool layer() const { return contract_.norm == Norm::layer; }
    bool bounded() const { return !options_.target_only; }
    Dyadic n() const { return dyadic_integer(sums_.n); }
    Upper rounding(bool happens = true) const { return happens && bounded() ? moments_.roundoff : Upper(0); }

    void outside(const char* why) {
        if (program_.outside.empty()) program_.outside = why;
    }
    RowProgram search_program();
    Upper coarsest_roundoff() const;
    void mean();
    void variance(const Scenario& centre, bool centre_is_stored);
    bool bound_variance(Stage& stage, bool centre_is_stored, bool about_stored);
    void root(Stage stage);
    void root_relative(Stage& stage);
    void store_radicand(Stage stage);
    void square_root(Stage stage);
    void denominator(Stage stage);
    void reciprocal(Stage stage);
    void shift(Scenario scenario);
    void convert(Scenario& scenario) const;
    Upper reciprocal_roundoff() const;
    void finish_bounds(Stage& stage);

    bool eps_is_outside() const { return contract_.eps_at == EpsAt::outside || contract_.eps_at == EpsAt::max_std; }
    Upper variance_high(const Stage& stage) const;
    Lower variance_low(const Stage& stage) const;
    Lower shifted_variance(const Stage& stage, Lower v) const;
    Lower root_at(const Stage& stage, Lower v) const;
    Lower denominator_at(const Stage& stage, Lower v) const;
    bool range_is_left(const Stage& stage);
    Upper deviation(Upper relative) const;

    template <class Continue>
    void store(Point point, const Stretch& exact, Upper loss, Continue next);

    const Contract& contract_;
    const RowSums& sums_;
    const InputLoss& input_;
    const ProgramOptions& options_;
    Machine moments_;
    Machine acc_;
    RowProgram program_;
    bool wide_ = false;  // a stored statistic has too many admissible values, or the bound on the variance is too weak
    Upper mean_error_, variance_, variance_error_;
    Lower variance_low_;
};

// Rounds the quantity where the contract stores it, and goes on once per value; otherwise goes on with nothing.
template <class Continue>
void Pipeline::store(Point point, const Stretch& exact, Upper loss, Continue next) {
    const Format& target = format(*contract_.stored_at(point));
    const RankRange range = round_range(target, exact, bounded() ? loss : Upper(0));
    wide_ = wide_ || width(range) >= branch_limit;
    const unsigned limit = options_.target_only ? 1U : branch_limit;
    if (std::max(std::abs(range.lowest), std::abs(range.highest)) >= rank(target, target.inf_code()) && !wide_)
        return outside("a stored statistic overflows its format");
    for (const StoredValue& value : stored_values(target, range, limit)) next(value);
}

}  // namespace normcheck
