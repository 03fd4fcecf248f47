// Gathering judged blocks; see tally.hpp. This runs on every row of a sweep, so the loops are simple ones over arrays.
#include "harness/sweep/tally.hpp"

#include <algorithm>

namespace normcheck {
namespace {

size_t at(RowClass row_class) {
    return static_cast<size_t>(row_class);
}

/// Rows of each class. Most blocks hold few classes: the search ends when all rows are found.
ClassCounts class_counts(const JudgedBlock& block) {
    const RowClass* classes = block.verdicts.row_class.data();
    ClassCounts counts{};
    int64_t left = block.rows;
    for (int one = 0; one < row_class_count && left > 0; ++one) {
        uint32_t found = 0;
#pragma omp simd reduction(+ : found)
        for (int64_t i = 0; i < block.rows; ++i) found += classes[i] == static_cast<RowClass>(one) ? 1 : 0;
        counts[static_cast<size_t>(one)] = found;
        left -= found;
    }
    return counts;
}

/// All rows weigh the same, but for those few that swapping leaves in place: they weigh half.
void count_rows(Tally& tally, const JudgedBlock& block, const ClassCounts& run) {
    const int usual = usual_weight(block.domain);
    for (size_t i = 0; i < run.size(); ++i) {
        tally.run[i] += run[i];
        tally.rows[i] += run[i] * static_cast<uint64_t>(usual);
    }
    const uint8_t* const end = block.weights + block.rows;
    const uint8_t* lighter = block.weights;
    while ((lighter = std::find(lighter, end, usual / 2)) != end)
        tally.rows[at(block.verdicts.row_class[static_cast<size_t>(lighter++ - block.weights)])] -=
            static_cast<uint64_t>(usual - usual / 2);
}

void count_outputs(Tally& tally, const JudgedBlock& block) {
    const uint8_t* rounded = block.verdicts.rounded.data();
    const uint8_t* weights = block.weights;
    uint32_t correctly_rounded = 0;
#pragma omp simd reduction(+ : correctly_rounded)
    for (int64_t i = 0; i < block.rows; ++i) correctly_rounded += static_cast<uint32_t>(weights[i] * rounded[i]);
    tally.correctly_rounded += correctly_rounded;
}

void note_first(Tally& tally, const JudgedBlock& block, RowClass row_class) {
    uint64_t& first = tally.first[at(row_class)];
    if (first <= row_index(block.domain, block.x, 0)) return;
    const auto begin = block.verdicts.row_class.begin();
    first = std::min(first, row_index(block.domain, block.x, std::find(begin, begin + block.rows, row_class) - begin));
}

void raise(SweepPeak& peak, const SweepPeak& other) {
    if (other.value > peak.value || (other.value == peak.value && other.index < peak.index)) peak = other;
}

void raise_to(SweepPeak& peak, const JudgedBlock& block, double RowErrors::* error) {
    for (const RowErrors& errors : block.verdicts.errors)
        if (errors.*error > -1 && errors.*error >= peak.value)
            raise(peak, {errors.*error, row_index(block.domain, block.x, errors.row)});
}

void keep_first(std::vector<uint64_t>& indices) {
    std::ranges::sort(indices);
    indices.resize(std::min(indices.size(), failing_kept));
}

void note_failing(Tally& tally, const JudgedBlock& block) {
    size_t kept = 0;
    for (int64_t i = 0; i < block.rows && kept < failing_kept; ++i) {
        if (block.verdicts.row_class[static_cast<size_t>(i)] != RowClass::fail) continue;
        tally.failing.push_back(row_index(block.domain, block.x, i));
        ++kept;
    }
    keep_first(tally.failing);
}

void add(ClassCounts& into, const ClassCounts& from) {
    for (size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

}  // namespace

void add_block(Tally& tally, const JudgedBlock& block) {
    const ClassCounts run = class_counts(block);
    count_rows(tally, block, run);
    count_outputs(tally, block);
    for (size_t i = 0; i < run.size(); ++i)
        if (run[i] > 0) note_first(tally, block, static_cast<RowClass>(i));
    raise_to(tally.row_error, block, &RowErrors::row_error);
    raise_to(tally.absolute_error, block, &RowErrors::absolute_error);
    raise_to(tally.element_error, block, &RowErrors::element_error);
    if (count(run, RowClass::fail) > 0) note_failing(tally, block);
}

void merge(Tally& into, const Tally& from) {
    add(into.rows, from.rows);
    add(into.run, from.run);
    for (size_t i = 0; i < into.first.size(); ++i) into.first[i] = std::min(into.first[i], from.first[i]);
    into.correctly_rounded += from.correctly_rounded;
    raise(into.row_error, from.row_error);
    raise(into.absolute_error, from.absolute_error);
    raise(into.element_error, from.element_error);
    into.failing.insert(into.failing.end(), from.failing.begin(), from.failing.end());
    keep_first(into.failing);
}

uint64_t total(const ClassCounts& counts) {
    uint64_t sum = 0;
    for (const uint64_t one : counts) sum += one;
    return sum;
}

uint64_t measured_rows(const ClassCounts& counts) {
    return count(counts, RowClass::rounded) + count(counts, RowClass::admissible) + count(counts, RowClass::fail);
}

}  // namespace normcheck
