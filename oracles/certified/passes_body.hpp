// The passes, once for every instruction set: the including file defines NORMCHECK_PASSES, the name of the table. Nothing
// here may call a function with linkage outside this file: it would be compiled for this instruction set alone and yet be
// used elsewhere.
#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "oracles/certified/passes.hpp"

namespace normcheck::certified {
namespace {

typedef double V __attribute__((vector_size(64)));
typedef int64_t I __attribute__((vector_size(64)));
typedef uint64_t U __attribute__((vector_size(64)));
typedef float F __attribute__((vector_size(32)));
typedef uint32_t W __attribute__((vector_size(32)));
typedef uint16_t H __attribute__((vector_size(16)));

constexpr int64_t sign_mask = INT64_MIN;
constexpr int64_t fraction_mask = (int64_t{1} << 52) - 1;
constexpr int64_t power_mask = int64_t{0x7ff} << 52;

inline V all(double a) {
    return V{a, a, a, a, a, a, a, a};
}
inline I bits(V a) {
    return (I)a;
}
inline V number(I a) {
    return (V)a;
}
inline V abs(V a) {
    return number(bits(a) & ~sign_mask);
}
inline V max(V a, V b) {
    return a > b ? a : b;
}
inline V min(V a, V b) {
    return a < b ? a : b;
}
inline V load(const double* at) {
    V a;
    __builtin_memcpy(&a, at, sizeof a);
    return a;
}
inline void store(double* at, V a) {
    __builtin_memcpy(at, &a, sizeof a);
}
inline V only(I mask, V a) {
    return number(bits(a) & mask);
}

inline bool any(I mask) {
#if defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)mask) != 0;
#elif defined(__AVX__)
    const V a = number(mask);
    __m256d half[2];
    __builtin_memcpy(half, &a, sizeof a);
    return _mm256_movemask_pd(_mm256_or_pd(half[0], half[1])) != 0;
#elif defined(__SSE2__)
    const V a = number(mask);
    __m128d part[4];
    __builtin_memcpy(part, &a, sizeof a);
    return _mm_movemask_pd(_mm_or_pd(_mm_or_pd(part[0], part[1]), _mm_or_pd(part[2], part[3]))) != 0;
#else
    int64_t whole = 0;
    for (int k = 0; k < lanes; ++k) whole |= mask[k];
    return whole != 0;
#endif
}

inline double sum_of(V a) {
    return ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]));
}
inline double max_of(V a) {
    double result = a[0];
    for (int k = 1; k < lanes; ++k) result = a[k] > result ? a[k] : result;
    return result;
}
inline int64_t count_of(I a) {
    int64_t result = 0;
    for (int k = 0; k < lanes; ++k) result += a[k];
    return result;
}
/// Lanes below `count`.
inline I first_lanes(int64_t count) {
    return I{0, 1, 2, 3, 4, 5, 6, 7} < (I{} + count);
}

// ---- reading codes

struct F64 {
    using Element = double;
    static V decode(const double* at) { return load(at); }
};
struct F32 {
    using Element = float;
    static V decode(const float* at) {
        F a;
        __builtin_memcpy(&a, at, sizeof a);
        return __builtin_convertvector(a, V);
    }
};
struct Bf16 {
    using Element = uint16_t;
    static V decode(const uint16_t* at) {
        H a;
        __builtin_memcpy(&a, at, sizeof a);
        return __builtin_convertvector((F)(__builtin_convertvector(a, W) << 16), V);
    }
};
// The exponent field is moved to where a double has it and rebiased by an exact product, which also makes subnormals
// normal. Inf and NaN come out as numbers from 2^16 on.
struct F16 {
    using Element = uint16_t;
    static V decode(const uint16_t* at) {
        H a;
        __builtin_memcpy(&a, at, sizeof a);
        const U wide = __builtin_convertvector(a, U);
        const V size = (V)((wide & 0x7fff) << 42) * all(0x1p1008);
        return (V)((U)size | (wide & 0x8000) << 48);
    }
};

