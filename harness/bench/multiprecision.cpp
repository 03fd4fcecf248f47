// One evaluation for both number types; see multiprecision.hpp.
#include "harness/bench/multiprecision.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/mpfr.hpp>

namespace normcheck {
namespace {

namespace mp = boost::multiprecision;

using BinFloat = mp::number<mp::cpp_bin_float<256, mp::digit_base_2>, mp::et_off>;
using Mpfr = mp::number<mp::mpfr_float_backend<77, mp::allocate_stack>, mp::et_off>;

template <class Real>
Real mean_of(std::span<const double> values) {
    Real sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

template <class Real>
Real mean_square_about(std::span<const double> values, const Real& centre) {
    Real squares = 0;
    for (const double value : values) {
        const Real centred = value - centre;
        squares += centred * centred;
    }
    return squares / static_cast<double>(values.size());
}

template <class Real>
double largest_error(const DoubleRow& row) {
    const bool layer = row.norm == Norm::layer;
    const Real mean = layer ? mean_of<Real>(row.x) : Real(0);
    const Real rstd = 1 / sqrt(mean_square_about(row.x, mean) + row.eps);
    Real largest = 0;
    for (size_t i = 0; i < row.x.size(); ++i) {
        Real y = (row.x[i] - mean) * rstd * row.gamma[i];
        if (layer) y += row.beta[i];
        const Real error = abs(y - row.y[i]);
        if (error > largest) largest = error;
    }
    return static_cast<double>(largest);
}

}  // namespace

double largest_error_bin_float(const DoubleRow& row) {
    return largest_error<BinFloat>(row);
}

double largest_error_mpfr(const DoubleRow& row) {
    return largest_error<Mpfr>(row);
}

}  // namespace normcheck
