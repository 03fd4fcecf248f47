// The pass over many rows of one or two elements, a row to a lane.
#pragma once

#include "oracles/certified/passes_vectors.hpp"

namespace normcheck::certified {
namespace {

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

inline void settle_short(const ShortTask& task, int64_t row, int64_t count, V v, I correct, I one_correct, I ask,
                         I finite, V error, V size) {
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
    settle_short(task, row, count, task.centred ? abs(a) : v, e.correct, I{}, e.ask, abs(a) < task.first_past, e.error,
                 e.size);
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
    alignas(8) char x_copy[lanes * 8] = {};
    alignas(8) char got_copy[lanes * 8] = {};
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
}  // namespace normcheck::certified
