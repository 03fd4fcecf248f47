// Enclosures of a row's sums from the vector passes.
//
// Proof. With u = 2^-53, a sum of n terms in double, each of which passes h additions at most, is off by at most
// h u / (1 - h u) of the sum of the terms' magnitudes (Higham 2002, section 4.2); a product adds u of each term. All
// factors are taken with one more u than they need, which covers second-order terms as long as h u < 2^-20.
//   rms:   sum x^2 within (h + 2) u of itself.
//   layer: S = sum x within (h + 1) u sum|x|. About any centre c, d = fl(x - c) has a relative error of u, so that
//          sum (x - c) is within (h + 2) u sum|d| <= (h + 3) u sqrt(n sum d^2) of the computed one, and sum (x - c)^2
//          within (h + 4) u of itself. Then n sum (x - mean)^2 = n sum (x - c)^2 - (sum (x - c))^2 whatever c is.
// Where the values are multiples of 2^b and sum|x| <= 2^(b + 53), every partial sum is exact.
#include "oracles/certified/facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace normcheck::certified {
namespace {

size_t padded(int64_t n) {
    return static_cast<size_t>((n + lanes - 1) / lanes * lanes);
}

Near around(double value, double error) {
    return error == 0 ? Near(value)
                      : Near(value - error * 1.01 - std::fabs(value) * 0x1p-52,
                             value + error * 1.01 + std::fabs(value) * 0x1p-52);
}
Bound around_size(double value, double relative) {
    return {value * (1 - relative * 1.01), value * (1 + relative * 1.01)};
}

int exponent_of(double power) {
    return static_cast<int>(std::bit_cast<uint64_t>(power) >> 52) - 1023;
}

bool all_equal(const double* x, int64_t n) {
    return std::all_of(x, x + n, [&](double value) { return value == x[0]; });
}

class Reading {
  public:
    Reading(const JudgeState& state, int64_t n) : state_(state), n_(n), x_(scratch().x.data()) {
        layer_ = state.contract.norm == Norm::layer;
        const auto& gamma = state.parameters.gamma_values;
        gamma_ = gamma.empty() ? nullptr : gamma.data();
        facts_.sums.n = n;
    }

    Facts run(const Codes& x) {
        const RowPass pass =
            layer_ ? passes().sums(x, n_, scratch().x.data()) : passes().squares(x, gamma_, n_, scratch().x.data());
        const Format& f = format(state_.contract.x);
        const double first_past = power_of_two(f.max_exponent() + 1);
        if (!(pass.largest < first_past) || !std::isfinite(pass.magnitudes) || !std::isfinite(pass.squares)) {
            facts_.special = true;
            return facts_;
        }
        // Squares of smaller or larger values leave the range of a double.
        const bool squares_fit = pass.largest == 0 || (pass.largest > 0x1p-400 && pass.largest < 0x1p400);
        if (!squares_fit) throw Undecided{};
        facts_.sums.largest = pass.largest;
        facts_.sums.constant = n_ < 2 || (x_[0] == x_[1] && all_equal(x_, n_));
        if (layer_)
            layer(pass);
        else
            rms(pass);
        return facts_;
    }

  private:
    // Nothing but the first values is looked at where these rule out that any sum of the kernel could be exact; but
    // where the values cancel, ours is made exact if it can be.
    void lowest_bit(double magnitudes, double squares, bool cancels) {
        NearSums& sums = facts_.sums;
        if (sums.largest == 0) {
            sums.lowest_bit = 0;
            sums.lowest_bit_known = true;
            return;
        }
        const double p = power_of_two(format(state_.contract.moments).significand_bits);
        double lowest = passes().lowest_bit(x_, std::min<int64_t>(n_, lanes));
        if (std::isfinite(lowest) && lowest > 0x1p-1000) {
            const bool sum_may_fit = layer_ && (cancels || magnitudes * (1 - 0x1p-30) <= lowest * p);
            const bool squares_may_fit = !layer_ && squares * (1 - 0x1p-30) <= lowest * lowest * p;
            if (!sum_may_fit && !squares_may_fit && !sums.constant) {
                sums.lowest_bit = exponent_of(lowest);
                return;
            }
        }
        lowest = passes().lowest_bit(x_, n_);
        if (!(lowest > 0x1p-1000)) throw Undecided{};
        sums.lowest_bit = exponent_of(lowest);
        sums.lowest_bit_known = true;
    }

