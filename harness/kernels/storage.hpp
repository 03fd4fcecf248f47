// The kernels' own storage codec: f16 and bf16 as uint16_t codes, to and from f32 and f64. Integer code on the bits,
// without branches, so that loops over it vectorise; compilers' _Float16 and __bf16 are not used because their results
// differ between compilers. Two steps use exact float operations on values that flush-to-zero cannot touch; each says
// why.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "harness/abi/normcheck.h"

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

    /// The value of a code, exactly; a NaN stays a NaN.
    template <class Float>
    static Float decode(Code code) {
        return decode_single(code);
    }

    /// The nearest code, ties to even, in one rounding; past the largest finite value Inf; every NaN becomes a quiet
    /// NaN.
    template <class Float>
    static Code encode(Float value) {
        using Bits = typename Layout<Float>::Bits;
        constexpr int sign_shift = sizeof(Bits) * 8 - 16;
        constexpr Bits wide_infinity = std::bit_cast<Bits>(static_cast<Float>(__builtin_inf()));
        const Bits bits = std::bit_cast<Bits>(value);
        const Bits magnitude = bits & ~(Bits{1} << (sizeof(Bits) * 8 - 1));
        Bits code = round_magnitude<Float>(magnitude);
        code = code > infinity ? infinity : code;
        code = magnitude > wide_infinity ? quiet_nan : code;
        return static_cast<Code>(code | (bits >> sign_shift & 0x8000));
    }

  private:
    static float decode_single(Code code) {
        constexpr int shift = Layout<float>::fraction_bits - fraction_bits;
        constexpr int32_t rebias = (Layout<float>::bias - bias) << Layout<float>::fraction_bits;
        const int32_t magnitude = code & 0x7fff;
        int32_t bits = (magnitude << shift) + rebias;
        if constexpr (rebias != 0) {
            bits += magnitude >= infinity ? rebias : 0;
            // A small integer times a power of two: exact, and normal in f32.
            const float subnormal = static_cast<float>(magnitude) * power_of_two<float>(smallest_exponent);
            // Chosen by mask, because g++ 12 does not vectorise the conditional: 1 value per ns instead of 18.
            const int32_t chosen = -static_cast<int32_t>(magnitude < 1 << fraction_bits);
            bits = (bits & ~chosen) | (std::bit_cast<int32_t>(subnormal) & chosen);
        }
        return std::bit_cast<float>(static_cast<uint32_t>(bits) | static_cast<uint32_t>(code & 0x8000) << 16);
    }

    /// The code of a magnitude, larger than `infinity` where it overflows; of no use where it is NaN.
    template <class Float>
    static auto round_magnitude(typename Layout<Float>::Bits magnitude) {
        using Bits = typename Layout<Float>::Bits;
        constexpr int shift = Layout<Float>::fraction_bits - fraction_bits;
        constexpr Bits rebias = Bits{Layout<Float>::bias - bias} << Layout<Float>::fraction_bits;
        constexpr Bits below_half = (Bits{1} << (shift - 1)) - 1;
        // Unsigned, because a NaN's bits may carry past the largest signed value.
        using Unsigned = std::make_unsigned_t<Bits>;
        const Unsigned raised = static_cast<Unsigned>(magnitude) - rebias + below_half + (magnitude >> shift & 1);
        const Bits normal = static_cast<Bits>(raised >> shift);
        if constexpr (rebias == 0) return normal;
        // Adding the power of two whose spacing is the format's smallest subnormal rounds the magnitude to that
        // spacing, in one IEEE addition; a magnitude that flushing would take for zero rounds to zero anyhow.
        constexpr Float anchor = power_of_two<Float>(smallest_exponent + Layout<Float>::fraction_bits);
        constexpr Bits smallest_normal = (rebias >> Layout<Float>::fraction_bits) + 1;
        const Bits subnormal =
            std::bit_cast<Bits>(std::bit_cast<Float>(magnitude) + anchor) - std::bit_cast<Bits>(anchor);
        return magnitude < smallest_normal << Layout<Float>::fraction_bits ? subnormal : normal;
    }
};

/// A machine format, stored as it is.
template <class Stored>
struct StoredMachine {
    using Code = Stored;
    template <class Float>
    static Float decode(Code code) {
        return static_cast<Float>(code);
    }
    template <class Float>
    static Code encode(Float value) {
        return static_cast<Code>(value);
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
