// The passes over a row that the certified oracle makes with vector instructions, in plain numbers. The same source is
// compiled for several instruction sets; all of them give the same bits, because the order of every operation is fixed
// and none is fused.
#pragma once

#include <cstdint>

#include "oracles/instruction_sets.hpp"

namespace normcheck::certified {

/// Vectors of this many doubles, whatever the machine's own width; arrays of elements are padded to a multiple of it.
constexpr int lanes = 8;
/// Additions that a term of a sum over n elements passes at most: four running vectors, what is left over of them, and
/// the sum over their lanes.
constexpr double sum_depth(int64_t n) {
    return static_cast<double>(n / (4 * lanes)) + 3 + 2 + 3;
}

/// One row of codes. Kinds of storage: f64 is a row of doubles.
enum class Storage : uint8_t { f64, f32, f16, bf16 };
struct Codes {
    const void* data = nullptr;
    Storage storage = Storage::f64;
};

/// Sums over the row, each term and each addition rounded once. A NaN or Inf in the row makes `squares` (or
/// `magnitudes`) NaN or infinite, or `largest` at least the format's first power of two past its largest value.
struct RowPass {
    double sum = 0;
    double magnitudes = 0;
    double squares = 0;
    double largest = 0;
    double largest_product = 0;  // |x g|
};
struct CentredPass {
    double sum = 0;  // of x - centre
    double squares = 0;
    double largest_product = 0;  // |(x - centre) g|
};

/// y = g (x - centre - rest) rstd + b against what a kernel returned, with what is doubtful about it and a lower bound
/// of what a correct kernel may lose:
///   doubt = doubt_w width + doubt_0,
///   width = width_p |p| + |g| (width_0 + width_x |x|) + width_b |b|,    with p = g (x - centre - rest) rstd.
/// What may be lost is at most (1 + 2^-40) of that, and width_more. width_0 is 0 where nothing is centred.
struct ElementTask {
    const double* x = nullptr;
    const double* gamma = nullptr;  // null where absent
    const double* beta = nullptr;
    Codes got;
    int64_t n = 0;
    bool centred = false;
    double centre = 0, rest = 0, rstd = 0;
    double doubt_w = 0, doubt_0 = 0;
    double width_p = 0, width_0 = 0, width_x = 0, width_b = 0, width_more = 0;
    double smallest_power = 0;                        // the format's smallest normal number
    double half_unit = 0;                             // 2^-significand bits
    double cancelled_below = 0, cancelled_above = 0;  // where cancellation begins, from both sides
    double* error = nullptr;                          // out, n rounded up: |got - y|
};
struct ElementPass {
    int64_t correct = 0;    // surely rounded correctly
    int64_t incorrect = 0;  // surely not; the others are undecided
    int64_t surely_cancelled = 0;
    int64_t maybe_cancelled = 0;
    bool all_admissible = true;  // of the incorrect ones
    double largest_error = 0;
    double largest_y = 0;
    double slack_low = 0, slack_high = 0;      // encloses the largest (error - half ulp) / width, >= 0
    double element_low = 0, element_high = 0;  // encloses the largest error in half ulps of what is not cancelled
};

/// Where eps enters, as far as double arithmetic tells placements apart; `eps` is scaled to go with the mean square v.
enum class Root : uint8_t {
    inside,              // sqrt(v + eps)
    outside,             // sqrt(v) + eps
    max_variance,        // sqrt(max(v, eps))
    max_root,            // max(sqrt(v), eps)
    inside_and_outside,  // sqrt(v + eps) + eps
    scaled,              // sqrt(v eps)
};

/// What the pass over many short rows makes of each.
enum class ShortVerdict : uint8_t { rounded, admissible, special, outside, one_rounded, ask };

/// Rows of one or two elements (two: 16-bit codes side by side), without gamma and beta, one row to a lane:
/// y = c / D(v) with c = x and v the mean square, or c the distance from the mean and v the variance (two elements).
struct ShortTask {
    Codes x, got;
    int64_t rows = 0;
    int cols = 1;
    bool centred = false;
    Root root = Root::inside;
    double eps = 0;
    double inside_low = 0, inside_high = 0;    // v in between: neither outside nor doubtful
    double outside_low = 0, outside_high = 0;  // v at or below, at or above: outside
    double width = 0;                          // a correct kernel may lose at least that share of |y|
    double first_past = 0;                     // |x| from here on is Inf or NaN
    double reach = 0;                          // inside also needs |x| <= reach |c|
    double smallest_power = 0, half_unit = 0, largest = 0;
    bool stored = false;                      // y is rounded before its last step: the error is 0 where it is right
    double element_floor = 0, row_floor = 0;  // errors up to here, in half ulps, are of no interest
    ShortVerdict* verdict = nullptr;          // out
};

struct Passes {
    RowPass (*squares)(const Codes& x, const double* gamma, int64_t n, double* decoded);  // sum stays 0
    RowPass (*sums)(const Codes& x, int64_t n, double* decoded);                          // squares stay 0
    CentredPass (*centred)(const double* x, const double* gamma, int64_t n, double centre);
    double (*lowest_bit)(const double* x, int64_t n);  // the largest 2^k that all divide; Inf where all are 0
    ElementPass (*elements)(const ElementTask& task);
    /// The first index from `start` on with error >= limit, or n.
    int64_t (*first_from)(const double* error, int64_t n, int64_t start, double limit);
    void (*short_rows)(const ShortTask& task);
};

/// The fastest that this machine runs.
const Passes& passes();
const Passes& passes(InstructionSet set);

}  // namespace normcheck::certified
