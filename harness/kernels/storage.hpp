// The kernels' own storage codec: f16 and bf16 as uint16_t codes, to and from f32 and f64. Integer code on the bits,
// without branches, the same for one value and for a register of them; compilers' _Float16 and __bf16 are not used
// because their results differ between compilers, and instructions for bf16 flush subnormals. Two steps use exact float
// operations on values that flush-to-zero cannot touch; each says why.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "harness/abi/normcheck.h"
#include "harness/kernels/registers.hpp"

namespace normcheck {

/// The bit layout of a machine format.
template <class Float>
struct Layout;
template <>
struct Layout<float> {
    using Bits = int32_t;
    static constexpr int fraction_bits = 23;
    static constexpr int bias = 127;
};
template <>
struct Layout<double> {
    using Bits = int64_t;
    static constexpr int fraction_bits = 52;
    static constexpr int bias = 1023;
};

/// A power of two as f32 or f64; the exponent must be that of a normal number.
template <class Float>
constexpr Float power_of_two(int exponent) {
    using Bits = typename Layout<Float>::Bits;
    return std::bit_cast<Float>(Bits{exponent + Layout<Float>::bias} << Layout<Float>::fraction_bits);
}

/// A 16-bit IEEE 754 style format with subnormals, Inf and NaN.
template <int exponent_bits, int fraction_bits>
struct StoredSmall {
    using Code = uint16_t;
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr int infinity = ((1 << exponent_bits) - 1) << fraction_bits;
    static constexpr int quiet_nan = infinity | 1 << (fraction_bits - 1);
    static constexpr int smallest_exponent = 1 - bias - fraction_bits;

    /// The values of codes, exactly; a NaN stays a NaN.
    template <class Float, class Codes>
    static Like<Codes, Float> decode(Codes codes) {
        return convert<Float>(decode_single(codes));
    }

    /// The nearest codes, ties to even, in one rounding; past the largest finite value Inf; every NaN becomes a quiet
    /// NaN.
    template <class Values>
    static Like<Values, Code> encode(Values values) {
        using Float = ElementOf<Values>;
        using One = typename Layout<Float>::Bits;
        using Bits = Like<Values, One>;
        constexpr int sign_shift = sizeof(One) * 8 - 16;
        constexpr One wide_infinity = std::bit_cast<One>(static_cast<Float>(__builtin_inf()));
        if constexpr (bias == Layout<Float>::bias) return shorten(values);
        const Bits bits = std::bit_cast<Bits>(values);
        const Bits magnitude = bits & ~(One{1} << (sizeof(One) * 8 - 1));
        Bits code = round_magnitude<Float>(magnitude);
        code = select(code > infinity, all<Bits>(infinity), code);
        code = select(magnitude > wide_infinity, all<Bits>(quiet_nan), code);
        return convert<Code>(code | (bits >> sign_shift & 0x8000));
    }

  private:
    template <class Codes>
    static Like<Codes, float> decode_single(Codes codes) {
        using Bits = Like<Codes, int32_t>;
        constexpr int shift = Layout<float>::fraction_bits - fraction_bits;
        constexpr int32_t rebias = (Layout<float>::bias - bias) << Layout<float>::fraction_bits;
        using Unsigned = Like<Codes, uint32_t>;
        using Singles = Like<Codes, float>;
        if constexpr (rebias == 0) return std::bit_cast<Singles>(as_upper_halves(codes));
        const Bits code = convert<int32_t>(codes);
        const Bits magnitude = code & 0x7fff;
        Bits bits = (magnitude << shift) + rebias;
        bits += select(magnitude >= infinity, all<Bits>(rebias), Bits{});
        // A small integer times a power of two: exact, and normal in f32.
        const Singles subnormal = convert<float>(magnitude) * power_of_two<float>(smallest_exponent);
        bits = select(magnitude < (1 << fraction_bits), std::bit_cast<Bits>(subnormal), bits);
        return std::bit_cast<Singles>(std::bit_cast<Unsigned>(bits) | convert<uint32_t>(code & 0x8000) << 16);
    }

    /// Rounds f32 to its upper half, a format of the same exponents, where subnormals are like all others and what
    /// overflows carries into Inf.
    template <class Singles>
    static Like<Singles, Code> shorten(Singles values) {
        using Bits = Like<Singles, uint32_t>;
        const Bits bits = std::bit_cast<Bits>(values);
        const Bits rounded = bits + (bits >> 16 & 1U) + 0x7fffU;
        const Bits nan = (bits & 0x80000000U) | static_cast<uint32_t>(quiet_nan) << 16;
        return upper_halves(select(values != values, nan, rounded));
    }

    /// The code of a magnitude, larger than `infinity` where it overflows; of no use where it is NaN.
    template <class Float, class Bits>
    static Bits round_magnitude(Bits magnitude) {
        using One = ElementOf<Bits>;
        constexpr int shift = Layout<Float>::fraction_bits - fraction_bits;
        constexpr One rebias = One{Layout<Float>::bias - bias} << Layout<Float>::fraction_bits;
        constexpr One below_half = (One{1} << (shift - 1)) - 1;
        // Unsigned, because a NaN's bits may carry past the largest signed value.
        using Unsigned = Like<Bits, std::make_unsigned_t<One>>;
        const Unsigned raised = std::bit_cast<Unsigned>(magnitude) +
                                static_cast<std::make_unsigned_t<One>>(below_half - rebias) +
                                std::bit_cast<Unsigned>(magnitude >> shift & One{1});
        const Bits normal = std::bit_cast<Bits>(raised >> shift);
        // Adding the power of two whose spacing is the format's smallest subnormal rounds the magnitude to that
        // spacing, in one IEEE addition; a magnitude that flushing would take for zero rounds to zero anyhow.
        constexpr Float anchor = power_of_two<Float>(smallest_exponent + Layout<Float>::fraction_bits);
        constexpr One smallest_normal = ((rebias >> Layout<Float>::fraction_bits) + 1) << Layout<Float>::fraction_bits;
        const Bits subnormal =
            std::bit_cast<Bits>(std::bit_cast<Like<Bits, Float>>(magnitude) + anchor) - std::bit_cast<One>(anchor);
        return select(magnitude < smallest_normal, subnormal, normal);
    }
};

/// A machine format, stored as it is.
template <class Stored>
struct StoredMachine {
    using Code = Stored;
    template <class Float, class Values>
    static Like<Values, Float> decode(Values values) {
        return convert<Float>(values);
    }
    template <class Values>
    static Like<Values, Code> encode(Values values) {
        return convert<Code>(values);
    }
};

using StoredF64 = StoredMachine<double>;
using StoredF32 = StoredMachine<float>;
using StoredF16 = StoredSmall<5, 10>;
using StoredBf16 = StoredSmall<8, 7>;

/// Calls `function` with a value of the storage type of that format.
template <class Function>
void with_storage(nc_format format, Function&& function) {
    switch (format) {
        case NC_F64:
            return function(StoredF64{});
        case NC_F32:
            return function(StoredF32{});
        case NC_F16:
            return function(StoredF16{});
        case NC_BF16:
            return function(StoredBf16{});
    }
    std::abort();
}

}  // namespace normcheck
