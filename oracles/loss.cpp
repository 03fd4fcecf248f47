// Derivations of the bounds in loss.hpp. Sources: Higham, Accuracy and Stability of Numerical Algorithms (2002),
// chapters 1 to 4; Jeannerod and Rump, Improved error bounds for inner products in floating-point arithmetic (2013);
// Higham and Mary, A new approach to probabilistic rounding error analysis (2019); Chan, Golub and LeVeque, Algorithms
// for computing the sample variance (1983).
#include "oracles/loss.hpp"

#include <bit>
#include <cmath>

namespace normcheck {
namespace {

constexpr Upper infinite{HUGE_VALL};

int ceil_log2(int64_t n) {
    return n <= 1 ? 0 : std::bit_width(static_cast<uint64_t>(n - 1));
}
bool is_power_of_two(int64_t n) {
    return std::has_single_bit(static_cast<uint64_t>(n));
}
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
    if (!(a.value < 1)) return infinite;
    return a / (Lower(1) - a);
}

// All values are multiples of 2^bit and their magnitudes sum to `total`: where total / 2^bit fits the significand,
// every partial sum in every order is a representable multiple of 2^bit, so every order is exact.
// Flushing spares multiples of the smallest normal number alone.
bool fits(Upper total, int64_t bit, const Machine& machine) {
    const Format& f = *machine.format;
    if (bit < (machine.flush.value > 0 ? f.min_exponent() : f.min_spacing_exponent())) return false;
    return total.value <= std::ldexp(1.0L, static_cast<int>(bit) + f.significand_bits) &&
           total.value < std::ldexp(1.0L, f.max_exponent());
}

bool is_representable(const Dyadic& value, const Machine& machine) {
    const Format& f = *machine.format;
    const Dyadic lowest = normalized(value);
    if (lowest.mantissa == 0) return true;
    if (machine.flush.value > 0 && floor_log2(lowest) < f.min_exponent()) return false;
    return lowest.exponent >= f.min_spacing_exponent() && floor_log2(lowest) - lowest.exponent < f.significand_bits &&
           floor_log2(lowest) <= f.max_exponent();
}

struct Row {
    const Contract& contract;
    const RowSums& sums;
    Machine machine;
    bool probabilistic;

