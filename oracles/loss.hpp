// What the statistics of a correct kernel may lose to rounding: bounds on the mean and the variance, proven here.
//
// u is the unit roundoff of the format the statistics are computed in, n the row length, h the number of additions that
// a term passes at most, A = mean|s|, R = sqrt(mean s^2), M = max|s|, m and v the exact mean and variance of the row.
#pragma once

#include <cstdint>

#include "oracles/contract.hpp"
#include "oracles/directed.hpp"
#include "oracles/sums.hpp"

namespace normcheck {

/// Facts about an accumulator format that the bounds use.
template <class A>
struct BasicMachine {
    typename A::Upper roundoff;   // unit roundoff u
    typename A::Upper underflow;  // largest absolute error of one product by underflow (or flushing)
    typename A::Upper flush;      // largest |value| that may be taken as zero; 0 where subnormals are kept
    typename A::Upper largest;    // largest finite value
    const Format* format = nullptr;
};
using Machine = BasicMachine<Exact>;
template <class A = Exact>
const BasicMachine<A>& machine(FormatId format, Subnormals subnormals);

/// Bounds for one row.
template <class A>
struct MomentLoss {
    using Upper = typename A::Upper;
    Upper mean_error;  // |computed mean - m|
    /// The computed variance is (v + e^2)(1 + d) + a with |d| <= variance_relative, |a| <= variance_absolute; where
    /// shifted, e is the error of the mean itself (two passes), else e = 0.
    Upper variance_relative;
    Upper variance_absolute;
    bool shifted = false;
    bool meaningless = false;  // the bound reaches 1: it says nothing
};

/// How far h additions may take a sum from exact, relative to the sum of magnitudes. `order` as the contract promises.
/// `probabilistic` replaces h by 9 sqrt(h): holds with probability above 1 - 1e-13 per row for independent random
/// values.
template <class Upper>
Upper summation_loss(int64_t n, const Reduce& order, Upper roundoff, bool probabilistic);

/// The row's loss under the contract. `variance` is an upper bound of the exact v (layer) or mean square (rms) about
/// the centre that the kernel uses; centre_error_free says that the centre is a stored value (no mean error).
template <class A>
MomentLoss<A> moment_loss(const Contract& contract, const SumsOf<A>& sums, typename A::Upper variance,
                          bool centre_is_stored, bool probabilistic);

}  // namespace normcheck
