// What a sweep gathers: sums of whole numbers, and maxima and first rows with the lowest index among equals. So tallies
// of parts merge to the tally of the whole, however it was cut and in whatever order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/sweep/domain.hpp"
#include "harness/sweep/judge_block.hpp"

namespace normcheck {

constexpr uint64_t no_index = UINT64_MAX;

/// A largest error and the row of lowest index that reached it.
struct SweepPeak {
    double value = -1;  // -1: no row has one
    uint64_t index = no_index;
    bool operator==(const SweepPeak&) const = default;
};

/// One number per RowClass.
using ClassCounts = std::array<uint64_t, row_class_count>;

constexpr size_t failing_kept = 8;

struct Tally {
    ClassCounts rows{};              // of the whole domain, for which those run stand
    ClassCounts run{};               // rows that were run
    ClassCounts first;               // lowest index of a row run, no_index where there is none
    uint64_t correctly_rounded = 0;  // outputs of the whole domain
    SweepPeak row_error, absolute_error, element_error;
    std::vector<uint64_t> failing;  // indices of the first rows run that fail, ascending, failing_kept at most

    Tally() { first.fill(no_index); }
    bool operator==(const Tally&) const = default;
};

/// Judged rows of one block. Their indices ascend.
struct JudgedBlock {
    const Domain& domain;
    const void* x;
    const uint8_t* weights;
    const BlockVerdicts& verdicts;
    int64_t rows;
};

void add_block(Tally& tally, const JudgedBlock& block);
void merge(Tally& into, const Tally& from);

uint64_t total(const ClassCounts& counts);
inline uint64_t count(const ClassCounts& counts, RowClass row_class) {
    return counts[static_cast<size_t>(row_class)];
}

/// Rows whose outputs are measured: finite inputs, and a promise to be held to.
uint64_t measured_rows(const ClassCounts& counts);

}  // namespace normcheck
