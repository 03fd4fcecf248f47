// Plain kernels for the tests of the bounds: the contract's steps one by one, rounded after each, in whatever order and
// spelling the contract leaves open. Nothing here is clever; that is the point.
#pragma once

#include <algorithm>
#include <cmath>

#include "oracles/tests/judge_rows.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck::plain {

using rows::Codes;
using std::fma;
using std::sqrt;

/// A number that is rounded after each operation: what a 16-bit accumulator does.
template <FormatId id>
struct Narrow {
    double value = 0;
    Narrow() = default;
    explicit Narrow(double v) : value(decode_double(format(id), round_double(format(id), v))) {}
    explicit operator double() const { return value; }
    friend Narrow operator+(Narrow a, Narrow b) { return Narrow(a.value + b.value); }
    friend Narrow operator-(Narrow a, Narrow b) { return Narrow(a.value - b.value); }
    friend Narrow operator*(Narrow a, Narrow b) { return Narrow(a.value * b.value); }
    friend Narrow operator/(Narrow a, Narrow b) { return Narrow(a.value / b.value); }
    friend bool operator<(Narrow a, Narrow b) { return a.value < b.value; }
    friend Narrow sqrt(Narrow a) { return Narrow(std::sqrt(a.value)); }
    friend Narrow fma(Narrow a, Narrow b, Narrow c) { return a * b + c; }
};

/// How a kernel goes about it, within what its contract leaves open.
enum class Shape { sequential, lanes, tree, blocks };
struct Way {
    Shape shape = Shape::sequential;
    bool multiplies_by_inverse_count = false;
    bool divides = false;      // c / D in place of c * (1 / D)
    bool gamma_first = false;  // c * (r * gamma)
    bool contracts = false;    // fused multiply-add where one fits
    bool joins_sums = false;   // eps is added to the sum, not to the mean, of squares (on_sum, on_count)
};

inline Way random_way(twin::Draw& draw) {
    constexpr Shape shapes[] = {Shape::sequential, Shape::lanes, Shape::tree, Shape::blocks};
    return {draw.of(shapes), draw.chance(50), draw.chance(30), draw.chance(30), draw.chance(40), draw.chance(50)};
}

template <class Real>
struct Kernel {
    const Contract& contract;
    Way way;
    int64_t n;

    using Values = std::vector<Real>;
    struct Moments {
        int64_t count = 0;
        Real mean{}, squares{};
    };

    static Real number(double value) { return static_cast<Real>(value); }
    static Real rounded(FormatId id, Real value) {
        return number(decode_double(format(id), round_double(format(id), static_cast<double>(value))));
    }
    /// The value as it is after the contract has stored it, where it does.
    Real stored(Point point, Real value) const {
        const auto id = contract.stored_at(point);
        return id ? rounded(*id, value) : value;
    }
    Real by_count(Real sum) const {
        if (way.multiplies_by_inverse_count) return sum * number(1.0 / static_cast<double>(n));
        return number(static_cast<double>(sum) / static_cast<double>(n));
    }
    Real plus_product(Real a, Real b, Real c) const { return way.contracts ? fma(a, b, c) : a * b + c; }

    /// Reduces parts [first, last) by the way's shape; `one` makes a part of consecutive terms, `join` joins two.
    template <class Part, class One, class Join>
    Part reduced(int64_t first, int64_t last, One one, Join join) const {
        if (last - first <= 1) return one(first, last, 1);
        const int64_t middle = first + (last - first) / 2;
        return join(reduced<Part>(first, middle, one, join), reduced<Part>(middle, last, one, join));
    }
    template <class Part, class One, class Join>
    Part reduced(One one, Join join) const {
        if (way.shape == Shape::sequential) return one(0, n, 1);
        if (way.shape == Shape::tree) return reduced<Part>(0, n, one, join);
        if (way.shape == Shape::blocks) {
            const int64_t size = std::max<int64_t>(1, static_cast<int64_t>(std::sqrt(static_cast<double>(n))));
            Part all = one(0, std::min(n, size), 1);
            for (int64_t first = size; first < n; first += size)
                all = join(all, one(first, std::min(n, first + size), 1));
            return all;
        }
        std::vector<Part> lanes;
        for (int64_t lane = 0; lane < 16; ++lane) lanes.push_back(one(lane, n, 16));
        for (size_t half = 8; half > 0; half /= 2)
            for (size_t lane = 0; lane < half; ++lane) lanes[lane] = join(lanes[lane], lanes[lane + half]);
        return lanes[0];
    }

