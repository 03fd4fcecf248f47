// For each stored rstd every output confines the other number to an interval; where the intervals share a representable
// value, that pair is tried exactly. The intervals are in double and widened, so that they only ever admit too much.
#include "oracles/search.hpp"

#include <algorithm>
#include <cmath>

namespace normcheck {
namespace {

struct Interval {
    double low = -HUGE_VAL;
    double high = HUGE_VAL;
    bool empty() const { return !(low <= high); }
};

Interval meet(const Interval& a, const Interval& b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Interval widened(Interval a, double by) {
    return {a.low - by, a.high + by};
}

// The reals that may round to the code, midpoints included and then some.
Interval preimage(const Format& f, uint64_t code) {
    const int64_t r = rank(f, code);
    const int64_t top = rank(f, f.inf_code());
    const double low = r <= -top ? -HUGE_VAL : to_double(value_of_rank(f, r - 1));
    const double high = r >= top ? HUGE_VAL : to_double(value_of_rank(f, r + 1));
    const double value = to_double(value_of_rank(f, r));
    return {value - (value - low) * 0.5000001, value + (high - value) * 0.5000001};
}

class Search {
  public:
    Search(const JudgeState& state, const Row& row, const RowOutputs& outputs, const Scenario& target,
           const StoredSearch& search)
        : state_(state),
          row_(row),
          outputs_(outputs),
          search_(search),
          contract_(state.contract),
          mean_(to_double(target.mean_number) / to_double(target.mean_scale)) {
        if (contract_.norm == Norm::layer) mean_ = to_double(row.sums.sum) / static_cast<double>(row.sums.n);
    }

    // The ranks of the range from the target's outwards, so that the first pair found is the closest in rstd.
    std::optional<Scenario> run(int64_t target_rstd) const {
        const Format& f = format(*contract_.stored_at(Point::rstd));
        const int64_t farthest = std::max(search_.highest_rstd - target_rstd, target_rstd - search_.lowest_rstd);
        for (int64_t away = 0; away <= farthest; ++away) {
            for (const int64_t r : {target_rstd - away, target_rstd + away}) {
                if (r < search_.lowest_rstd || r > search_.highest_rstd) continue;
                if (auto found = try_rstd(to_double(value_of_rank(f, r)))) return found;
            }
        }
        return std::nullopt;
    }

  private:
    bool folded() const { return contract_.apply == Apply::folded; }

    // The other number's range that the bounds leave: shift near -mean * rstd, or the mean itself.
    Interval other_range(double rstd) const {
        const auto error = static_cast<double>(search_.mean_error.value * 1.001L);
        if (!folded()) return {mean_ - error, mean_ + error};
        const double off = error + 3.01 * static_cast<double>(search_.roundoff.value) * (std::fabs(mean_) + error);
        return {(-mean_ - off) * rstd, (-mean_ + off) * rstd};
    }

    // What one output leaves of it: y = g (x r + t) + b or g (x - m) r + b, every step with a little loss.
    Interval from_output(int64_t i, double rstd) const {
        const Format& y = format(contract_.y);
        if (!is_plain(state_, i)) return {};
        if (is_nan(y, outputs_.y[i])) return {1, 0};
        const double x = row_.s[i].hi;
        const double g = state_.parameters.gamma.empty() ? 1 : state_.parameters.gamma[i].hi;
        const double b = state_.parameters.beta.empty() ? 0 : state_.parameters.beta[i];
        if (g == 0) return {};
        Interval p = preimage(y, outputs_.y[i]);
        const double size = (std::fabs(x) + std::fabs(mean_)) * rstd + std::fabs(b / g) + std::fabs(p.low / g);
        const auto u = static_cast<double>(machine(contract_.acc, Subnormals::keep).roundoff.value);
        Interval z{(p.low - b) / g, (p.high - b) / g};
        if (g < 0) std::swap(z.low, z.high);
        z = widened(z, size * (8 * u + 1e-12));
        if (folded()) return {z.low - x * rstd, z.high - x * rstd};
        return {x - z.high / rstd, x - z.low / rstd};
    }

    std::optional<Scenario> try_rstd(double rstd) const {
        if (!(rstd > 0)) return std::nullopt;
        if (contract_.norm == Norm::rms) return try_pair(rstd, 0);
        Interval other = other_range(rstd);
        for (int64_t i = 0; i < state_.cols && !other.empty(); ++i) other = meet(other, from_output(i, rstd));
        if (other.empty()) return std::nullopt;
        const Format& f = format(*contract_.stored_at(folded() ? Point::shift : Point::mean));
        const int64_t last = rank(f, round_double(f, other.high));
        int64_t tries = 0;
        for (int64_t r = rank(f, round_double(f, other.low)); r <= last && tries < 64; ++r, ++tries)
            if (auto found = try_pair(rstd, to_double(value_of_rank(f, r)))) return found;
        return std::nullopt;
    }

    std::optional<Scenario> try_pair(double rstd, double other) const {
        Scenario pair;
        pair.rstd_number = dyadic(rstd);
        pair.offset = dyadic_integer(1);
        pair.loss.reciprocal = upper_magnitude(rstd);
        if (contract_.norm == Norm::layer && folded()) pair.shift = dyadic(other);
        if (contract_.norm == Norm::layer && !folded()) pair.mean_number = dyadic(other);
        const Elements elements(state_, row_, pair);
        for (int64_t i = 0; i < state_.cols; ++i)
            if (is_plain(state_, i) && is_nan(format(contract_.y), outputs_.y[i])) return std::nullopt;
        for (int64_t i = 0; i < state_.cols; ++i)
            if (is_plain(state_, i) && !elements.admissible(i, rank(format(contract_.y), outputs_.y[i])))
                return std::nullopt;
        return pair;
    }

    const JudgeState& state_;
    const Row& row_;
    const RowOutputs& outputs_;
    const StoredSearch& search_;
    const Contract& contract_;
    double mean_;
};

}  // namespace

std::optional<Scenario> explaining_pair(const JudgeState& state, const Row& row, const RowOutputs& outputs,
                                        const Scenario& target, const StoredSearch& search) {
    const Format& f = format(*state.contract.stored_at(Point::rstd));
    return Search(state, row, outputs, target, search).run(rank(f, round_double(f, to_double(target.rstd_number))));
}

double pair_bits(const Contract& contract, const Scenario& target, const Scenario& pair) {
    const auto bits = [](const Format& f, double a, double b) {
        return bits_of(static_cast<double>(rank_distance(rank(f, round_double(f, a)), rank(f, round_double(f, b)))));
    };
    const double rstd = to_double(pair.rstd_number);
    const double first = bits(format(*contract.stored_at(Point::rstd)), rstd, to_double(target.rstd_number));
    if (contract.norm == Norm::rms) return first;
    if (contract.apply == Apply::centred) {
        const double mean = to_double(target.mean_number) / to_double(target.mean_scale);
        return first + bits(format(*contract.stored_at(Point::mean)), to_double(pair.mean_number), mean);
    }
    const double mean = -to_double(*target.shift) / to_double(target.rstd_number);
    return first + bits(format(*contract.stored_at(Point::shift)), to_double(*pair.shift), -mean * rstd);
}

}  // namespace normcheck
