// The fill `shaped`: each of its numbers turns one thing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/tests/fill_values.hpp"

namespace normcheck {
namespace {

std::vector<double> shaped(const std::string& numbers) {
    return row_values(case_of("shaped:" + numbers, 1, 64), parse_contract("rms x=f16"), 0);
}

TEST(Fills, ShapedTurnsOneNumberAtATime) {
    const auto plain = shaped("0:0:-64:0:0:0"), scaled = shaped("0:3:-64:0:0:0"), moved = shaped("3:2:1:0:0:0");
    for (size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(scaled[i], 8 * plain[i]);
        EXPECT_EQ(moved[i], i % 2 == 0 ? 12 : 4);  // 4 and -4, with 2^(2 + 1) on top
    }
    EXPECT_EQ(std::ranges::count_if(shaped("2:0:-64:1:5:0"), [](double x) { return std::abs(x) == 32; }), 1);
    const auto stepped = shaped("2:0:-64:0:0:2");
    for (const double x : stepped) {
        EXPECT_GE(x, 1 - 0x1p-10);
        EXPECT_LE(x, 1 + 0x1p-9);
    }
    EXPECT_GT(std::ranges::count_if(stepped, [](double x) { return x != 1; }), 0);
}

}  // namespace
}  // namespace normcheck
