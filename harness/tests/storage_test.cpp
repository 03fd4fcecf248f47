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
    const auto expect_quiet = [&](uint16_t code) { EXPECT_EQ(code & small.nan_code(), small.nan_code()); };
    expect_quiet(TypeParam::Storage::encode(std::bit_cast<float>(0x7f800001)));
    expect_quiet(TypeParam::Storage::encode(std::bit_cast<float>(0xffffffffU)));
    expect_quiet(TypeParam::Storage::encode(std::bit_cast<double>(0x7ff0000000000001)));
    expect_quiet(TypeParam::Storage::encode(std::bit_cast<double>(0xffffffffffffffffU)));
}

}  // namespace
}  // namespace normcheck
