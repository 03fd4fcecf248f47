// Rows in 256-bit floating point, both types, against the exact oracle.
#include "harness/bench/multiprecision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "harness/cases/make_inputs.hpp"
#include "oracles/exact.hpp"

namespace normcheck {
namespace {

std::vector<double> decoded(const std::vector<uint64_t>& codes) {
    std::vector<double> values;
    for (const uint64_t code : codes) values.push_back(decode_double(format(FormatId::f64), code));
    return values;
}

/// With y in f64 the reference's error is that of one rounding, at most half an ulp, and one of y is far off.
void expect_right(const char* words) {
    constexpr int64_t cols = 50;
    const Contract contract = parse_contract(words);
    Case c;
    c.cols = cols;
    const Inputs inputs = make_inputs(c, contract);
    const ExactRow exact(contract, cols, inputs.x.data(), nullptr, inputs.gamma.data(),
                         inputs.beta.empty() ? nullptr : inputs.beta.data());
    std::vector<uint64_t> y;
    for (int64_t i = 0; i < cols; ++i) y.push_back(exact.y(i));
    std::vector<double> outputs = decoded(y);
    const std::vector<double> x = decoded(inputs.x), gamma = decoded(inputs.gamma), beta = decoded(inputs.beta);
    const DoubleRow row{contract.norm, contract.eps.value, x, gamma, beta, outputs};
    for (const auto largest_error : {largest_error_bin_float, largest_error_mpfr}) {
        EXPECT_LT(largest_error(row), 4 * 0x1p-53) << words;
        EXPECT_GT(largest_error(row), 0) << words;
        outputs[17] += 1;
        EXPECT_NEAR(largest_error(row), 1, 4 * 0x1p-53) << words;
        outputs[17] -= 1;
    }
    EXPECT_EQ(largest_error_bin_float(row), largest_error_mpfr(row)) << words;
}

TEST(Multiprecision, AgreesWithTheExactOracle) {
    expect_right("rms x=f64");
    expect_right("layer beta=add x=f64");
}

}  // namespace
}  // namespace normcheck