    void rms(const RowPass& pass) {
        NearSums& sums = facts_.sums;
        facts_.largest_product = pass.largest_product;
        lowest_bit(0, pass.squares, false);
        const double h = sum_depth(n_);
        const double bit = sums.lowest_bit_known ? power_of_two(static_cast<int>(sums.lowest_bit)) : 0;
        const bool exact = pass.squares <= bit * bit * 0x1p53;
        sums.sum_of_squares = exact ? Near(pass.squares) : around(pass.squares, (h + 2) * u * pass.squares);
    }

    void layer(const RowPass& pass) {
        NearSums& sums = facts_.sums;
        const double h = sum_depth(n_);
        const auto n = static_cast<double>(n_);
        lowest_bit(pass.magnitudes, 0, std::fabs(pass.sum) < pass.magnitudes * 0x1p-20);
        const double bit = sums.lowest_bit_known ? power_of_two(static_cast<int>(sums.lowest_bit)) : 0;
        const bool exact = pass.magnitudes <= bit * 0x1p53;
        sums.sum = exact ? Near(pass.sum) : around(pass.sum, (h + 1) * u * pass.magnitudes);
        sums.sum_of_magnitudes = around_size(pass.magnitudes, (h + 2) * u);
        sums.centre = sums.constant ? x_[0] : pass.sum / n;
        if (sums.constant) {
            sums.sum = Near(sums.centre) * Near(n);
            if (exact) sums.sum = Near(pass.sum);
        } else {
            spread(exact && std::fma(sums.centre, n, -pass.sum) == 0);
        }
        sums.sum_of_squares = (sums.spread + sums.sum * sums.sum) / Near(n);
        if (sums.sum_of_squares.lo < 0) sums.sum_of_squares.lo = 0;
    }

    void spread(bool centre_is_mean) {
        NearSums& sums = facts_.sums;
        const double h = sum_depth(n_);
        const auto n = static_cast<double>(n_);
        const CentredPass pass = passes().centred(x_, gamma_, n_, sums.centre);
        facts_.largest_product = pass.largest_product;
        const Near off =
            centre_is_mean ? Near() : around(pass.sum, (h + 3) * u * std::sqrt(n * pass.squares) * (1 + 0x1p-20));
        sums.off_centre = off / Near(n);
        sums.spread = Near(n) * around(pass.squares, (h + 4) * u * pass.squares) - off * off;
    }

    const JudgeState& state_;
    int64_t n_;
    const double* x_;
    const double* gamma_;
    bool layer_;
    Facts facts_;
};

}  // namespace

Storage storage_of(FormatId id) {
    switch (id) {
        case FormatId::f64:
            return Storage::f64;
        case FormatId::f32:
            return Storage::f32;
        case FormatId::f16:
            return Storage::f16;
        case FormatId::bf16:
            return Storage::bf16;
    }
    return Storage::f64;
}

void Scratch::resize(int64_t n) {
    const size_t size = padded(n);
    if (x.size() >= size) return;
    for (std::vector<double>* each : {&x, &error, &doubt}) each->resize(size);
}

Scratch& scratch() {
    static thread_local Scratch buffers;
    return buffers;
}

Codes packed(const normcheck::Codes& codes, FormatId id, int64_t n, std::vector<uint64_t>& buffer) {
    const int bytes = format(id).bytes();
    if (codes.bytes() == bytes) return {codes.data(), storage_of(id)};
    buffer.resize(static_cast<size_t>(n));
    const auto* from = static_cast<const uint64_t*>(codes.data());
    if (bytes == 4)
        std::transform(from, from + n, reinterpret_cast<uint32_t*>(buffer.data()),
                       [](uint64_t code) { return static_cast<uint32_t>(code); });
    else
        std::transform(from, from + n, reinterpret_cast<uint16_t*>(buffer.data()),
                       [](uint64_t code) { return static_cast<uint16_t>(code); });
    return {buffer.data(), storage_of(id)};
}

Facts read_facts(const JudgeState& state, const normcheck::Codes& x, int64_t n) {
    scratch().resize(n);
    return Reading(state, n).run(packed(x, state.contract.x, n, scratch().narrowed));
}

Facts facts_of(const JudgeState& state, int64_t n) {
    return Reading(state, n).run({scratch().x.data(), Storage::f64});
}

}  // namespace normcheck::certified
