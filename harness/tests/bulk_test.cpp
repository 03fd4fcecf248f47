// Draws and roundings of whole rows: the same bits as value by value, with every instruction set.
#include "harness/cases/bulk.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

constexpr int64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 64, 1001};
constexpr FormatId formats[] = {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16};

std::vector<double> drawn_one_by_one(Stream& stream, int64_t count) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(gaussian(stream));
    return values;
}

void expect_equal_draws(const Stream& start, int64_t count, InstructionSet set) {
    Stream one = start, bulk = start;
    std::vector<double> values(static_cast<size_t>(count));
    draw_gaussians(bulk, values, set);
    EXPECT_EQ(values, drawn_one_by_one(one, count)) << name(set) << " " << count;
    EXPECT_EQ(bulk.counter, one.counter);
}

TEST(Bulk, DrawsTheGaussiansOfTheStream) {
    for (const InstructionSet set : instruction_sets()) {
        for (const int64_t count : counts) expect_equal_draws({1, 2, 3}, count, set);
        expect_equal_draws({~uint64_t{0}, ~uint64_t{0}, 0}, 100, set);
        expect_equal_draws({0x123456789abcdef0, uint64_t{3} << 56 | 77, (uint64_t{1} << 32) - 50}, 100, set);
    }
}

/// Values at and beside everything that rounding distinguishes: midpoints, the smallest values, the largest, and what
/// lies past them.
std::vector<double> values_at_edges(const Format& to) {
    std::vector<double> values{0, INFINITY, NAN, 1, 1.0 / 3, 1e300, 1e-300, 5e-324};
    const int64_t last = rank(to, to.max_finite_code());
    for (const int64_t at : {int64_t{0}, int64_t{1}, int64_t{2}, int64_t{3}, last / 3, last / 2, last - 2, last - 1}) {
        const double low = decode_double(to, code_of_rank(to, at)), high = decode_double(to, code_of_rank(to, at + 1));
        for (const double value : {low, low / 2 + high / 2, high}) {
            values.push_back(value);
            values.push_back(std::nextafter(value, INFINITY));
            values.push_back(std::nextafter(value, 0));
        }
    }
    const size_t positive = values.size();
    for (size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
    return values;
}

std::vector<double> random_bits(int64_t count) {
    Stream stream{5, 0, 0};
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(std::bit_cast<double>(next(stream)));
    return values;
}

/// Random values whose exponents the format has, subnormals among them.
std::vector<double> random_in_range(const Format& to, int64_t count) {
    Stream stream{6, 0, 0};
    std::vector<double> values;
    const int low = to.min_spacing_exponent() - 2, high = to.max_exponent() + 1;
    for (int64_t i = 0; i < count; ++i) {
        const int exponent = low + static_cast<int>(next_below(stream, high - low));
        values.push_back(random_sign(stream) * std::ldexp(1 + uniform(stream), std::max(exponent, -1022)));
    }
    return values;
}

void expect_equal_codes(const Format& to, const std::vector<double>& values, InstructionSet set) {
    std::vector<uint64_t> codes(values.size());
    round_finite(to, values, codes, set);
    for (size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(codes[i], round_finite(to, values[i])) << to.name << " " << name(set) << " " << values[i];
}

TEST(Bulk, RoundsAsOneByOne) {
    for (const InstructionSet set : instruction_sets()) {
        for (const FormatId id : formats) {
            expect_equal_codes(format(id), values_at_edges(format(id)), set);
            expect_equal_codes(format(id), random_bits(10000), set);
            expect_equal_codes(format(id), random_in_range(format(id), 10000), set);
            for (const int64_t count : counts) expect_equal_codes(format(id), random_in_range(format(id), count), set);
        }
    }
}

TEST(Bulk, TheBaselineIsAlwaysThereAndTheBestIsTheLast) {
    EXPECT_EQ(instruction_sets().front(), InstructionSet::baseline);
    EXPECT_EQ(instruction_sets().back(), best_instruction_set());
}

/// The same in the words of its definition, one neighbour at a time.
double distance_by_definition(const Contract& contract, double count, double value, double sum, double squares) {
    const double mean = contract.norm == Norm::layer ? sum / count : 0;
    const double variance = std::fmax(0, squares / count - mean * mean), eps = contract.eps.value;
    double root = std::sqrt(variance + eps);
    if (contract.eps_at == EpsAt::none) root = std::sqrt(variance);
    if (contract.eps_at == EpsAt::outside) root = std::sqrt(variance) + eps;
    const double output = (value - mean) / root;
    if (output == 0 || !std::isfinite(output)) return 0.5;
    const double steps = std::ldexp(std::fabs(output), -spacing_exponent(format(contract.y), output));
    return std::fabs(steps - std::floor(steps) - 0.5);
}

void expect_equal_distances(const Contract& contract, double scale, InstructionSet set) {
    Stream stream{7, 0, 0};
    for (const int64_t count : counts) {
        std::vector<double> sums(static_cast<size_t>(count)), squares(sums.size()), distances(sums.size());
        for (double& change : sums) change = gaussian(stream) * scale;
        for (double& change : squares) change = gaussian(stream) * scale * scale;
        const double value = gaussian(stream) * scale, sum = gaussian(stream) * scale, square = scale * scale;
        midpoint_distances(contract, 4, value, {sum, square, sums.data(), squares.data()}, distances, set);
        for (size_t i = 0; i < sums.size(); ++i) {
            const double expected = distance_by_definition(contract, 4, value, sum + sums[i], square + squares[i]);
            EXPECT_EQ(distances[i], expected) << name(set) << " " << print(contract) << " " << scale << " " << i;
        }
    }
}

TEST(Bulk, MidpointDistancesAreThoseOfTheDefinition) {
    for (const char* text :
         {"rms x=f32", "rms x=f64", "layer x=bf16", "layer x=f16 eps_at=outside eps=1", "rms eps=0"}) {
        const Contract contract = parse_contract(text);
        for (const double scale : {1.0, 0x1p-20, 0x1p-140, 0x1p-500, 0x1p500, 0.0})
            for (const InstructionSet set : instruction_sets()) expect_equal_distances(contract, scale, set);
    }
    const Contract none = parse_contract("layer eps=0 x=f64");
    for (const InstructionSet set : instruction_sets()) expect_equal_distances(none, 0x1p-537, set);
}

}  // namespace
}  // namespace normcheck