    Upper n() const { return count(sums.n); }
    Upper mean_magnitude() const { return sums.sum_of_magnitudes / Lower(static_cast<long double>(sums.n)); }
    Upper mean_square() const { return upper_magnitude(sums.sum_of_squares) / Lower(static_cast<long double>(sums.n)); }
    Upper summation() const { return summation_loss(sums.n, contract.reduce, machine.roundoff, probabilistic); }
    Upper twice_rounded() const { return chain(machine.roundoff, machine.roundoff); }
    bool sum_is_exact() const { return fits(sums.sum_of_magnitudes, sums.lowest_bit, machine); }
    // S / n for n a power of two is the exact dyadic S * 2^-log2(n).
    bool mean_is_exact() const {
        if (!sum_is_exact() || !is_power_of_two(sums.n)) return false;
        return is_representable({sums.sum.mantissa, sums.sum.exponent - ceil_log2(sums.n)}, machine);
    }
};

// The mean by one sum: |fl(S) - S| <= g n A, then a division (or a product with a rounded 1/n): two roundings.
// Flushing may lose one smallest normal in each of the n additions and in the division.
Upper summed_mean_error(const Row& row) {
    if (row.mean_is_exact()) return Upper(0);
    const Upper absolute = row.machine.underflow + Upper(2) * row.machine.flush;
    if (row.sum_is_exact())
        return upper_magnitude(row.sums.sum) / Lower(static_cast<long double>(row.sums.n)) * row.twice_rounded() +
               absolute;
    return row.mean_magnitude() * chain(row.summation(), row.twice_rounded()) + absolute;
}

// Welford and the merges of Chan et al. One step m_k = m_{k-1} + (s_k - m_{k-1}) / k makes the error
//   u |m_k| + 3.1 u |s_k - m_{k-1}| / k  (one addition; a subtraction, a reciprocal and a product),
// and a later step j scales it by 1 - 1/j, so that it arrives with weight k / n. Since k |m_k| <= sum of the first k
// magnitudes, the first part adds up to at most h u A over a chain of h steps, and the second to 3.1 u (A + M).
// A merge makes u |m_ab| + 4.1 u |m_b - m_a| n_b / n_ab and arrives with weight n_ab / n: a level of merges adds at
// most u A + 4.1 u (A + M n_b / n_a) <= 6 u (A + M). With lanes, the error of a lane follows the lane's own mean
// magnitude, whose root mean square over lanes is at most R; R >= A, so R serves for both. The computed m_k in place of
// the exact ones are within the bound itself of them, hence the division by 1 - (h + 8 levels + 16) u.
Upper welford_mean_error(const Row& row) {
    const Upper u = row.machine.roundoff;
    const int64_t h = row.contract.reduce.order == Order::lanes ? depth(row.sums.n, row.contract.reduce) : row.sums.n;
    const int levels = merge_levels(row.sums.n, row.contract.reduce);
    const Upper spread = sqrt(row.mean_square());
    const Upper first =
        count(h + 6 * levels + 4) * u * spread + count(8 + 6 * levels) * u * upper_magnitude(row.sums.largest);
    const Upper self = count(h + 8 * levels + 16) * u;
    if (!(self.value < 1)) return infinite;
    return first / (Lower(1) - self) + row.machine.underflow * count(h + 2) + row.machine.flush * count(h + 2);
}

// M2 = sum (s_k - m_{k-1})(s_k - m_k) with both means off by at most E: by Cauchy and Schwarz
//   |dM2| / n <= (1 + sqrt 2) E sqrt(v) + E^2 for a chain, and 2 sqrt 2 E sqrt(v_level) + 2 E^2 more for each level of
// merges, whose v_level add up to at most v, so sqrt(levels) of them at most. Each term then passes h additions and at
// most 10 roundings of its own.
Upper welford_variance_error(const Row& row, Upper variance, Upper mean_error) {
    const int levels = merge_levels(row.sums.n, row.contract.reduce);
    const int64_t h = row.contract.reduce.order == Order::lanes ? depth(row.sums.n, row.contract.reduce) : row.sums.n;
    const Upper linear = Upper(2.4143L) + Upper(2.8285L) * sqrt(count(levels));
    const Upper means = linear * mean_error * sqrt(variance) + count(1 + 2 * levels) * mean_error * mean_error;
    const Upper rounded = inverse_growth(count(h + levels + 10) * row.machine.roundoff);
    return means + rounded * (variance + means);
}

// Welford keeps a constant row exact: every difference from the running mean is 0.
bool welford_is_exact(const Row& row) {
    return row.sums.constant && row.sums.lowest_bit >= row.machine.format->min_spacing_exponent() &&
           fits(upper_magnitude(row.sums.largest), row.sums.lowest_bit, row.machine);
}

MomentLoss welford_loss(const Row& row, Upper variance) {
    MomentLoss loss;
    if (welford_is_exact(row)) return loss;
    loss.mean_error = welford_mean_error(row);
    loss.variance_absolute = welford_variance_error(row, variance, loss.mean_error) + row.machine.underflow * Upper(4) +
                             row.machine.flush * Upper(4);
    return loss;
}

// q = fl(sum s^2) / n and m computed, v = q - m^2: errors of q, of the square of the mean, and of the subtraction.
MomentLoss one_pass_loss(const Row& row, Upper variance) {
    const Upper u = row.machine.roundoff;
    MomentLoss loss;
    loss.mean_error = summed_mean_error(row);
    const Upper e = loss.mean_error;
    const Upper mean = upper_magnitude(row.sums.sum) / Lower(static_cast<long double>(row.sums.n));
    const Upper square = (mean + e) * (mean + e);
    const Upper squares = row.mean_square() * chain(row.summation(), chain(u, row.twice_rounded()));
    const Upper product = Upper(2) * mean * e + e * e + square * u;
    const Upper before = squares + product;
    loss.variance_absolute =
        before + u * (variance + before) + row.machine.underflow * Upper(4) + row.machine.flush * Upper(4);
    return loss;
}

// The sum of squares about a centre c' = m + e: mean (s - c')^2 = v + e^2 exactly, and every term is nonnegative, so
// the relative errors are those of one subtraction (squared), one product, the summation and the division. Where all of
// it is exact (no centre error, squares that fit), only the division is left, and not even that for n = 2^k.
MomentLoss two_pass_loss(const Row& row, Upper variance, bool centre_is_stored) {
    const Upper u = row.machine.roundoff;
    const bool centred = row.contract.norm == Norm::layer;
    MomentLoss loss;
    loss.shifted = true;
    if (centred && !centre_is_stored) loss.mean_error = summed_mean_error(row);
    const bool centre_exact = !centred || (!centre_is_stored && row.mean_is_exact());
    const int64_t bit =
        centred ? std::min(row.sums.lowest_bit, row.sums.sum.mantissa == 0
                                                    ? row.sums.lowest_bit
                                                    : normalized(row.sums.sum).exponent - ceil_log2(row.sums.n))
                : row.sums.lowest_bit;
    const bool exact = centre_exact && fits(variance * row.n(), 2 * bit, row.machine);
    const Upper division = is_power_of_two(row.sums.n) && exact ? Upper(0) : row.twice_rounded();
    const bool nothing_to_square = variance.value == 0 && loss.mean_error.value == 0;
    if (exact || nothing_to_square) {
        if (nothing_to_square) return loss;
        loss.variance_relative = division;
        const bool divides_exactly = is_power_of_two(row.sums.n) &&
                                     2 * bit - ceil_log2(row.sums.n) >= row.machine.format->min_spacing_exponent();
        if (!divides_exactly) loss.variance_absolute = Upper(2) * row.machine.underflow;
        return loss;
    }
    const Upper differences = centred ? row.twice_rounded() : Upper(0);
    const Upper product = !centred &&
                                  2 * format(row.contract.x).significand_bits <= row.machine.format->significand_bits &&
                                  row.contract.residual != Residual::wide
                              ? Upper(0)
                              : u;
    loss.variance_relative = chain(chain(differences, product), chain(row.summation(), division));
    const Upper flush = row.machine.flush;
    loss.variance_absolute = Upper(3) * row.machine.underflow + Upper(3) * flush + flush * flush +
                             Upper(2) * flush * sqrt(variance + loss.mean_error * loss.mean_error);
    return loss;
}

}  // namespace

