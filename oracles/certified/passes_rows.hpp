// The passes over the elements of x.
#pragma once

#include "oracles/certified/passes_vectors.hpp"

namespace normcheck::certified {
namespace {

template <bool with_gamma>
struct Squares {
    template <class Reader>
    struct With {
        static RowPass run(const Codes& x, const double* gamma, int64_t n, double* decoded) {
            V squares[4] = {}, largest[4] = {}, product[4] = {};
            const auto take = [&](V a, int64_t i, int k) {
                store(decoded + i, a);
                squares[k] += a * a;
                largest[k] = max(abs(a), largest[k]);
                if (with_gamma) product[k] = max(abs(a * load(gamma + i)), product[k]);
            };
            each_vector(
                n, [&](int64_t i, int k) { take(read<Reader>(x.data, i), i, k); },
                [&](int64_t i, int64_t count) { take(read_tail<Reader>(x.data, i, count), i, 1); });
            RowPass result;
            result.squares = sum_of(squares);
            result.largest = max_of(largest);
            result.largest_product = with_gamma ? max_of(product) : result.largest;
            return result;
        }
    };
};

RowPass squares_pass(const Codes& x, const double* gamma, int64_t n, double* decoded) {
    if (gamma != nullptr) return by_storage<Squares<true>::With>(x.storage, x, gamma, n, decoded);
    return by_storage<Squares<false>::With>(x.storage, x, gamma, n, decoded);
}

template <class Reader>
struct Sums {
    static RowPass run(const Codes& x, int64_t n, double* decoded) {
        V sum[4] = {}, magnitudes[4] = {}, largest[4] = {};
        const auto take = [&](V a, int64_t i, int k) {
            store(decoded + i, a);
            sum[k] += a;
            const V size = abs(a);
            magnitudes[k] += size;
            largest[k] = max(size, largest[k]);
        };
        each_vector(
            n, [&](int64_t i, int k) { take(read<Reader>(x.data, i), i, k); },
            [&](int64_t i, int64_t count) { take(read_tail<Reader>(x.data, i, count), i, 1); });
        RowPass result;
        result.sum = sum_of(sum);
        result.magnitudes = sum_of(magnitudes);
        result.largest = max_of(largest);
        return result;
    }
};

RowPass sums_pass(const Codes& x, int64_t n, double* decoded) {
    return by_storage<Sums>(x.storage, x, n, decoded);
}

template <bool with_gamma>
CentredPass centred_with(const double* x, const double* gamma, int64_t n, double centre) {
    V sum[4] = {}, squares[4] = {}, product[4] = {};
    const auto take = [&](V d, int64_t i, int k) {
        sum[k] += d;
        squares[k] += d * d;
        product[k] = max(abs(with_gamma ? d * load(gamma + i) : d), product[k]);
    };
    each_vector(
        n, [&](int64_t i, int k) { take(load(x + i) - centre, i, k); },
        [&](int64_t i, int64_t count) { take(only(first_lanes(count), load(x + i) - centre), i, 1); });
    return {sum_of(sum), sum_of(squares), max_of(product)};
}

CentredPass centred_pass(const double* x, const double* gamma, int64_t n, double centre) {
    return gamma != nullptr ? centred_with<true>(x, gamma, n, centre) : centred_with<false>(x, gamma, n, centre);
}

/// Of each x, the value of its lowest bit: what is lost when that bit is cleared, or all of x where it is a power of 2.
inline V lowest_bits(V x) {
    const I fraction = bits(x) & fraction_mask;
    const V size = abs(x);
    const V lost = size - number(bits(size) ^ (fraction & -fraction));
    const V low = lost == all(0) ? size : lost;
    return size == all(0) ? all(__builtin_huge_val()) : low;
}

double lowest_bit_pass(const double* x, int64_t n) {
    V lowest = all(__builtin_huge_val());
    for (int64_t i = 0; i < n; i += lanes) lowest = min(lowest_bits(load(x + i)), lowest);
    double result = lowest[0];
    for (int k = 1; k < lanes; ++k) result = lowest[k] < result ? lowest[k] : result;
    return result;
}

}  // namespace
}  // namespace normcheck::certified
