// Fills whose statistics are exact: no order of summation may lose a bit on them, so what is left is the rest of the
// kernel.
#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

/// A few integers whose mean square is the row's, and whose sum is 0 unless `rms_only`.
struct Block {
    bool rms_only;
    std::vector<int> values;
};

// Mean square 4: with eps = 0 the root is 2.
const std::vector<Block>& blocks_of_four() {
    static const std::vector<Block> blocks = {{true, {2}},
                                              {false, {2, -2}},
                                              {false, {3, -3, 1, -1, 0}},
                                              {false, {4, -4, 0, 0, 0, 0, 0, 0}},
                                              {false, {3, 3, -3, 1, -1, -1, -1, -1}},
                                              {false, {5, 1, -1, -1, -1, -1, -1, -1}}};
    return blocks;
}

// Mean square 3: with eps = 1 the root is 2.
const std::vector<Block>& blocks_of_three() {
    static const std::vector<Block> blocks = {{true, {2, 2, 1}},
                                              {true, {3, 2, 1, 1, 0}},
                                              {false, {3, -1, -1, -1}},
                                              {false, {3, -3, 0, 0, 0, 0}},
                                              {false, {2, 2, -2, -2, 1, -1}}};
    return blocks;
}

std::vector<Block> usable(const std::vector<Block>& blocks, Norm norm) {
    std::vector<Block> kept;
    for (const Block& block : blocks) {
        if (norm == Norm::rms || !block.rms_only) kept.push_back(block);
    }
    return kept;
}

/// Which lengths 0..cols the blocks can fill without a rest.
std::vector<char> reachable_lengths(const std::vector<Block>& blocks, size_t cols) {
    std::vector<char> reachable(cols + 1, 0);
    reachable[0] = 1;
    for (size_t n = 1; n <= cols; ++n) {
        for (const Block& block : blocks) {
            if (block.values.size() <= n && reachable[n - block.values.size()]) reachable[n] = 1;
        }
    }
    return reachable;
}

/// The blocks that may come next when `rest` elements are left.
std::vector<const Block*> choices(const std::vector<Block>& blocks, const std::vector<char>& reachable, size_t rest) {
    std::vector<const Block*> fitting;
    for (const Block& block : blocks) {
        if (block.values.size() <= rest && reachable[rest - block.values.size()]) fitting.push_back(&block);
    }
    return fitting;
}

void shuffle(std::vector<int>& values, Stream& stream) {
    for (size_t i = values.size(); i > 1; --i) {
        std::swap(values[i - 1], values[static_cast<size_t>(next_below(stream, static_cast<int64_t>(i)))]);
    }
}

/// Random blocks end to end; where they cannot fill the row, 2 and -2 in turn.
std::vector<int> tile(const std::vector<Block>& blocks, size_t cols, Stream& stream) {
    const std::vector<char> reachable = reachable_lengths(blocks, cols);
    std::vector<int> values;
    while (values.size() < cols && reachable[cols]) {
        const auto fitting = choices(blocks, reachable, cols - values.size());
        const Block& block = *fitting[static_cast<size_t>(next_below(stream, static_cast<int64_t>(fitting.size())))];
        const int sign = random_sign(stream);
        for (int value : block.values) values.push_back(sign * value);
    }
    while (values.size() < cols) values.push_back(values.size() % 2 == 0 ? 2 : -2);
    shuffle(values, stream);
    return values;
}

bool is_power_of_four(double value) {
    int exponent = 0;
    return std::frexp(value, &exponent) == 0.5 && (exponent - 1) % 2 == 0;
}

bool eps_completes_square(const Contract& contract) {
    return contract.eps_at == EpsAt::inside && contract.eps.value > 0 && is_power_of_four(contract.eps.value);
}

double power_of_row(int64_t row, int from, int count) {
    return std::ldexp(1.0, from + static_cast<int>(row % count));
}

}  // namespace

// Sums of n squares of integers up to sqrt(2^24 / n) stay below 2^24. Short rows take no zeros, which would make them
// empty.
void fill_exact_sums(FillRow& row) {
    const double cols = static_cast<double>(std::max<int64_t>(row.cols(), 1));
    const double most = std::min(std::sqrt(0x1p24 / cols), std::ldexp(1.0, row.format.significand_bits));
    const int64_t bound = std::max<int64_t>(1, static_cast<int64_t>(most));
    const int64_t least = row.cols() < 4 ? 1 : 0;
    const double unit = power_of_row(row.index, -3, 7);
    for (int64_t i = 0; i < row.cols(); ++i) {
        const int64_t value = least + next_below(row.stream, bound + 1 - least);
        put(row, i, unit * static_cast<double>(random_sign(row.stream) * value));
    }
}

// In units of a power of two the centred values have mean square 4, or 3 where eps is one unit squared: the root is 2
// units.
void fill_perfect_square(FillRow& row) {
    const bool with_eps = eps_completes_square(row.contract);
    const bool layer = row.contract.norm == Norm::layer;
    const double unit = with_eps ? std::sqrt(row.contract.eps.value) : power_of_row(row.index, -4, 9);
    const auto blocks = usable(with_eps ? blocks_of_three() : blocks_of_four(), row.contract.norm);
    const int64_t mean = layer ? next_below(row.stream, 17) - 8 : 0;
    const auto values = tile(blocks, row.codes.size(), row.stream);
    for (int64_t i = 0; i < row.cols(); ++i) {
        put(row, i, unit * static_cast<double>(mean + values[static_cast<size_t>(i)]));
    }
}

}  // namespace normcheck
