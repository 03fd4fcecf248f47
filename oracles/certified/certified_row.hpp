// The judgement of one row by enclosures, step by step: the insides of row.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "oracles/certified/facts.hpp"
#include "oracles/certified/row.hpp"
#include "oracles/certified/wide_statistics.hpp"

namespace normcheck::certified {

constexpr double cancelled_share = 0x1p-8;

// An enclosure of a nonnegative maximum that is stated in the end.
struct Range {
    double low = 0;
    double high = 0;
    void raise(double l, double h) {
        low = std::max(low, l);
        high = std::max(high, h);
    }
    bool decided() const { return stated(low) == stated(high); }
};

// The exact oracle's view of the row, made when it is first asked.
class ExactSide {
  public:
    ExactSide(const JudgeState& state, const RowInputs& inputs) : state_(state), inputs_(inputs) {}

    const Elements& elements() { return *made().elements; }

    bool admits_statistic(uint64_t got, bool is_mean);

  private:
    struct Made {
        Row row;
        RowProgram program;
        std::optional<Elements> elements;
    };
    const Made& made();

    const JudgeState& state_;
    const RowInputs& inputs_;
    std::unique_ptr<Made> made_;
};

class CertifiedRow {
  public:
    CertifiedRow(const JudgeState& state, const RowInputs& inputs, const RowOutputs& outputs,
                 const JudgeOptions& options)
        : state_(state),
          contract_(state.contract),
          inputs_(inputs),
          outputs_(outputs),
          options_(options),
          y_(format(state.contract.y)),
          n_(state.cols),
          exact_(state, inputs) {}

    std::optional<RowResult> run();

  private:
    bool read();
    void place(double largest_y, double doubt);
    void judge_elements(const NearElements& elements, const NearScenario& scenario);
    bool is_all_mean(const NearScenario& scenario) const;
    bool has_nan() const;
    bool vector_pass(const NearElements& elements, const NearScenario& scenario);
    ElementTask task(const NearElements& elements, const NearScenario& scenario);
    struct Passed {
        double y = 0, doubt = 0, width = 0;
    };
    Passed passed(int64_t i) const;
    struct Again : Passed {
        double error = 0;
        double unit = 0;  // half an ulp at the lowest |y|
        bool correct = false, decided = false, counts = false;
    };
    Again again(int64_t i) const;
    void settle_cancelled();
    void resolve_rest(const NearElements& elements);
    void one_by_one(const NearElements& elements);
    /// An output's distance from the exact one, and the doubt about it.
    struct Measured {
        double error = 0, doubt = 0;
        bool inexact = false;  // a number, and not the correctly rounded one
    };
    Measured measure_one(const NearElements& elements, int64_t i);
    void judge_special_parameter(const NearElements& elements, int64_t i);
    /// Whether gamma or beta of the element are not finite: it then counts as one whose exact value and error are 0.
    bool has_special_parameter(int64_t i) const { return !state_.parameters.finite && !is_plain(state_, i); }
    void judge_inexact(const NearElements& elements, int64_t i, const Measured& measured);
    double error_of(int64_t i) const { return scratch().error[static_cast<size_t>(i)]; }
    double doubt_of(int64_t i) const { return by_vectors_ ? passed(i).doubt : scratch().doubt[static_cast<size_t>(i)]; }
    bool admissible(const NearElements& elements, int64_t i, int64_t got);
    void summarize_one_by_one();
    void find_worst();
    void settle();
    void settle_errors();
    double exact_value(int64_t i);
    double exact_error(int64_t i);
    double exact_slack(int64_t i);
    void settle_elements();
    void settle_largest();
    double highest_element_error(int64_t i) const;
    void settle_slack();
    void try_other_scenarios(const BasicRowProgram<Certified>& program);
    bool all_admissible(const BasicRowProgram<Certified>& program, size_t scenario);
    void judge_statistics(const BasicRowProgram<Certified>& program);
    bool is_near_statistic(uint64_t got, const BasicStretch<Near>& stretch, Bound loss) const;
    bool wide_admits(const WideStatistics& wide, uint64_t got, bool is_mean, Bound loss) const;
    void judge_proof(const NearElements& elements, const NearScenario& scenario);
    void ask_probability();
    void fail(int64_t i, const char* reason);
    void hand_over(int64_t i);
    double largest_gamma() const { return static_cast<double>(state_.parameters.largest_gamma.value) * (1 + 0x1p-50); }
    uint64_t got(int64_t i) const { return outputs_.y[i]; }
    // Past the format's largest values as in their binade.
    double ulp(double value) const {
        const int binade = static_cast<int>(std::bit_cast<uint64_t>(value) >> 52 & 0x7ff) - 1023;
        const int exponent = std::clamp(binade, y_.min_exponent(), y_.max_exponent()) - (y_.significand_bits - 1);
        return exponent > -1022 ? power_of_two(exponent) : std::ldexp(1.0, exponent);
    }
    std::span<const double> values() const { return {scratch().x.data(), static_cast<size_t>(n_)}; }
    NearElements elements_of(const NearScenario& scenario) const;

    const JudgeState& state_;
    const Contract& contract_;
    const RowInputs& inputs_;
    const RowOutputs& outputs_;
    const JudgeOptions& options_;
    const Format& y_;
    int64_t n_;
    ExactSide exact_;

    Facts facts_;
    Near spread_;             // n^2 times the variance, or the mean square
    std::optional<Row> row_;  // where the elements are sums, or inputs may be flushed
    std::vector<Bound> input_loss_;
    BasicInputLoss<Certified> loss_;
    std::optional<WideStatistics> wide_;  // where the contract has f64
    RowResult result_;
    Range absolute_, element_, slack_, largest_y_;
    std::vector<double> middle_;     // of each y, where they are looked at one by one
    std::vector<char> handed_over_;  // by element: whether the exact oracle was asked about it; empty where of none
    int64_t handed_over_count_ = 0;
    double terms_low_ = 0, terms_high_ = 0;
    double largest_doubt_ = 0;  // at least that about any error
    bool by_vectors_ = false;
    bool special_failed_ = false;  // an element with a non-finite gamma or beta is wrong under every scenario
    bool wide_of_pass_ = false;    // every admissible output is so by the widths of the vector pass
    double brink_error_ = 0;  // largest elementwise error of those on the brink of cancellation that are not cancelled
    double slack_of_pass_ = 0;  // of the least widths
    ElementTask task_;
};

/// The least share of the width that a narrower bound keeps, whatever the element.
double kept_share(const ElementTask& narrow, const ElementTask& wide);

}  // namespace normcheck::certified
