// The admissible sets of a whole row as intervals, beside the plain formula: what a comparison with a reference in f64
// has to let pass.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "oracles/judge.hpp"

namespace normcheck {

/// What is known of one element of y: ends of its admissible set (under any admissible values of what the contract
/// stores), and the formula without named roundings before the last.
struct AdmissibleElement {
    double lowest = 0;  // values of format y, which may be infinite
    double highest = 0;
    double formula = 0;  // the nearest double
};

/// Admissible sets of rows under one contract with one gamma and beta. Thread-safe once built.
class AdmissibleRows {
  public:
    /// As Judge.
    AdmissibleRows(const Contract& contract, int64_t cols, const uint64_t* gamma, const uint64_t* beta);
    ~AdmissibleRows();

    /// Empty, with a reason, where the row has special values, where the contract promises nothing, and where its
    /// stored statistics are too many to be listed.
    struct Row {
        std::vector<AdmissibleElement> elements;
        std::string left_out;
    };
    Row row(const RowInputs& inputs) const;

  private:
    std::unique_ptr<Judge::State> state_;
    std::unique_ptr<Judge::State> plain_;  // the contract without named roundings
};

}  // namespace normcheck
