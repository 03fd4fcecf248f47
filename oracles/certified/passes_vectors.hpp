// Vectors of eight doubles and the reading of codes into them, for the passes. Included by passes_isa.cpp alone, which
// is compiled for several instruction sets: nothing here may call a function with linkage outside that file, since the
// linker would merge those of all copies.
#pragma once

#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "oracles/certified/passes.hpp"

// g++ 12 takes the undefined operand of its own square root for a variable that is not set.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

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
    const V b = max(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    const V c = max(b, __builtin_shufflevector(b, b, 2, 3, 0, 1, 6, 7, 4, 5));
    return c[1] > c[0] ? c[1] : c[0];
}
inline int64_t count_of(I a) {
    return ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]));
}
/// Lanes below `count`.
inline I first_lanes(int64_t count) {
    return I{0, 1, 2, 3, 4, 5, 6, 7} < (I{} + count);
}

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

}  // namespace
}  // namespace normcheck::certified
