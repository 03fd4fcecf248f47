// Rows with one output near a rounding midpoint of y, where the last bit is hardest to get right. A cheap search: two
// inputs of a normal row are moved by a few steps each, and of some four thousand neighbours the one nearest a midpoint
// is kept.
#include <algorithm>
#include <array>

#include "harness/cases/bulk.hpp"
#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

constexpr int reach = 32;  // steps of the format to each side
constexpr size_t step_count = 2 * reach + 1;

/// What an element may become, and what that adds to the row's sums of values and of squares.
struct Steps {
    std::array<uint64_t, step_count> codes;
    std::array<double, step_count> values, sums, squares;
};

Steps steps_of(const Format& format, uint64_t code) {
    Steps steps;
    const double from = decode_double(format, code);
    const int64_t first = rank(format, code) - reach;
    for (size_t i = 0; i < step_count; ++i) {
        steps.codes[i] = code_of_rank(format, first + static_cast<int64_t>(i));
        const double value = decode_double(format, steps.codes[i]);
        steps.values[i] = value;
        steps.sums[i] = value - from;
        steps.squares[i] = value * value - from * from;
    }
    return steps;
}

/// Moves the two elements to where the first one's output comes nearest to a midpoint.
void move_nearest(FillRow& row, uint64_t& target, uint64_t& other) {
    double sum = 0, squares = 0;
    for (uint64_t code : row.codes) {
        const double value = decode_double(row.format, code);
        sum += value;
        squares += value * value;
    }
    const Steps targets = steps_of(row.format, target), others = steps_of(row.format, other);
    double nearest = 1;
    std::array<double, step_count> distances;
    for (size_t i = 0; i < step_count; ++i) {
        const NeighbourSums sums{sum + targets.sums[i], squares + targets.squares[i], others.sums.data(),
                                 others.squares.data()};
        midpoint_distances(row.contract, row.cols(), targets.values[i], sums, distances);
        const auto best = std::ranges::min_element(distances);
        if (*best >= nearest) continue;
        nearest = *best;
        target = targets.codes[i];
        other = others.codes[static_cast<size_t>(best - distances.begin())];
    }
}

}  // namespace

void fill_near_midpoint(FillRow& row) {
    put_all(row, gaussians(row));
    if (row.cols() < 2) return;
    const int64_t place = next_below(row.stream, row.cols());
    uint64_t& target = row.codes[static_cast<size_t>(place)];
    uint64_t& other = row.codes[static_cast<size_t>((place + 1) % row.cols())];
    move_nearest(row, target, other);
}

}  // namespace normcheck
