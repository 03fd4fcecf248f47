// Rows with one output near a rounding midpoint of y, where the last bit is hardest to get right. A cheap search: two
// inputs of a normal row are moved by a few steps each, and of some four thousand neighbours the one nearest a midpoint
// is kept.
#include <cmath>

#include "harness/cases/fill_row.hpp"

namespace normcheck {
namespace {

constexpr int reach = 32;  // steps of the format to each side

/// The sums of a row, kept up to date while single elements move.
struct Sums {
    double count;
    double sum = 0;
    double squares = 0;
};

Sums sums_of(const FillRow& row) {
    Sums sums{static_cast<double>(row.cols())};
    for (uint64_t code : row.codes) {
        const double value = decode_double(row.format, code);
        sums.sum += value;
        sums.squares += value * value;
    }
    return sums;
}

Sums moved(Sums sums, double from, double to) {
    sums.sum += to - from;
    sums.squares += to * to - from * from;
    return sums;
}

double denominator(const Contract& contract, double variance) {
    const double eps = contract.eps.value;
    if (contract.eps_at == EpsAt::none) return std::sqrt(variance);
    if (contract.eps_at == EpsAt::outside) return std::sqrt(variance) + eps;
    return std::sqrt(variance + eps);
}

/// The output for an element of that value, with gamma 1 and beta 0.
double output(const Contract& contract, const Sums& sums, double value) {
    const double mean = contract.norm == Norm::layer ? sums.sum / sums.count : 0;
    const double variance = std::fmax(0, sums.squares / sums.count - mean * mean);
    return (value - mean) / denominator(contract, variance);
}

/// Distance of a value to the nearest midpoint of the format, in spacings: 0 to 0.5; 0.5 for zero and what is not
/// finite.
double distance_to_midpoint(const Format& format, double value) {
    if (value == 0 || !std::isfinite(value)) return 0.5;
    const double steps = std::ldexp(std::fabs(value), -spacing_exponent(format, value));
    return std::fabs(steps - std::floor(steps) - 0.5);
}

uint64_t stepped(const Format& format, uint64_t code, int step) {
    return code_of_rank(format, rank(format, code) + step);
}

/// The codes of the two inputs that move, and how near the output then comes.
struct Candidate {
    uint64_t target;
    uint64_t other;
    double distance;
};

/// Tries the steps of the other element for one value of the target element, whose sums are given.
void try_others(const FillRow& row, const Sums& sums, uint64_t target, uint64_t other, Candidate& best) {
    const Format& y = format(row.contract.y);
    const double value = decode_double(row.format, target);
    const double from = decode_double(row.format, other);
    for (int step = -reach; step <= reach; ++step) {
        const uint64_t code = stepped(row.format, other, step);
        const Sums now = moved(sums, from, decode_double(row.format, code));
        const double distance = distance_to_midpoint(y, output(row.contract, now, value));
        if (distance < best.distance) best = {target, code, distance};
    }
}

Candidate nearest(const FillRow& row, uint64_t target, uint64_t other) {
    const Sums sums = sums_of(row);
    const double from = decode_double(row.format, target);
    Candidate best{target, other, 1};
    for (int step = -reach; step <= reach; ++step) {
        const uint64_t code = stepped(row.format, target, step);
        try_others(row, moved(sums, from, decode_double(row.format, code)), code, other, best);
    }
    return best;
}

}  // namespace

void fill_near_midpoint(FillRow& row) {
    put_all(row, gaussians(row));
    if (row.cols() < 2) return;
    const int64_t place = next_below(row.stream, row.cols());
    uint64_t& target = row.codes[static_cast<size_t>(place)];
    uint64_t& other = row.codes[static_cast<size_t>((place + 1) % row.cols())];
    const Candidate best = nearest(row, target, other);
    target = best.target;
    other = best.other;
}

}  // namespace normcheck
