// The plain double reference against the exact oracle: to 1e-12 of the row's largest output, with every instruction
// set.
#include "harness/bench/reference.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/cases/make_inputs.hpp"
#include "oracles/error.hpp"
#include "oracles/exact.hpp"

namespace normcheck {
namespace {

constexpr double tolerance = 1e-12;

struct Rows {
    Contract contract;
    Inputs inputs;  // one row; a second one serves as y
    std::vector<double> exact;
};

const uint64_t* data(const std::vector<uint64_t>& codes) {
    return codes.empty() ? nullptr : codes.data();
}

std::vector<double> exact_outputs(Contract contract, const Inputs& inputs, int64_t cols) {
    contract.y = FormatId::f64;
    const ExactRow row(contract, cols, inputs.x.data(), nullptr, data(inputs.gamma), data(inputs.beta));
    std::vector<double> outputs;
    for (int64_t i = 0; i < cols; ++i) outputs.push_back(decode_double(format(FormatId::f64), row.y(i)));
    return outputs;
}

Rows make_rows(const std::string& words, int64_t cols, const char* fill, const char* gamma) {
    Case c;
    c.overrides = words;
    c.rows = 2;
    c.cols = cols;
    c.x.fill = fill;
    c.gamma.fill = gamma;
    Rows rows{parse_contract(words), {}, {}};
    rows.inputs = make_inputs(c, rows.contract);
    rows.exact = exact_outputs(rows.contract, rows.inputs, cols);
    return rows;
}

/// The lowest bytes of codes, as they are stored.
std::vector<std::byte> stored(std::span<const uint64_t> codes, int bytes) {
    std::vector<std::byte> result;
    for (const uint64_t code : codes)
        for (int i = 0; i < bytes; ++i) result.push_back(static_cast<std::byte>(code >> 8 * i));
    return result;
}

Codes codes_of(const std::vector<std::byte>& bytes, int width) {
    const void* data = bytes.data();
    if (width == 2) return static_cast<const uint16_t*>(data);
    if (width == 4) return static_cast<const uint32_t*>(data);
    return static_cast<const uint64_t*>(data);
}

double largest_error(PlainReference& reference, const Rows& rows, std::span<const uint64_t> y) {
    const int width = format(rows.contract.x).bytes();
    const auto cols = rows.exact.size();
    const std::vector<std::byte> x_bytes = stored(std::span(rows.inputs.x).first(cols), width);
    const std::vector<std::byte> y_bytes = stored(y, width);
    return reference.largest_error(codes_of(x_bytes, width), codes_of(y_bytes, width));
}

double largest_magnitude(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::fabs(value));
    return largest;
}

double exact_error(const Rows& rows, std::span<const uint64_t> y) {
    double largest = 0;
    for (size_t i = 0; i < y.size(); ++i)
        largest = std::max(largest, std::fabs(rows.exact[i] - decode_double(format(rows.contract.y), y[i])));
    return largest;
}

void expect_right(const Rows& rows, InstructionSet set, const std::string& label) {
    const auto cols = static_cast<int64_t>(rows.exact.size());
    PlainReference reference(rows.contract, cols, data(rows.inputs.gamma), data(rows.inputs.beta), set);
    const std::span<const uint64_t> y = std::span(rows.inputs.x).last(rows.exact.size());
    const double wanted = exact_error(rows, y);
    const double scale = std::max(largest_magnitude(rows.exact), wanted);
    EXPECT_NEAR(largest_error(reference, rows, y), wanted, tolerance * scale) << label << " " << name(set);
}

/// y is right but for one element, so that every element's error is seen, not only that of the largest.
void expect_every_element_seen(const Rows& rows, InstructionSet set, const std::string& label) {
    const auto cols = static_cast<int64_t>(rows.exact.size());
    PlainReference reference(rows.contract, cols, data(rows.inputs.gamma), data(rows.inputs.beta), set);
    const Format& numbers = format(rows.contract.y);
    std::vector<uint64_t> y;
    for (const double value : rows.exact) y.push_back(round_double(numbers, value));
    const double far = 2 + 2 * largest_magnitude(rows.exact);
    for (size_t i = 0; i < y.size(); ++i) {
        const uint64_t right = y[i];
        y[i] = round_double(numbers, far);
        const double wanted = std::fabs(decode_double(numbers, y[i]) - rows.exact[i]);
        EXPECT_NEAR(largest_error(reference, rows, y), wanted, tolerance * far)
            << label << " " << name(set) << " " << i;
        y[i] = right;
    }
}

constexpr const char* norms[] = {"rms", "layer beta=add"};
constexpr const char* formats[] = {"f64", "f32", "bf16"};
constexpr int64_t widths[] = {1, 2, 7, 16, 31, 32, 33, 64, 100, 768};

template <class Check>
void for_all_rows(const char* fill, const char* gamma, Check check) {
    for (const char* norm : norms)
        for (const char* x : formats)
            for (const int64_t cols : widths)
                for (const InstructionSet set : instruction_sets()) {
                    const std::string words = fmt::format("{} x={}", norm, x);
                    check(make_rows(words, cols, fill, gamma), set, fmt::format("{} {}", words, cols));
                }
}

TEST(Reference, AgreesWithTheExactOracleOnGaussianRows) {
    for_all_rows("gaussian", "random", expect_right);
}

TEST(Reference, AgreesWithTheExactOracleOnRampsAndNegativeGammas) {
    for_all_rows("ramp", "negative", expect_right);
}

TEST(Reference, TakesAbsentParametersForOnesAndZeros) {
    for (const char* x : formats) {
        const Rows rows = make_rows(fmt::format("layer x={}", x), 40, "gaussian", "absent");
        expect_right(rows, best_instruction_set(), x);
    }
}

TEST(Reference, SeesTheErrorOfEveryElement) {
    for (const char* norm : norms)
        for (const char* x : formats)
            for (const InstructionSet set : instruction_sets())
                expect_every_element_seen(make_rows(fmt::format("{} x={}", norm, x), 77, "gaussian", "random"), set,
                                          fmt::format("{} {}", norm, x));
}

TEST(Reference, RefusesWhatItWasNotMadeFor) {
    const auto make = [](const char* words) { PlainReference(parse_contract(words), 4, nullptr, nullptr); };
    EXPECT_THROW(make("rms x=f16"), InternalError);
    EXPECT_THROW(make("rms x=f32 y=bf16"), InternalError);
    EXPECT_THROW(make("rms x=f32 eps_at=outside"), InternalError);
    EXPECT_THROW(make("rms x=f32 gamma=one_plus"), InternalError);
    PlainReference reference(parse_contract("rms x=f32"), 1, nullptr, nullptr);
    const uint16_t code = 0;
    EXPECT_THROW(reference.largest_error(&code, &code), InternalError);
}

}  // namespace
}  // namespace normcheck
