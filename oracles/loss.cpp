// Derivations of the bounds in loss.hpp. Sources: Higham, Accuracy and Stability of Numerical Algorithms (2002),
// chapters 1 to 4; Jeannerod and Rump, Improved error bounds for inner products in floating-point arithmetic (2013);
// Higham and Mary, A new approach to probabilistic rounding error analysis (2019); Chan, Golub and LeVeque, Algorithms
// for computing the sample variance (1983).
#include "oracles/loss.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace normcheck {
namespace {

int ceil_log2(int64_t n) {
    return n <= 1 ? 0 : std::bit_width(static_cast<uint64_t>(n - 1));
}
bool is_power_of_two(int64_t n) {
    return std::has_single_bit(static_cast<uint64_t>(n));
}
template <class Upper>
Upper count(int64_t n) {
    return Upper(static_cast<long double>(n));
}

// Additions that a term passes at most. n - 1 holds for every order.
int64_t depth(int64_t n, const Reduce& reduce) {
    const int64_t worst = std::max<int64_t>(n - 1, 0);
    switch (reduce.order) {
        case Order::any:
        case Order::sequential:
            return worst;
        case Order::lanes:
            return std::min(worst, n / reduce.lanes + ceil_log2(reduce.lanes) + n % reduce.lanes);
        case Order::tree:
            return std::min<int64_t>(worst, ceil_log2(n));
    }
    return worst;
}

// Levels of merges of partial results beyond one running accumulator.
int merge_levels(int64_t n, const Reduce& reduce) {
    switch (reduce.order) {
        case Order::sequential:
            return 0;
        case Order::lanes:
            return ceil_log2(std::min<int64_t>(reduce.lanes, n)) + (n > reduce.lanes && n % reduce.lanes != 0 ? 1 : 0);
        case Order::any:
        case Order::tree:
            return ceil_log2(n);
    }
    return 0;
}

// (1 - a)^-1 - 1, infinite from 1 on.
Upper inverse_growth(Upper a) {
    if (!below(a, Upper(1))) return Upper(HUGE_VALL);
    return a / (Lower(1) - a);
}
Bound inverse_growth(Bound a) {
    if (!below(a, Bound(1))) return Bound(HUGE_VALL);
    return a / (Bound(1) - a);
}

template <class A>
bool is_representable(const Dyadic& value, const BasicMachine<A>& machine) {
    const Format& f = *machine.format;
    const Dyadic lowest = normalized(value);
    if (lowest.mantissa == 0) return true;
    if (!is_zero(machine.flush) && floor_log2(lowest) < f.min_exponent()) return false;
    return lowest.exponent >= f.min_spacing_exponent() && floor_log2(lowest) - lowest.exponent < f.significand_bits &&
           floor_log2(lowest) <= f.max_exponent();
}

// An exact sum as a number; enclosed sums that fit their accumulator are points.
const Dyadic& exactly(const Dyadic& sum) {
    return sum;
}
Dyadic exactly(Near sum) {
    if (!sum.is_point()) throw Undecided{};
    return dyadic(sum.lo);
}

bool is_known(const RowSums&) {
    return true;
}
bool is_known(const NearSums& sums) {
    return sums.lowest_bit_known;
}

template <class A>
struct Row {
    using Upper = typename A::Upper;
    using Lower = typename A::Lower;

    const Contract& contract;
    const SumsOf<A>& sums;
    const BasicMachine<A>& machine;
    bool probabilistic;

    Upper count(int64_t k) const { return A::whole(k); }
    Upper infinite() const { return Upper(HUGE_VALL); }
    Upper n() const { return count(sums.n); }
    Lower at_least_n() const { return as_lower(n()); }
    Upper mean_magnitude() const { return sums.sum_of_magnitudes / at_least_n(); }
    Upper mean_square() const { return upper_magnitude(sums.sum_of_squares) / at_least_n(); }
    Upper summation() const { return summation_loss<Upper>(sums.n, contract.reduce, machine.roundoff, probabilistic); }
    Upper twice_rounded() const { return chain(machine.roundoff, machine.roundoff); }
    bool sum_is_exact() const { return fits(sums.sum_of_magnitudes, sums.lowest_bit); }
    // S / n for n a power of two is the exact dyadic S * 2^-log2(n).
    bool mean_is_exact() const {
        if (!sum_is_exact() || !is_power_of_two(sums.n)) return false;
        if (sums.n == 1) return true;  // the sum is the value
        const Dyadic sum = exactly(sums.sum);
        return is_representable<A>({sum.mantissa, sum.exponent - ceil_log2(sums.n)}, machine);
    }