    Real sum(const Values& values) const {
        const auto one = [&](int64_t first, int64_t last, int64_t step) {
            Real total{};
            for (int64_t i = first; i < last; i += step) total = total + values[i];
            return total;
        };
        return reduced<Real>(one, [](Real a, Real b) { return a + b; });
    }
    Real sum_of_squares(const Values& values, Real centre) const {
        const auto one = [&](int64_t first, int64_t last, int64_t step) {
            Real total{};
            for (int64_t i = first; i < last; i += step) {
                const Real c = values[i] - centre;
                total = plus_product(c, c, total);
            }
            return total;
        };
        return reduced<Real>(one, [](Real a, Real b) { return a + b; });
    }

    void push(Moments& m, Real value) const {
        ++m.count;
        const Real delta = value - m.mean;
        const auto k = static_cast<double>(m.count);
        m.mean = way.multiplies_by_inverse_count ? plus_product(delta, number(1 / k), m.mean)
                                                 : m.mean + number(static_cast<double>(delta) / k);
        m.squares = plus_product(delta, value - m.mean, m.squares);
    }
    Moments merged(const Moments& a, const Moments& b) const {
        if (a.count == 0 || b.count == 0) return a.count == 0 ? b : a;
        const auto all = static_cast<double>(a.count + b.count);
        const Real share = number(static_cast<double>(b.count) / all);
        const Real delta = b.mean - a.mean;
        const Real weight = number(static_cast<double>(a.count)) * share;
        return {a.count + b.count, plus_product(delta, share, a.mean), a.squares + b.squares + delta * delta * weight};
    }
    Moments welford(const Values& values) const {
        const auto one = [&](int64_t first, int64_t last, int64_t step) {
            Moments m;
            for (int64_t i = first; i < last; i += step) push(m, values[i]);
            return m;
        };
        return reduced<Moments>(one, [&](const Moments& a, const Moments& b) { return merged(a, b); });
    }

    /// The mean and the sum of squares about it.
    Moments moments(const Values& values) const {
        if (contract.norm == Norm::rms) return {n, Real{}, sum_of_squares(values, Real{})};
        if (contract.variance == Variance::welford) return welford(values);
        const Real computed = by_count(sum(values));
        const Real mean = contract.variance == Variance::two_pass ? stored(Point::mean, computed) : computed;
        return {n, mean, sum_of_squares(values, contract.variance == Variance::one_pass ? Real{} : mean)};
    }
    Real variance(const Moments& m) const {
        const Real v = by_count(m.squares);
        const bool subtracts = contract.norm == Norm::layer && contract.variance == Variance::one_pass;
        return subtracts ? v - m.mean * m.mean : v;
    }
    /// What stands under the root, eps included where it belongs there.
    Real radicand(const Moments& m) const {
        const Real eps = number(contract.eps.value);
        const auto count = static_cast<double>(n);
        const Real v = stored(Point::var, variance(m));
        const bool joins = way.joins_sums && contract.variance != Variance::one_pass;
        switch (contract.eps_at) {
            case EpsAt::inside:
            case EpsAt::inside_and_outside:
                return v + eps;
            case EpsAt::max_variance:
                return v < eps ? eps : v;
            case EpsAt::on_sum:
                return joins ? by_count(m.squares + eps) : v + number(contract.eps.value / count);
            case EpsAt::on_count:
                return joins ? m.squares / (number(count) + eps) : v * (number(count) / (number(count) + eps));
            case EpsAt::outside:
            case EpsAt::none:
            case EpsAt::max_std:
            case EpsAt::max_norm:
                break;
        }
        return v;
    }
    Real denominator(const Moments& m) const {
        const Real eps = number(contract.eps.value);
        if (contract.eps_at == EpsAt::max_norm) {
            const Real norm = sqrt(m.squares);
            return (norm < eps ? eps : norm) / number(std::sqrt(static_cast<double>(n)));
        }
        const Real root = stored(Point::std, sqrt(stored(Point::radicand, radicand(m))));
        const bool adds = contract.eps_at == EpsAt::outside || contract.eps_at == EpsAt::inside_and_outside;
        const bool bounds = contract.eps_at == EpsAt::max_std && root < eps;
        return stored(Point::denominator, adds ? root + eps : bounds ? eps : root);
    }