template <class Reader>
inline V read(const void* data, int64_t i) {
    return Reader::decode(static_cast<const typename Reader::Element*>(data) + i);
}
/// The last, incomplete vector; lanes past the end are 0.
template <class Reader>
inline V read_tail(const void* data, int64_t i, int64_t count) {
    typename Reader::Element buffer[lanes] = {};
    __builtin_memcpy(buffer, static_cast<const typename Reader::Element*>(data) + i,
                     static_cast<size_t>(count) * sizeof buffer[0]);
    return Reader::decode(buffer);
}

template <template <class> class Pass, class... Arguments>
auto by_storage(Storage storage, Arguments... arguments) {
    switch (storage) {
        case Storage::f64:
            return Pass<F64>::run(arguments...);
        case Storage::f32:
            return Pass<F32>::run(arguments...);
        case Storage::f16:
            return Pass<F16>::run(arguments...);
        case Storage::bf16:
            break;
    }
    return Pass<Bf16>::run(arguments...);
}

/// step(i, k) on whole vectors, k the running vector it adds to, then tail(i, count) on what is left.
template <class Step, class Tail>
inline void each_vector(int64_t n, Step step, Tail tail) {
    int64_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
        step(i, 0);
        step(i + lanes, 1);
        step(i + 2 * lanes, 2);
        step(i + 3 * lanes, 3);
    }
    for (; i + lanes <= n; i += lanes) step(i, 0);
    if (i < n) tail(i, n - i);
}

inline double sum_of(const V (&a)[4]) {
    return sum_of((a[0] + a[1]) + (a[2] + a[3]));
}
inline double max_of(const V (&a)[4]) {
    return max_of(max(max(a[0], a[1]), max(a[2], a[3])));
}

// ---- passes over x

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

// ---- the pass over the elements

struct Records {
    double slack_low = 0, slack_high = 0, element_low = 0, element_high = 0;
    bool all_admissible = true;
};

/// One vector's elements: `unit` is half an ulp at the lowest y that is possible, `beyond` is error - unit.
struct Vectors {
    V size, error, doubt, width, unit, beyond;
    I incorrect, counts;
};

inline double power_of(double a) {
    int64_t field;
    __builtin_memcpy(&field, &a, sizeof a);
    field &= power_mask;
    __builtin_memcpy(&a, &field, sizeof a);
    return a;
}

/// For the few vectors that may hold a largest value. The factors cover the roundings of the quotients.
__attribute__((noinline)) void raise(Records& records, const ElementTask& task, const Vectors& v) {
    for (int k = 0; k < lanes; ++k) {
        const double longest = power_of(v.size[k] + v.doubt[k]) * task.half_unit;
        const double unit_high = longest > v.unit[k] ? longest : v.unit[k];
        if (v.counts[k] != 0) {
            const double low = (v.error[k] - v.doubt[k]) / unit_high * (1 - 0x1p-50);
            const double high = (v.error[k] + v.doubt[k]) / v.unit[k] * (1 + 0x1p-50);
            records.element_low = low > records.element_low ? low : records.element_low;
            records.element_high = high > records.element_high ? high : records.element_high;
        }
        if (v.incorrect[k] == 0) continue;
        const double narrow = v.width[k];
        if (!(v.beyond[k] + v.doubt[k] < narrow)) records.all_admissible = false;
        const double wide = narrow * (1 + 0x1p-40) + task.width_more;
        const double low = (v.error[k] - unit_high - v.doubt[k]) / wide * (1 - 0x1p-50);
        const double high = (v.beyond[k] + v.doubt[k]) / narrow * (1 + 0x1p-50);
        records.slack_low = low > records.slack_low ? low : records.slack_low;
        records.slack_high = high > records.slack_high ? high : records.slack_high;
    }
}