    // Of the differences from an exact mean, or of the values themselves where none is subtracted.
    int64_t lowest_bit_about_mean() const {
        if (contract.norm != Norm::layer || sums.n == 1) return sums.lowest_bit;
        const Dyadic sum = normalized(exactly(sums.sum));
        return sum.mantissa == 0 ? sums.lowest_bit : std::min(sums.lowest_bit, sum.exponent - ceil_log2(sums.n));
    }

    bool fits(Upper total, int64_t bit) const;
    Upper summed_mean_error() const;
    Upper welford_mean_error() const;
    Upper welford_variance_error(Upper variance, Upper mean_error) const;
    bool welford_is_exact() const;
    MomentLoss<A> welford_loss(Upper variance) const;
    MomentLoss<A> one_pass_loss(Upper variance) const;
    MomentLoss<A> two_pass_loss(Upper variance, bool centre_is_stored) const;
};

// All values are multiples of 2^bit and their magnitudes sum to `total`: where total / 2^bit fits the significand,
// every partial sum in every order is a representable multiple of 2^bit, so every order is exact.
// Flushing spares multiples of the smallest normal number alone.
template <class A>
bool Row<A>::fits(Upper total, int64_t bit) const {
    const Format& f = *machine.format;
    if (bit < (is_zero(machine.flush) ? f.min_spacing_exponent() : f.min_exponent())) return false;
    const Upper limit = A::power(static_cast<int>(bit) + f.significand_bits);
    if (below(limit, total)) return false;
    if (!is_known(sums)) throw Undecided{};
    return below(total, A::power(f.max_exponent()));
}

// The mean by one sum: |fl(S) - S| <= g n A, then a division (or a product with a rounded 1/n): two roundings.
// Flushing may lose one smallest normal in each of the n additions and in the division.
template <class A>
typename Row<A>::Upper Row<A>::summed_mean_error() const {
    if (mean_is_exact()) return Upper(0);
    const Upper absolute = machine.underflow + Upper(2) * machine.flush;
    if (sum_is_exact()) return upper_magnitude(sums.sum) / at_least_n() * twice_rounded() + absolute;
    return mean_magnitude() * chain(summation(), twice_rounded()) + absolute;
}

// Welford and the merges of Chan et al. One step m_k = m_{k-1} + (s_k - m_{k-1}) / k makes the error
//   u |m_k| + 3.1 u |s_k - m_{k-1}| / k  (one addition; a subtraction, a reciprocal and a product),
// and a later step j scales it by 1 - 1/j, so that it arrives with weight k / n. Since k |m_k| <= sum of the first k
// magnitudes, the first part adds up to at most h u A over a chain of h steps, and the second to 3.1 u (A + M).
// A merge makes u |m_ab| + 4.1 u |m_b - m_a| n_b / n_ab and arrives with weight n_ab / n: a level of merges adds at
// most u A + 4.1 u (A + M n_b / n_a) <= 6 u (A + M). With lanes, the error of a lane follows the lane's own mean
// magnitude, whose root mean square over lanes is at most R; R >= A, so R serves for both. The computed m_k in place of
// the exact ones are within the bound itself of them, hence the division by 1 - (h + 8 levels + 16) u.
template <class A>
typename Row<A>::Upper Row<A>::welford_mean_error() const {
    const Upper u = machine.roundoff;
    const int64_t h = contract.reduce.order == Order::lanes ? depth(sums.n, contract.reduce) : sums.n;
    const int levels = merge_levels(sums.n, contract.reduce);
    const Upper spread = sqrt(mean_square());
    const Upper first = count(h + 6 * levels + 4) * u * spread + count(8 + 6 * levels) * u * A::size(sums.largest);
    const Upper self = count(h + 8 * levels + 16) * u;
    if (!below(self, Upper(1))) return infinite();
    return first / (Lower(1) - self) + machine.underflow * count(h + 2) + machine.flush * count(h + 2);
}

// M2 = sum (s_k - m_{k-1})(s_k - m_k) with both means off by at most E: by Cauchy and Schwarz
//   |dM2| / n <= (1 + sqrt 2) E sqrt(v) + E^2 for a chain, and 2 sqrt 2 E sqrt(v_level) + 2 E^2 more for each level of
// merges, whose v_level add up to at most v, so sqrt(levels) of them at most. Each term then passes h additions and at
// most 10 roundings of its own.
template <class A>
typename Row<A>::Upper Row<A>::welford_variance_error(Upper variance, Upper mean_error) const {
    const int levels = merge_levels(sums.n, contract.reduce);
    const int64_t h = contract.reduce.order == Order::lanes ? depth(sums.n, contract.reduce) : sums.n;
    const Upper linear = Upper(2.4143L) + Upper(2.8285L) * sqrt(count(levels));
    const Upper means = linear * mean_error * sqrt(variance) + count(1 + 2 * levels) * mean_error * mean_error;
    const Upper rounded = inverse_growth(count(h + levels + 10) * machine.roundoff);
    return means + rounded * (variance + means);
}

// Welford keeps a constant row exact: every difference from the running mean is 0.
template <class A>
bool Row<A>::welford_is_exact() const {
    return sums.constant && sums.lowest_bit >= machine.format->min_spacing_exponent() &&
           fits(A::size(sums.largest), sums.lowest_bit);
}

template <class A>
MomentLoss<A> Row<A>::welford_loss(Upper variance) const {
    MomentLoss<A> loss;
    if (welford_is_exact()) return loss;
    loss.mean_error = welford_mean_error();
    loss.variance_absolute =
        welford_variance_error(variance, loss.mean_error) + machine.underflow * Upper(4) + machine.flush * Upper(4);
    return loss;
}

// q = fl(sum s^2) / n and m computed, v = q - m^2: errors of q, of the square of the mean, and of the subtraction.
template <class A>
MomentLoss<A> Row<A>::one_pass_loss(Upper variance) const {
    const Upper u = machine.roundoff;
    MomentLoss<A> loss;
    loss.mean_error = summed_mean_error();
    const Upper e = loss.mean_error;
    const Upper mean = upper_magnitude(sums.sum) / at_least_n();
    const Upper square = (mean + e) * (mean + e);
    const Upper squares = mean_square() * chain(summation(), chain(u, twice_rounded()));
    const Upper product = Upper(2) * mean * e + e * e + square * u;
    const Upper before = squares + product;
    loss.variance_absolute = before + u * (variance + before) + machine.underflow * Upper(4) + machine.flush * Upper(4);
    return loss;
}

// The sum of squares about a centre c' = m + e: mean (s - c')^2 = v + e^2 exactly, and every term is nonnegative, so
// the relative errors are those of one subtraction (squared), one product, the summation and the division. Where all of
// it is exact (no centre error, squares that fit), only the division is left, and not even that for n = 2^k.
template <class A>
MomentLoss<A> Row<A>::two_pass_loss(Upper variance, bool centre_is_stored) const {
    const Upper u = machine.roundoff;
    const bool centred = contract.norm == Norm::layer;
    MomentLoss<A> loss;
    loss.shifted = true;
    if (centred && !centre_is_stored) loss.mean_error = summed_mean_error();
    const bool centre_exact = !centred || (!centre_is_stored && mean_is_exact());
    const int64_t bit = centre_exact ? lowest_bit_about_mean() : 0;
    const bool exact = centre_exact && fits(variance * n(), 2 * bit);
    const Upper division = is_power_of_two(sums.n) && exact ? Upper(0) : twice_rounded();
    const bool nothing_to_square = is_zero(variance) && is_zero(loss.mean_error);
    if (exact || nothing_to_square) {
        if (nothing_to_square) return loss;
        loss.variance_relative = division;
        const bool divides_exactly =
            is_power_of_two(sums.n) && 2 * bit - ceil_log2(sums.n) >= machine.format->min_spacing_exponent();
        if (!divides_exactly) loss.variance_absolute = Upper(2) * machine.underflow;
        return loss;
    }
    const Upper differences = centred ? twice_rounded() : Upper(0);
    const Upper product = !centred && 2 * format(contract.x).significand_bits <= machine.format->significand_bits &&
                                  contract.residual != Residual::wide
                              ? Upper(0)
                              : u;
    loss.variance_relative = chain(chain(differences, product), chain(summation(), division));
    const Upper flush = machine.flush;
    loss.variance_absolute = Upper(3) * machine.underflow + Upper(3) * flush + flush * flush +
                             Upper(2) * flush * sqrt(variance + loss.mean_error * loss.mean_error);
    return loss;
}

template <class A>
BasicMachine<A> make_machine(const Format& f, bool keep) {
    using Up = typename A::Upper;
    BasicMachine<A> result;
    result.format = &f;
    const long double u = std::ldexp(1.0L, -f.significand_bits);
    result.roundoff = Up(u);
    result.flush = Up(keep ? 0.0L : std::ldexp(1.0L, f.min_exponent()));
    result.underflow = keep ? Up(std::ldexp(1.0L, f.min_spacing_exponent() - 1)) : result.flush;
    result.largest = Up(std::ldexp(2.0L - 2 * u, f.max_exponent()));
    return result;
}

}  // namespace

