// The kernels' storage codec against the oracles': every 16-bit code, and roundings around every midpoint.
#include "harness/kernels/storage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/format.hpp"

namespace normcheck {
namespace {

struct F16 {
    using Storage = StoredF16;
    static constexpr FormatId id = FormatId::f16;
};
struct Bf16 {
    using Storage = StoredBf16;
    static constexpr FormatId id = FormatId::bf16;
};

template <class Case>
class Storage : public testing::Test {};
using Cases = testing::Types<F16, Bf16>;
TYPED_TEST_SUITE(Storage, Cases);

/// Both codecs round the value, given as Float, to the same code.
template <class Case, class Float>
void expect_same_rounding(Float value) {
    const uint64_t expected = round_double(format(Case::id), static_cast<double>(value));
    ASSERT_EQ(Case::Storage::encode(value), expected) << std::hexfloat << static_cast<double>(value);
    const auto codes = Case::Storage::encode(all<Register<Float>>(value));
    for (int k = 0; k < register_width<Float>; ++k)
        ASSERT_EQ(codes[k], expected) << std::hexfloat << static_cast<double>(value);
}

/// The value, its two neighbours in Float, and the negatives of all three.
template <class Case, class Float>
void expect_same_rounding_around(Float value) {
    const Float infinity = std::numeric_limits<Float>::infinity();
    for (const Float near : {std::nextafter(value, -infinity), value, std::nextafter(value, infinity)}) {
        expect_same_rounding<Case>(near);
        expect_same_rounding<Case>(-near);
    }
}

/// The midpoint between the finite code and the next magnitude, past the largest one the overflow threshold. Exact in
/// f32, but for bf16's smallest, where it is an f32 subnormal and exact as well.
template <class Case>
double midpoint_after(uint64_t code) {
    const Format& small = format(Case::id);
    const double low = decode_double(small, code);
    if (code < small.max_finite_code()) return low + (decode_double(small, code + 1) - low) / 2;
    return low + (low - decode_double(small, code - 1)) / 2;
}

TYPED_TEST(Storage, decodes_every_code_as_the_oracles_do) {
    for (uint64_t code = 0; code < 65536; ++code) {
        const double expected = decode_double(format(TypeParam::id), code);
        const float single = TypeParam::Storage::template decode<float>(static_cast<uint16_t>(code));
        const double wide = TypeParam::Storage::template decode<double>(static_cast<uint16_t>(code));
        if (std::isnan(expected)) {
            ASSERT_TRUE(std::isnan(single) && std::isnan(wide)) << code;
        } else {
            ASSERT_EQ(std::bit_cast<uint64_t>(static_cast<double>(single)), std::bit_cast<uint64_t>(expected)) << code;
            ASSERT_EQ(std::bit_cast<uint64_t>(wide), std::bit_cast<uint64_t>(expected)) << code;
        }
    }
}

TYPED_TEST(Storage, encodes_every_decoded_code_as_itself_and_a_nan_as_a_quiet_nan) {
    const Format& small = format(TypeParam::id);
    for (uint64_t code = 0; code < 65536; ++code) {
        const uint16_t again = TypeParam::Storage::encode(TypeParam::Storage::template decode<float>(code));
        const uint16_t wide = TypeParam::Storage::encode(TypeParam::Storage::template decode<double>(code));
        ASSERT_EQ(again, wide);
        if (is_nan(small, code))
            ASSERT_EQ(again & small.nan_code(), small.nan_code()) << code;
        else
            ASSERT_EQ(again, code);
    }
}

/// A register of codes gives what each of them gives alone, both ways.
template <class Case, class Float>
void expect_registers_as_singles(uint64_t first) {
    using Storage = typename Case::Storage;
    Like<Register<Float>, uint16_t> codes;
    for (int k = 0; k < register_width<Float>; ++k) codes[k] = static_cast<uint16_t>(first + static_cast<uint64_t>(k));
    const Register<Float> values = Storage::template decode<Float>(codes);
    const auto again = Storage::encode(values);
    using Bits = typename Layout<Float>::Bits;
    for (int k = 0; k < register_width<Float>; ++k) {
        const Float single = Storage::template decode<Float>(static_cast<uint16_t>(codes[k]));
        ASSERT_EQ(std::bit_cast<Bits>(Float{values[k]}), std::bit_cast<Bits>(single)) << codes[k];
        ASSERT_EQ(again[k], Storage::encode(single)) << codes[k];
    }
}

TYPED_TEST(Storage, does_in_registers_what_it_does_to_single_values_for_every_code) {
    for (uint64_t code = 0; code < 65536; code += register_width<float>)
        expect_registers_as_singles<TypeParam, float>(code);
    for (uint64_t code = 0; code < 65536; code += register_width<double>)
        expect_registers_as_singles<TypeParam, double>(code);
}

TYPED_TEST(Storage, rounds_f32_around_every_midpoint_and_every_value_as_the_oracles_do) {
    for (uint64_t code = 0; code <= format(TypeParam::id).max_finite_code(); ++code) {
        expect_same_rounding_around<TypeParam>(static_cast<float>(midpoint_after<TypeParam>(code)));
        expect_same_rounding_around<TypeParam>(static_cast<float>(decode_double(format(TypeParam::id), code)));
    }
}

TYPED_TEST(Storage, rounds_f64_around_every_midpoint_and_every_value_as_the_oracles_do) {
    for (uint64_t code = 0; code <= format(TypeParam::id).max_finite_code(); ++code) {
        expect_same_rounding_around<TypeParam>(midpoint_after<TypeParam>(code));
        expect_same_rounding_around<TypeParam>(decode_double(format(TypeParam::id), code));
    }
}

TYPED_TEST(Storage, rounds_the_ends_of_the_wide_formats_as_the_oracles_do) {
    for (const float value : {std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min(),
                              std::numeric_limits<float>::min(), std::numeric_limits<float>::infinity(), 0.0f}) {
        expect_same_rounding<TypeParam>(value);
        expect_same_rounding<TypeParam>(-value);
    }
    for (const double value : {std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min(),
                               std::numeric_limits<double>::min(), std::numeric_limits<double>::infinity(), 0.0}) {
        expect_same_rounding<TypeParam>(value);
        expect_same_rounding<TypeParam>(-value);
    }
}

TYPED_TEST(Storage, keeps_a_nan_whose_payload_lies_in_its_lowest_bit) {
    const Format& small = format(TypeParam::id);
    const auto expect_quiet = [&](auto value, uint64_t sign) {
        const uint64_t quiet = small.nan_code() | sign;
        EXPECT_EQ(TypeParam::Storage::encode(value), quiet);
        EXPECT_EQ(TypeParam::Storage::encode(all<Register<decltype(value)>>(value))[1], quiet);
    };
    expect_quiet(std::bit_cast<float>(0x7f800001), 0);
    expect_quiet(std::bit_cast<float>(0xffffffffU), 0x8000);
    expect_quiet(std::bit_cast<double>(0x7ff0000000000001), 0);
    expect_quiet(std::bit_cast<double>(0xffffffffffffffffU), 0x8000);
}

}  // namespace
}  // namespace normcheck
