// The fill `shaped`: each of its numbers turns one thing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/cases/fills.hpp"
#include "harness/cases/make_inputs.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

Case case_of(std::string_view fill, int64_t rows, int64_t cols) {
    Case c;
    c.x.fill = fill;
    c.rows = rows;
    c.cols = cols;
    return c;
}

std::vector<double> values(const std::vector<uint64_t>& codes, FormatId id) {
    std::vector<double> decoded;
    for (uint64_t code : codes) decoded.push_back(decode_double(format(id), code));
    return decoded;
}

std::vector<double> row_values(const Case& c, const Contract& contract, int64_t row) {
    return values(make_row(c, contract, InputTensor::x, row), contract.x);
}

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
