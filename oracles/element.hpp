// The element-level part of a contract's program on one row and one scenario: exact stretches, quick approximations
// with a proven error, and what a correct kernel may lose on the way.
#pragma once

#include <span>
#include <vector>

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
struct ElementInputs {
    std::span<const Pair> s;      // x, or x + residual
    std::span<const Pair> gamma;  // effective gamma, one_plus and its rounding applied
    std::span<const double> beta;
    std::span<const Upper> input_loss;  // error of each s; empty where exact
};

/// The format an element is rounded to at a place. Place must be one where the contract rounds.
FormatId format_at(const Contract& contract, Place place);
/// The places at which the contract rounds an element before y, in order.
std::vector<Place> stored_places(const Contract& contract);

class ElementProgram {
  public:
    ElementProgram(const Contract& contract, const Scenario& scenario, const ElementInputs& inputs);

    Stretch stretch(Place place, const Held& held, int64_t i) const;
    Approximation approximate(Place place, const Held& held, int64_t i) const;
    /// Absolute bound on what a correct kernel may lose between `held` and the rounding at `place`.
    Upper loss(Place place, const Held& held, int64_t i) const;
    /// What an error of the held value grows to at a later place.
    Upper carried(const Held& held, Upper error, Place place, int64_t i) const;
    /// Bound on |normalised value| and on its loss, without gamma and beta.
    Upper normed_magnitude(int64_t i) const { return centred_magnitude(i) * scenario_.loss.reciprocal; }
    Upper normed_loss(int64_t i) const { return normed_loss({}, i, false); }

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

    Upper centred_magnitude(int64_t i) const;
    Upper normed_loss(const Held& held, int64_t i, bool last) const;
    Upper folded_loss(int64_t i, bool last) const;
    Upper scaled_loss(const Held& held, int64_t i, Upper loss, bool last) const;
    Upper normed_bound(const Held& held, int64_t i) const;
    bool product_is_exact(const Held& held, Upper product) const;
    double infinite_value(Place place, const Held& held, int64_t i) const;
    Approximation approximate_wide(Place place, const Held& held, int64_t i) const;

    const Contract& contract_;
    const Scenario& scenario_;
    ElementInputs inputs_;
    Machine acc_;
    bool layer_;
    bool quick_;  // no f64 format is involved: long double is wide enough to begin with
    RowNumbers<Wide> wide_row_;
    RowNumbers<long double> quick_row_;  // the nearest to wide_row_
};

/// Rank of the rounding of approximation + delta in the format; nothing where the approximation cannot decide it.
std::optional<int64_t> quick_rank(const Format& format, const Approximation& near, double delta);

}  // namespace normcheck
