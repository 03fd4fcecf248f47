// Sums in 16 independent lanes: term i goes to lane i mod 16, and the lanes are added pairwise as a tree. This order is
// what `reduce=lanes:16` promises; it needs no leave from the compiler to reorder, so every compiler and every vector
// width gives the same bits. The lanes are spelled as vector registers, because clang 19 makes poor code of a loop over
// an array of 16: 16 values per ns of a plain sum and 8 of a centred one, in cache, against 29 of both as below.
#pragma once

#include <cstdint>
#include <cstring>

namespace normcheck {

constexpr int lane_count = 16;

#ifdef __AVX__
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

/// A vector register; arithmetic on it is elementwise.
template <class Float>
struct RegisterOf {
    typedef Float Type __attribute__((vector_size(register_bytes)));
};
template <class Float>
using Register = typename RegisterOf<Float>::Type;

template <class Float>
constexpr int register_width = register_bytes / static_cast<int>(sizeof(Float));
template <class Float>
constexpr int register_count = lane_count / register_width<Float>;

template <class Float>
Register<Float> load_register(const Float* values) {
    Register<Float> result;
    std::memcpy(&result, values, sizeof result);
    return result;
}

/// Adds 16 lanes pairwise: 16 to 8 to 4 to 2 to 1. The lanes are used up.
template <class Float>
Float add_lanes(Float (&lanes)[lane_count]) {
    for (int half = lane_count / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    return lanes[0];
}

/// The sum of term(values[i]), in lanes; `term` takes a value or a register of values.
template <class Float, class Term>
Float lane_sum(const Float* values, int64_t count, Term term) {
    // One or two values, in lanes of their own, without a trip through memory.
    if (count == 1) return Float{0} + term(values[0]);
    if (count == 2) return (Float{0} + term(values[0])) + (Float{0} + term(values[1]));
    Register<Float> sums[register_count<Float>] = {};
    const int64_t full = count - count % lane_count;
    for (int64_t i = 0; i < full; i += lane_count)
        for (int part = 0; part < register_count<Float>; ++part)
            sums[part] += term(load_register(values + i + part * register_width<Float>));
    Float lanes[lane_count];
    std::memcpy(lanes, sums, sizeof lanes);
    for (int64_t i = full; i < count; ++i) lanes[i - full] += term(values[i]);
    return add_lanes(lanes);
}

}  // namespace normcheck
