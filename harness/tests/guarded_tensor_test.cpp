// Layout, poison and guards of one tensor, in every format.
#include "harness/check/guarded_tensor.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace normcheck {
namespace {

constexpr FormatId all_formats[] = {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16};

TensorLayout spread_layout(FormatId id) {
    return {.format = id, .rows = 3, .cols = 5, .pitch = 4, .stride = 3, .offset = 7};
}

std::vector<uint64_t> numbered(int64_t count) {
    std::vector<uint64_t> codes(static_cast<size_t>(count));
    std::iota(codes.begin(), codes.end(), 1);
    return codes;
}

std::byte* byte_at(GuardedTensor& tensor, int64_t row, int64_t col, int64_t byte) {
    const nc_tensor raw = view(tensor);
    const int64_t element = row * raw.strides[0] + col * raw.strides[1];
    return static_cast<std::byte*>(raw.data) + element * format(tensor.layout.format).bytes() + byte;
}

void flip(GuardedTensor& tensor, int64_t row, int64_t col, int64_t byte) {
    *byte_at(tensor, row, col, byte) ^= std::byte{1};
}

TEST(GuardedTensor, what_is_written_is_read_back_in_every_format_and_touches_no_guard) {
    for (const FormatId id : all_formats) {
        GuardedTensor tensor = guarded_tensor("y", spread_layout(id));
        write_codes(tensor, numbered(15));
        EXPECT_EQ(read_codes(tensor), numbered(15));
        EXPECT_EQ(broken_guard(tensor), std::nullopt);
        EXPECT_EQ(unwritten_element(tensor), std::nullopt);
    }
}

TEST(GuardedTensor, the_first_element_stands_as_far_off_a_boundary_as_asked) {
    for (const FormatId id : all_formats) {
        GuardedTensor tensor = guarded_tensor("y", spread_layout(id));
        const nc_tensor raw = view(tensor);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(raw.data) % 64, static_cast<uintptr_t>(7 * format(id).bytes() % 64));
        EXPECT_EQ(raw.strides[0], 5 * 3 + 4);
        EXPECT_EQ(raw.strides[1], 3);
        EXPECT_EQ(raw.format, abi_format(id));
    }
}

TEST(GuardedTensor, all_poison_is_a_signalling_nan) {
    for (const FormatId id : all_formats) {
        const Format& numbers = format(id);
        for (const uint64_t code : read_codes(guarded_tensor("y", {.format = id, .rows = 20, .cols = 40}))) {
            ASSERT_TRUE(is_nan(numbers, code));
            ASSERT_EQ(code & (numbers.nan_code() ^ numbers.inf_code()), 0U) << "the quiet bit";
        }
    }
}

TEST(GuardedTensor, the_poison_of_two_tensors_differs) {
    const TensorLayout layout{.format = FormatId::f32, .rows = 1, .cols = 64};
    const std::vector<uint64_t> a = read_codes(guarded_tensor("x", layout)),
                                b = read_codes(guarded_tensor("y", layout));
    EXPECT_NE(a, b);
}

TEST(GuardedTensor, every_single_byte_of_every_guard_is_watched) {
    for (const FormatId id : all_formats) {
        GuardedTensor tensor = guarded_tensor("y", spread_layout(id));
        write_codes(tensor, numbered(15));
        std::vector<bool> is_element(tensor.memory.size() * 64);
        for (int64_t row = 0; row < 3; ++row)
            for (int64_t col = 0; col < 5; ++col)
                for (int64_t byte = 0; byte < format(id).bytes(); ++byte)
                    is_element[static_cast<size_t>(byte_at(tensor, row, col, byte) - tensor.memory[0].bytes)] = true;
        for (size_t i = 0; i < is_element.size(); ++i) {
            std::byte& byte = tensor.memory[i / 64].bytes[i % 64];
            byte ^= std::byte{1};
            ASSERT_EQ(broken_guard(tensor).has_value(), !is_element[i]) << "byte " << i;
            byte ^= std::byte{1};
        }
    }
}

TEST(GuardedTensor, guards_are_a_line_and_a_row_long_but_no_more_than_4_KiB_of_it) {
    const GuardedTensor small = guarded_tensor("y", {.format = FormatId::f32, .rows = 1, .cols = 100});
    EXPECT_GE(small.start * 4, 64 + 400);
    const GuardedTensor large = guarded_tensor("y", {.format = FormatId::f32, .rows = 1, .cols = 100000});
    EXPECT_EQ(large.start * 4, 64 + 4096);
}

TEST(GuardedTensor, an_overwritten_guard_is_named_with_its_place) {
    const TensorLayout layout{.format = FormatId::f32, .rows = 4, .cols = 5, .pitch = 6};
    GuardedTensor tensor = guarded_tensor("y", layout);
    flip(tensor, 3, 5, 12);
    EXPECT_EQ(broken_guard(tensor), "guard after row 3 of y was overwritten at byte 12");
    flip(tensor, 2, 5, 9);
    EXPECT_EQ(broken_guard(tensor), "guard after row 2 of y was overwritten at byte 9");
    flip(tensor, 0, 0, -3);
    EXPECT_EQ(broken_guard(tensor), "guard before y was overwritten 3 bytes before its first element");
}

TEST(GuardedTensor, the_gaps_between_columns_are_guards) {
    GuardedTensor tensor = guarded_tensor("y", spread_layout(FormatId::f16));
    flip(tensor, 1, 2, 3);
    EXPECT_EQ(broken_guard(tensor), "guard after y[1,2] was overwritten at byte 1");
}

TEST(GuardedTensor, elements_left_unwritten_are_named_and_counted) {
    GuardedTensor tensor = guarded_tensor("y", spread_layout(FormatId::bf16));
    const std::vector<uint64_t> poison = read_codes(tensor);
    std::vector<uint64_t> codes = numbered(15);
    codes[7] = poison[7];
    codes[14] = poison[14];
    write_codes(tensor, codes);
    EXPECT_EQ(unwritten_element(tensor), "y[1,2] was not written, 2 in all");
}

TEST(GuardedTensor, elements_that_changed_are_named_and_counted) {
    GuardedTensor tensor = guarded_tensor("x", spread_layout(FormatId::f32));
    write_codes(tensor, numbered(15));
    EXPECT_EQ(changed_element(tensor, numbered(15)), std::nullopt);
    flip(tensor, 2, 4, 3);
    EXPECT_EQ(changed_element(tensor, numbered(15)), "x[2,4] was changed, 1 in all");
}

TEST(GuardedTensor, one_without_elements_is_all_guard) {
    for (const TensorLayout layout :
         {TensorLayout{.rows = 0, .cols = 5}, TensorLayout{.rows = 3, .cols = 0, .pitch = 2}}) {
        GuardedTensor tensor = guarded_tensor("y", layout);
        EXPECT_EQ(broken_guard(tensor), std::nullopt);
        EXPECT_TRUE(read_codes(tensor).empty());
        flip(tensor, 0, 0, 5);
        EXPECT_EQ(broken_guard(tensor), "y has no elements, but was written at byte 5");
    }
}

}  // namespace
}  // namespace normcheck
