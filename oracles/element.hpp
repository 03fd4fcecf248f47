// The element-level part of a contract's program on one row and one scenario: exact stretches, quick approximations
// with a proven error, and what a correct kernel may lose on the way.
#pragma once

#include <span>
#include <vector>

#include "oracles/certified/wide_statistics.hpp"
#include "oracles/scenario.hpp"

namespace normcheck {

/// Places along an element's program where its value may be rounded; y is the last.
enum class Place : uint8_t { start, centred, normed, scaled, y };

/// The last stored intermediate of an element, with its exact value; at start: none.
struct Held {
    Place at = Place::start;
    double value = 0;
};

/// A real number near hi + lo: |number - hi - lo| <= error.
struct Approximation {
    double hi = 0;
    double lo = 0;
    double error = 0;
};

/// One row's inputs to the element program. Spans have cols elements; gamma and beta are empty where absent.
template <class A>
struct BasicElementInputs {
    std::span<const typename A::Value> s;  // x, or x + residual
    std::span<const Pair> gamma;           // effective gamma, one_plus and its rounding applied
    std::span<const double> beta;
    std::span<const typename A::Upper> input_loss;  // error of each s; empty where exact
};
using ElementInputs = BasicElementInputs<Exact>;

/// The format an element is rounded to at a place. Place must be one where the contract rounds.
FormatId format_at(const Contract& contract, Place place);
/// The places at which the contract rounds an element before y, in order.
std::vector<Place> stored_places(const Contract& contract);

/// What a correct kernel may lose on the elements of one row under one scenario.
template <class A>
class ElementLoss {
  public:
    using Upper = typename A::Upper;

    ElementLoss(const Contract& contract, const BasicScenario<A>& scenario, const BasicElementInputs<A>& inputs);

    /// Absolute bound on what a correct kernel may lose between `held` and the rounding at `place`.
    Upper loss(Place place, const Held& held, int64_t i) const;
    /// What an error of the held value grows to at a later place.
    Upper carried(const Held& held, Upper error, Place place, int64_t i) const;
    /// loss(Place::y, {}, i) for all elements at once, where nothing is stored and the inputs are exact: with c the
    /// distance from the mean, it is at least |g| (base + per_c |c| + per_x |x|) + per_b |b|, and at most that with
    /// `more` on top.
    struct Affine {
        Upper base, per_c, per_x, per_b, more;
    };
    Affine affine(Upper largest_gamma, Upper largest_c) const;
    /// Bound on |normalised value| and on its loss, without gamma and beta.
    Upper normed_magnitude(int64_t i) const { return centred_magnitude(i) * scenario_.loss.reciprocal; }
    Upper normed_loss(int64_t i) const { return normed_loss({}, i, false); }

  protected:
    Upper centred_magnitude(int64_t i) const;
    Upper mean_magnitude() const;
    Upper normed_loss(const Held& held, int64_t i, bool last) const;
    Upper folded_loss(int64_t i, bool last) const;
    Upper scaled_loss(const Held& held, int64_t i, Upper loss, bool last) const;
    Upper normed_bound(const Held& held, int64_t i) const;
    bool product_is_exact(const Held& held, Upper product) const;

    const Contract& contract_;
    const BasicScenario<A>& scenario_;
    BasicElementInputs<A> inputs_;
    const BasicMachine<A>& acc_;
    bool layer_;
    long double mean_ = 0;  // nearest to the exact mean
};

/// The exact program of each element beside approximations of it.
class ElementProgram : public ElementLoss<Exact> {
  public:
    ElementProgram(const Contract& contract, const Scenario& scenario, const ElementInputs& inputs);

    Stretch stretch(Place place, const Held& held, int64_t i) const;
    Approximation approximate(Place place, const Held& held, int64_t i) const;

  private:
    // The row's statistics in one arithmetic, and what an element comes to in it.
    template <class Number>
    struct RowNumbers {
        Number mean, rstd, shift;
    };
    template <class Number>
    struct Evaluated {
        Number value, size;
    };
    template <class Number>
    Evaluated<Number> evaluate(const RowNumbers<Number>& row, Place place, const Held& held, int64_t i) const;

    Approximation approximate_wide(Place place, const Held& held, int64_t i) const;

    bool quick_;  // no f64 format is involved: long double is wide enough to begin with
    RowNumbers<Wide> wide_row_;
    RowNumbers<long double> quick_row_;  // the nearest to wide_row_
};

/// Enclosures of each element.
class NearProgram : public ElementLoss<Certified> {
  public:
    NearProgram(const Contract& contract, const NearScenario& scenario, const BasicElementInputs<Certified>& inputs);

    Approximation approximate(Place place, const Held& held, int64_t i) const;
    Near rstd() const { return rstd_; }
    /// Statistics of the scenario itself to about a hundred bits, which must live as long: from then on approximations
    /// are as good.
    void widen(const certified::WideStatistics* wide) { wide_ = wide; }

  private:
    Approximation approximate_wide(Place place, const Held& held, int64_t i) const;

    Near rstd_;
    const certified::WideStatistics* wide_ = nullptr;
};
template <class A>
using ProgramOf = std::conditional_t<std::is_same_v<A, Exact>, ElementProgram, NearProgram>;

/// What IEEE arithmetic makes of a stored Inf at a later place: NaN under a gamma of 0.
double infinite_value(std::span<const Pair> gamma, Place place, const Held& held, int64_t i);

/// Whether a number lies so near that no rounding matters: what is within the loss of a stretch itself is admissible if
/// the format has it, since rounding keeps the order. `loss` may be less than it is.
bool is_within(double got, const Approximation& near, double loss);

/// Rank of the rounding of approximation + delta in the format; nothing where the approximation cannot decide it.
std::optional<int64_t> quick_rank(const Format& format, const Approximation& near, double delta);

}  // namespace normcheck