Machine machine(FormatId id, Subnormals subnormals) {
    const Format& f = format(id);
    Machine result;
    result.format = &f;
    const long double u = std::ldexp(1.0L, -f.significand_bits);
    result.roundoff = Upper(u);
    const bool keep = subnormals == Subnormals::keep;
    result.flush = Upper(keep ? 0.0L : std::ldexp(1.0L, f.min_exponent()));
    result.underflow = keep ? Upper(std::ldexp(1.0L, f.min_spacing_exponent() - 1)) : result.flush;
    result.largest = std::ldexp(2.0L - 2 * u, f.max_exponent());
    return result;
}

// Any order: (n - 1) u without restriction (Jeannerod and Rump 2013). A tree of depth h: h u / (1 - h u) (Higham 2002).
Upper summation_loss(int64_t n, const Reduce& order, Upper u, bool probabilistic) {
    const int64_t h = depth(n, order);
    const Upper any = count(std::max<int64_t>(n - 1, 0)) * u;
    const Upper proven = min(any, inverse_growth(count(h) * u));
    if (!probabilistic) return proven;
    return min(proven, inverse_growth(Upper(9) * sqrt(count(h)) * u));
}

MomentLoss moment_loss(const Contract& contract, const RowSums& sums, Upper variance, bool centre_is_stored,
                       bool probabilistic) {
    const Row row{contract, sums, machine(contract.moments, contract.subnormals), probabilistic};
    MomentLoss loss;
    if (contract.norm == Norm::rms || contract.variance == Variance::two_pass)
        loss = two_pass_loss(row, variance, centre_is_stored);
    else if (contract.variance == Variance::welford)
        loss = welford_loss(row, variance);
    else
        loss = one_pass_loss(row, variance);
    if (centre_is_stored) loss.mean_error = Upper(0);
    loss.meaningless = !(loss.variance_relative.value < 1) || !std::isfinite(loss.variance_absolute.value) ||
                       !std::isfinite(loss.mean_error.value);
    return loss;
}

}  // namespace normcheck