template <bool centred, bool with_gamma, bool with_beta, bool with_x>
struct Elements {
    template <class Reader>
    struct With {
        static ElementPass run(const ElementTask& task) {
            const V centre = all(task.centre), rest = all(task.rest), rstd = all(task.rstd);
            const V doubt_0 = all(task.doubt_0), doubt_c = all(task.doubt_c), doubt_t = all(task.doubt_t);
            const V width_0 = all(task.width_0), width_c = all(task.width_c);
            const V width_x = all(task.width_x), width_b = all(task.width_b);
            const V smallest = all(task.smallest_power), half = all(task.half_unit);
            const V below = all(task.cancelled_below), above = all(task.cancelled_above);
            Records records;
            V best_slack = all(0), best_element = all(0);
            V largest_error = {}, largest_y = {};
            I correct = {}, incorrect = {}, surely = {}, maybe = {};

            const auto take = [&](V got, int64_t i, I valid, bool whole) {
                const V x = load(task.x + i);
                const V c = centred ? (x - centre) - rest : x;
                V y = c * rstd;
                V doubt = doubt_0 + doubt_c * abs(c);
                V width = width_0 + width_c * abs(c);
                if (with_x) width += width_x * abs(x);
                if (with_gamma) {
                    const V g = load(task.gamma + i);
                    y *= g;
                    doubt *= abs(g);
                    width *= abs(g);
                }
                if (with_beta) {
                    const V b = load(task.beta + i);
                    y += b;
                    width += width_b * abs(b);
                }
                const V size = abs(y);
                doubt += doubt_t * size;
                V error = abs(got - y);
                if (!whole) {
                    error = only(valid, error);
                    doubt = only(valid, doubt);
                }
                store(task.error + i, error);
                store(task.doubt + i, doubt);
                const V power = number(bits(max(size - doubt, smallest)) & power_mask);
                const V unit = power * half;
                const V beyond = error - unit;
                const I is_correct = beyond + doubt < all(0);
                // Decided only where the gap between `got` and its neighbour towards y is at least an ulp of y: where
                // `got` has y's sign and lies in its binade or above.
                const V towards = number(bits(got) ^ (bits(y) & sign_mask));
                const I is_incorrect = (beyond > doubt) & (towards >= power);
                const I counts = size >= above;
                const I is_surely = size < below, is_maybe = size < above;
                if (whole) {
                    correct -= is_correct;
                    incorrect -= is_incorrect;
                    surely -= is_surely;
                    maybe -= is_maybe;
                } else {
                    correct -= is_correct & valid;
                    incorrect -= is_incorrect & valid;
                    surely -= is_surely & valid;
                    maybe -= is_maybe & valid;
                }
                largest_error = max(error, largest_error);
                largest_y = max(whole ? size : only(valid, size), largest_y);
                I record = (is_incorrect & (beyond + doubt > best_slack * width)) |
                           (counts & (error + doubt > best_element * unit));
                if (!whole) record &= valid;
                if (__builtin_expect(any(record), 0)) {
                    raise(records, task,
                          {size, error, doubt, width, unit, beyond, whole ? is_incorrect : is_incorrect & valid,
                           whole ? counts : counts & valid});
                    best_slack = all(records.slack_low);
                    best_element = all(records.element_low);
                }
            };
            int64_t i = 0;
            for (; i + lanes <= task.n; i += lanes) take(read<Reader>(task.got.data, i), i, I{}, true);
            if (i < task.n)
                take(read_tail<Reader>(task.got.data, i, task.n - i), i, first_lanes(task.n - i), false);

            ElementPass result;
            result.correct = count_of(correct);
            result.incorrect = count_of(incorrect);
            result.surely_cancelled = count_of(surely);
            result.maybe_cancelled = count_of(maybe);
            result.all_admissible = records.all_admissible;
            result.largest_error = max_of(largest_error);
            result.largest_y = max_of(largest_y);
            result.slack_low = records.slack_low;
            result.slack_high = records.slack_high;
            result.element_low = records.element_low;
            result.element_high = records.element_high;
            return result;
        }
    };
};

template <bool... settled>
struct Choose {
    static ElementPass run(const ElementTask& task) {
        constexpr int next = sizeof...(settled);
        if constexpr (next == 4) {
            return by_storage<Elements<settled...>::template With>(task.got.storage, task);
        } else {
            const bool choice = next == 0   ? task.centred
                                : next == 1 ? task.gamma != nullptr
                                : next == 2 ? task.beta != nullptr
                                            : task.width_x != 0;
            return choice ? Choose<settled..., true>::run(task) : Choose<settled..., false>::run(task);
        }
    }
};

