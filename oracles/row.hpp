// One row read from codes: exact values, sums, what the inputs themselves may lose, and special values.
#pragma once

#include <vector>

#include "oracles/element.hpp"
#include "oracles/judge.hpp"

namespace normcheck {

constexpr size_t vector_padding = 8;

/// gamma and beta as the contract uses them, read once for many rows.
struct Parameters {
    std::vector<Pair> gamma;           // effective gamma; empty where absent; 0 in place of a non-finite one
    std::vector<double> beta;          // empty where absent; 0 in place of a non-finite one
    std::vector<double> gamma_values;  // the leading parts of gamma, and beta, with zeros behind for whole vectors
    std::vector<double> beta_values;
    bool gamma_is_pair = false;     // some gamma needs both of its parts
    std::vector<double> raw_gamma;  // the effective gamma as a double, NaN and Inf kept; empty where absent
    std::vector<double> raw_beta;
    bool finite = true;
    Upper largest_gamma{1};
    Upper largest_beta{0};
};
Parameters read_parameters(const Contract& contract, int64_t cols, const uint64_t* gamma, const uint64_t* beta);

struct Row {
    std::vector<Pair> s;                 // x, or x + residual as the contract adds it
    std::vector<double> special;         // s as double where the row has non-finite values, else empty
    std::vector<Upper> input_loss;       // empty where exact
    std::vector<uint64_t> residual_out;  // the right residual_out codes; empty without residual
    std::vector<Upper>
        vanishing;  // magnitude of the subnormal terms of each s, where inputs may be flushed; else empty
    bool has_nan = false;
    bool has_inf = false;
    bool sum_left_range = false;   // a wide residual sum does not fit f64
    bool subnormal_input = false;  // the row's largest magnitude is a subnormal of format x
    RowSums sums;
    InputLoss loss;
};
Row read_row(const Contract& contract, int64_t cols, const RowInputs& inputs);
/// The same without sums, subnormal_input and the input loss.
Row read_elements(const Contract& contract, int64_t cols, const RowInputs& inputs);
/// Adds the input loss.
void read_input_loss(const Contract& contract, Row& row);
/// Whether squares of a row's largest magnitude leave the range of f32, or of the accumulator under f64.
bool square_leaves_range(const Contract& contract, double largest);

/// The regime of a row with finite values; largest_y is its largest exact output.
struct Placement {
    Regime regime = Regime::ordinary;
    double log2_ratio = 0;
};
Placement place_row(const Contract& contract, const Row& row, const Dyadic& spread, double largest_y);

}  // namespace normcheck