template <class A>
const BasicMachine<A>& machine(FormatId id, Subnormals subnormals) {
    static const auto table = [] {
        std::array<std::array<BasicMachine<A>, 2>, format_count> all;
        for (int i = 0; i < format_count; ++i)
            for (const bool keep : {false, true})
                all[i][keep] = make_machine<A>(format(static_cast<FormatId>(i)), keep);
        return all;
    }();
    return table[static_cast<int>(id)][subnormals == Subnormals::keep];
}

// Any order: (n - 1) u without restriction (Jeannerod and Rump 2013). A tree of depth h: h u / (1 - h u) (Higham 2002).
template <class Upper>
Upper summation_loss(int64_t n, const Reduce& order, Upper u, bool probabilistic) {
    const int64_t h = depth(n, order);
    const Upper any = count<Upper>(std::max<int64_t>(n - 1, 0)) * u;
    const Upper proven = h == n - 1 ? any : min(any, inverse_growth(count<Upper>(h) * u));
    if (!probabilistic) return proven;
    return min(proven, inverse_growth(Upper(9) * sqrt(count<Upper>(h)) * u));
}

template <class A>
MomentLoss<A> moment_loss(const Contract& contract, const SumsOf<A>& sums, typename A::Upper variance,
                          bool centre_is_stored, bool probabilistic) {
    using Up = typename A::Upper;
    const Row<A> row{contract, sums, machine<A>(contract.moments, contract.subnormals), probabilistic};
    MomentLoss<A> loss;
    if (contract.norm == Norm::rms || contract.variance == Variance::two_pass)
        loss = row.two_pass_loss(variance, centre_is_stored);
    else if (contract.variance == Variance::welford)
        loss = row.welford_loss(variance);
    else
        loss = row.one_pass_loss(variance);
    if (centre_is_stored) loss.mean_error = Up(0);
    loss.meaningless =
        !below(loss.variance_relative, Up(1)) || !is_finite(loss.variance_absolute) || !is_finite(loss.mean_error);
    return loss;
}

template const BasicMachine<Exact>& machine<Exact>(FormatId, Subnormals);
template const BasicMachine<Certified>& machine<Certified>(FormatId, Subnormals);
template Upper summation_loss<Upper>(int64_t, const Reduce&, Upper, bool);
template Bound summation_loss<Bound>(int64_t, const Reduce&, Bound, bool);
template MomentLoss<Exact> moment_loss<Exact>(const Contract&, const RowSums&, Upper, bool, bool);
template MomentLoss<Certified> moment_loss<Certified>(const Contract&, const NearSums&, Bound, bool, bool);

}  // namespace normcheck