ElementPass elements_pass(const ElementTask& task) {
    return Choose<>::run(task);
}

int64_t first_from_pass(const double* error, const double* doubt, int64_t n, int64_t start, double limit) {
    for (int64_t i = start / lanes * lanes; i < n; i += lanes) {
        const V sum = load(error + i) + load(doubt + i);
        if (!any(sum >= all(limit))) continue;
        for (int64_t k = i > start ? i : start; k < i + lanes && k < n; ++k)
            if (sum[k - i] >= limit) return k;
    }
    return n;
}

// ---- the pass over short rows

inline V root_of(V a) {
#if defined(__AVX512F__)
    return (V)_mm512_sqrt_pd((__m512d)a);
#else
    V result;
    for (int k = 0; k < lanes; ++k) result[k] = __builtin_sqrt(a[k]);
    return result;
#endif
}

inline V denominator(Root root, V v, V eps) {
    switch (root) {
        case Root::inside:
            return root_of(v + eps);
        case Root::outside:
            return root_of(v) + eps;
        case Root::max_variance:
            return root_of(max(v, eps));
        case Root::max_root:
            return max(root_of(v), eps);
        case Root::inside_and_outside:
            return root_of(v + eps) + eps;
        case Root::scaled:
            break;
    }
    return root_of(v * eps);
}

/// Two 16-bit codes of each row.
struct Two {
    V first, second;
};
template <class Reader>
inline Two read_two(const void* data, int64_t row) {
    W pair;
    __builtin_memcpy(&pair, static_cast<const char*>(data) + row * 4, sizeof pair);
    const H first = __builtin_convertvector(pair & 0xffff, H), second = __builtin_convertvector(pair >> 16, H);
    uint16_t codes[lanes];
    __builtin_memcpy(codes, &first, sizeof first);
    const V a = Reader::decode(reinterpret_cast<const typename Reader::Element*>(codes));
    __builtin_memcpy(codes, &second, sizeof second);
    return {a, Reader::decode(reinterpret_cast<const typename Reader::Element*>(codes))};
}

struct ShortElement {
    I correct, admissible, ask;
    V error, size;
};

/// y is within 2^-49 of c / d: c and d take no more than eight roundings.
inline ShortElement short_element(const ShortTask& task, V c, V d, V got) {
    ShortElement e;
    const V y = c / d;
    e.size = abs(y);
    const V doubt = e.size * 0x1p-49;
    e.error = abs(got - y) + doubt;
    const V power = number(bits(max(e.size - doubt, all(task.smallest_power))) & power_mask);
    const V unit = power * task.half_unit;
    const V towards = number(bits(got) ^ (bits(y) & sign_mask));
    e.correct = e.error < unit;
    const I incorrect = e.error - (doubt + doubt) > unit;
    e.admissible = incorrect & (e.error - unit < task.width * e.size) & (towards >= power);
    e.ask = ~(e.correct | e.admissible) | ~(e.size < task.largest);
    if (task.stored)
        e.ask |= ~e.correct;
    else
        e.ask |= e.error > task.element_floor * unit;
    return e;
}

inline void settle_short(const ShortTask& task, int64_t row, int64_t count, V v, I correct, I one_correct, I ask, I finite,
                         V error, V size) {
    if (!task.stored) {
        const V power = number(bits(max(size - size * 0x1p-49, all(task.smallest_power))) & power_mask);
        ask |= error > task.row_floor * (power * task.half_unit);
    }
    const I inside = (v >= task.inside_low) & (v <= task.inside_high);
    const I outside = (v <= task.outside_low) | (v >= task.outside_high);
    I verdict = correct ? I{} + static_cast<int64_t>(ShortVerdict::rounded)
                        : I{} + static_cast<int64_t>(ShortVerdict::admissible);
    verdict = one_correct ? I{} + static_cast<int64_t>(ShortVerdict::one_rounded) : verdict;
    verdict = (ask | ~inside | ~finite) ? I{} + static_cast<int64_t>(ShortVerdict::ask) : verdict;
    verdict = (outside & finite) ? I{} + static_cast<int64_t>(ShortVerdict::outside) : verdict;
    typedef uint8_t B __attribute__((vector_size(8)));
    const B bytes = __builtin_convertvector(verdict, B);
    __builtin_memcpy(task.verdict + row, &bytes, static_cast<size_t>(count));
}