    Real normed(Real x, Real mean, Real d, Real r) const {
        if (contract.apply == Apply::folded) return plus_product(x, r, stored(Point::shift, Real{} - mean * r));
        const Real c = stored(Point::centred, contract.norm == Norm::layer ? x - mean : x);
        return way.divides ? c / d : c * r;
    }
    Real scaled(Real x, Real mean, Real d, Real r, Real g) const {
        const bool first = way.gamma_first && !way.divides && contract.apply == Apply::centred;
        if (first) return (contract.norm == Norm::layer ? x - mean : x) * (r * g);
        const Real value = normed(x, mean, d, r);
        return stored(Point::scaled, (contract.cast == Cast::before_gamma ? rounded(contract.y, value) : value) * g);
    }
};

/// What a kernel of that way returns; `order` is the order in which it takes the row into its sums.
struct Returned {
    Codes y;
    uint64_t mean, rstd;
};
template <class Real>
Returned run(const rows::Given& row, const Way& way, const std::vector<size_t>& order) {
    const Contract& contract = row.contract;
    const Kernel<Real> kernel{contract, way, row.cols()};
    const auto number = [](FormatId id, uint64_t code) { return static_cast<Real>(decode_double(format(id), code)); };
    std::vector<Real> values;
    for (const size_t i : order) values.push_back(number(contract.x, row.x[i]));
    auto m = kernel.moments(values);
    const Real d = kernel.denominator(m);
    m.mean = kernel.stored(Point::mean, m.mean);
    const Real r = kernel.stored(Point::rstd, static_cast<Real>(1.0) / d);
    const auto stored = [](FormatId id, Real value) { return round_double(format(id), static_cast<double>(value)); };
    Returned result{{}, stored(contract.stats, m.mean), stored(contract.stats, r)};
    for (size_t i = 0; i < row.x.size(); ++i) {
        const Real x = number(contract.x, row.x[i]);
        // Without a gamma the cast before it is the last rounding itself.
        Real y = row.gamma.empty() ? kernel.normed(x, m.mean, d, r)
                                   : kernel.scaled(x, m.mean, d, r, number(contract.params, row.gamma[i]));
        if (!row.beta.empty()) y = y + number(contract.params, row.beta[i]);
        result.y.push_back(stored(contract.y, y));
    }
    return result;
}

inline Returned run_in(FormatId acc, const rows::Given& row, const Way& way, const std::vector<size_t>& order) {
    switch (acc) {
        case FormatId::f64:
            return run<double>(row, way, order);
        case FormatId::f32:
            return run<float>(row, way, order);
        case FormatId::f16:
            return run<Narrow<FormatId::f16>>(row, way, order);
        case FormatId::bf16:
            return run<Narrow<FormatId::bf16>>(row, way, order);
    }
    return {};
}

}  // namespace normcheck::plain
