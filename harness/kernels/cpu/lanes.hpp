// Sums in 16 independent lanes: term i goes to lane i mod 16, and the lanes are added pairwise as a tree. This order is
// what `reduce=lanes:16` promises; it needs no leave from the compiler to reorder, so every compiler and every vector
// width gives the same bits. The lanes are spelled as vector registers, because clang 19 makes poor code of a loop over
// an array of 16: 16 values per ns of a plain sum and 8 of a centred one, in cache, against 29 of both as below.
// Several rows are summed at a time, since an addition has to wait for the one before it in its lane.
#pragma once

#include <array>

#include "harness/kernels/storage.hpp"

namespace normcheck {

constexpr int lane_count = 16;

template <class Float>
constexpr int register_count = lane_count / register_width<Float>;

/// A row read straight from its codes, by single values or a register at a time. A row of values in the accumulator's
/// format is a pointer to them.
template <class Storage, class Float>
struct CodedRow {
    const typename Storage::Code* codes;
    Float operator[](int64_t i) const { return Storage::template decode<Float>(codes[i]); }
};

template <class Row>
using ValueIn = std::remove_cvref_t<decltype(std::declval<const Row&>()[0])>;

/// The register of values from the i-th on.
template <class Float>
Register<Float> register_at(const Float* row, int64_t i) {
    return load_as<Register<Float>>(row + i);
}
template <class Storage, class Float>
Register<Float> register_at(const CodedRow<Storage, Float>& row, int64_t i) {
    using CodeRegister = Like<Register<Float>, typename Storage::Code>;
    return Storage::template decode<Float>(load_as<CodeRegister>(row.codes + i));
}

/// Adds 16 lanes pairwise: 16 to 8 to 4 to 2 to 1. The lanes are used up.
template <class Float>
Float add_lanes(Float (&lanes)[lane_count]) {
    for (int half = lane_count / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    return lanes[0];
}

/// What several rows have each.
template <class Value, size_t rows>
using Each = std::array<Value, rows>;

/// The lanes of each row after its full steps of 16; `term` takes the number of the row and a register of its values.
template <class Row, size_t rows, class Term, class Float = ValueIn<Row>>
Each<Float[lane_count], rows> full_lanes(const Each<Row, rows>& row, int64_t full, const Term& term) {
    Register<Float> sums[rows][register_count<Float>] = {};
    for (int64_t i = 0; i < full; i += lane_count)
        for (int part = 0; part < register_count<Float>; ++part)
            for (size_t k = 0; k < rows; ++k)
                sums[k][part] += term(k, register_at(row[k], i + part * register_width<Float>));
    Each<Float[lane_count], rows> lanes;
    std::memcpy(&lanes, sums, sizeof lanes);
    return lanes;
}

/// Of each row the sum of term(k, row[k][i]), in lanes; `term` takes the row's number and a value or a register of
/// values.
template <class Row, size_t rows, class Term, class Float = ValueIn<Row>>
Each<Float, rows> lane_sums(const Each<Row, rows>& row, int64_t count, const Term& term) {
    Each<Float, rows> sums;
    // One or two values, in lanes of their own, without a trip through memory.
    if (count <= 2) {
        for (size_t k = 0; k < rows; ++k) {
            sums[k] = Float{0} + term(k, row[k][0]);
            if (count == 2) sums[k] += Float{0} + term(k, row[k][1]);
        }
        return sums;
    }
    const int64_t full = count - count % lane_count;
    auto lanes = full_lanes(row, full, term);
    for (size_t k = 0; k < rows; ++k) {
        for (int64_t i = full; i < count; ++i) lanes[k][i - full] += term(k, row[k][i]);
        sums[k] = add_lanes(lanes[k]);
    }
    return sums;
}

}  // namespace normcheck