template <class X, class Y>
inline void short_ones(const ShortTask& task, const void* x, const void* got, int64_t row, int64_t count) {
    const V a = read<X>(x, 0);
    const V v = task.centred ? a - a : a * a;
    const V d = denominator(task.root, v, all(task.eps));
    const ShortElement e = short_element(task, task.centred ? v : a, d, read<Y>(got, 0));
    settle_short(task, row, count, task.centred ? abs(a) : v, e.correct, I{}, e.ask, abs(a) < task.first_past, e.error, e.size);
}

template <class X, class Y>
inline void short_twos(const ShortTask& task, const void* x, const void* got, int64_t row, int64_t count) {
    const Two s = read_two<X>(x, 0), out = read_two<Y>(got, 0);
    Two c = s;
    V v;
    I inside{};
    const V largest = max(abs(s.first), abs(s.second));
    if (task.centred) {
        c.first = (s.first - s.second) * 0.5;
        c.second = -c.first;
        v = c.first * c.first;
        inside = largest <= task.reach * abs(c.first);
    } else {
        v = (s.first * s.first + s.second * s.second) * 0.5;
        inside = ~inside;
    }
    const V d = denominator(task.root, v, all(task.eps));
    const ShortElement p = short_element(task, c.first, d, out.first);
    const ShortElement q = short_element(task, c.second, d, out.second);
    const I finite = (abs(s.first) < task.first_past) & (abs(s.second) < task.first_past);
    settle_short(task, row, count, v, p.correct & q.correct, p.correct ^ q.correct, p.ask | q.ask | ~inside, finite,
                 max(p.error, q.error), max(p.size, q.size));
}

/// Whole groups of rows where they lie, the last ones from a copy with zeros behind.
template <class Step>
inline void each_group(const ShortTask& task, int64_t x_bytes, int64_t got_bytes, Step step) {
    const char* x = static_cast<const char*>(task.x.data);
    const char* got = static_cast<const char*>(task.got.data);
    int64_t row = 0;
    for (; row + lanes <= task.rows; row += lanes) step(x + row * x_bytes, got + row * got_bytes, row, lanes);
    if (row == task.rows) return;
    char x_copy[lanes * 8] = {}, got_copy[lanes * 8] = {};
    __builtin_memcpy(x_copy, x + row * x_bytes, static_cast<size_t>((task.rows - row) * x_bytes));
    __builtin_memcpy(got_copy, got + row * got_bytes, static_cast<size_t>((task.rows - row) * got_bytes));
    step(x_copy, got_copy, row, task.rows - row);
}

template <class X, class Y>
void short_rows_of(const ShortTask& task) {
    constexpr int64_t x_bytes = sizeof(typename X::Element), y_bytes = sizeof(typename Y::Element);
    if (task.cols == 1) {
        each_group(task, x_bytes, y_bytes, [&](const void* x, const void* got, int64_t row, int64_t count) {
            short_ones<X, Y>(task, x, got, row, count);
        });
    } else if constexpr (x_bytes == 2 && y_bytes == 2) {
        each_group(task, 4, 4, [&](const void* x, const void* got, int64_t row, int64_t count) {
            short_twos<X, Y>(task, x, got, row, count);
        });
    }
}

/// x and y of one format.
void short_rows_pass(const ShortTask& task) {
    switch (task.x.storage) {
        case Storage::f64:
            return;
        case Storage::f32:
            return short_rows_of<F32, F32>(task);
        case Storage::f16:
            return short_rows_of<F16, F16>(task);
        case Storage::bf16:
            return short_rows_of<Bf16, Bf16>(task);
    }
}

}  // namespace

extern const Passes NORMCHECK_PASSES;
const Passes NORMCHECK_PASSES = {NORMCHECK_PASSES_NAME, squares_pass,  sums_pass,      centred_pass,
                                 lowest_bit_pass,       elements_pass, first_from_pass, short_rows_pass};

}  // namespace normcheck::certified
