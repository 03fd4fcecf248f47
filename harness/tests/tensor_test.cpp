// Tensors: codes in and out, and counts that must not wrap round.
#include "harness/io/tensor.hpp"

#include <gtest/gtest.h>

#include "harness/io/bytes.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

constexpr int64_t huge = int64_t{1} << 62;

TEST(tensor, codes_come_back_in_every_format) {
    for (int i = 0; i < format_count; ++i) {
        auto id = static_cast<FormatId>(i);
        std::vector<uint64_t> written = {0, 1, format(id).sign_bit() | 1, format(id).nan_code(), format(id).inf_code(),
                                         2};
        Tensor tensor = from_codes(id, {2, 3}, written);
        EXPECT_EQ(codes(tensor), written) << format(id).name;
        EXPECT_EQ(tensor.data.size(), 6u * static_cast<size_t>(format(id).bytes()));
    }
}

TEST(tensor, elements_are_little_endian) {
    Tensor tensor = from_codes(FormatId::f32, {1}, std::vector<uint64_t>{0x3f800102});
    EXPECT_EQ(characters(tensor.data), std::string_view("\x02\x01\x80\x3f"));
}

TEST(tensor, codes_that_do_not_fit_shape_or_format_are_our_defect) {
    EXPECT_THROW(from_codes(FormatId::f32, {3}, std::vector<uint64_t>{1, 2}), InternalError);
    EXPECT_THROW(from_codes(FormatId::bf16, {1}, std::vector<uint64_t>{0x10000}), InternalError);
    EXPECT_THROW(codes(Tensor{FormatId::f32, {2}, {}}), InternalError);
    EXPECT_THROW(require_consistent(Tensor{FormatId::f32, std::vector<int64_t>(65, 0), {}}), InternalError);
}

TEST(tensor, element_count_is_the_product_and_a_scalar_has_one) {
    EXPECT_EQ(element_count(std::vector<int64_t>{}), 1);
    EXPECT_EQ(element_count(std::vector<int64_t>{3, 4}), 12);
    EXPECT_EQ(element_count(std::vector<int64_t>{3, 0, 4}), 0);
}

TEST(tensor, element_count_refuses_what_overflows_whatever_the_order) {
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{huge, 2}, {huge, 2, 0}, {0, huge, 2}, {-1}, {0, -1}}) {
        EXPECT_TRUE(contains(refusal([&] { element_count(shape); }), print_shape(shape))) << print_shape(shape);
    }
}

TEST(tensor, byte_count_sees_the_width_overflow_too) {
    EXPECT_EQ(byte_count(FormatId::f64, std::vector<int64_t>{3, 4}), 96);
    EXPECT_EQ(byte_count(FormatId::bf16, std::vector<int64_t>{huge / 2}), huge);
    EXPECT_EQ(byte_count(FormatId::bf16, std::vector<int64_t>{huge}), std::nullopt);
    EXPECT_EQ(byte_count(FormatId::f32, std::vector<int64_t>{huge, huge}), std::nullopt);
}

TEST(tensor, shapes_print_as_python_tuples) {
    EXPECT_EQ(print_shape(std::vector<int64_t>{}), "()");
    EXPECT_EQ(print_shape(std::vector<int64_t>{3}), "(3,)");
    EXPECT_EQ(print_shape(std::vector<int64_t>{3, 4}), "(3, 4)");
}

TEST(tensor, quoted_text_is_printable_and_short) {
    EXPECT_EQ(in_quotes("a b"), "'a b'");
    EXPECT_EQ(in_quotes(std::string_view("\n\0\xff", 3)), "'\\x0a\\x00\\xff'");
    EXPECT_EQ(in_quotes(std::string(1000, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace normcheck
