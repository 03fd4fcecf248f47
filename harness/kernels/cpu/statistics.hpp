// The statistics of one row that several kernels share. Every step is one IEEE operation in the accumulator's format; a
// mean is a true division of the sum by the count.
#pragma once

#include <cmath>

#include "harness/kernels/cpu/lanes.hpp"

namespace normcheck {

/// What a row is normalised with; rms leaves the mean at 0.
template <class Float>
struct RowStatistics {
    Float mean = 0;
    Float rstd = 0;
};

/// sum / count, rounded as a division of the accumulator's format rounds; by way of f64 because a count past 2^24 is
/// not always an f32.
template <class Float>
Float divided_by_count(Float sum, int64_t count) {
    return static_cast<Float>(static_cast<double>(sum) / static_cast<double>(count));
}

// A row is a pointer to values or a CodedRow.
template <class Row, size_t rows, class Term>
Each<ValueIn<Row>, rows> means_of(const Each<Row, rows>& row, int64_t count, const Term& term) {
    Each<ValueIn<Row>, rows> means = lane_sums(row, count, term);
    for (auto& mean : means) mean = divided_by_count(mean, count);
    return means;
}

template <class Row, size_t rows>
Each<ValueIn<Row>, rows> means_of(const Each<Row, rows>& row, int64_t count) {
    return means_of(row, count, [](size_t, auto value) { return value; });
}

template <class Row, size_t rows>
Each<ValueIn<Row>, rows> mean_squares_of(const Each<Row, rows>& row, int64_t count) {
    return means_of(row, count, [](size_t, auto value) { return value * value; });
}

/// The mean squares of the values less means that are known already.
template <class Row, size_t rows>
Each<ValueIn<Row>, rows> centred_variances_of(const Each<Row, rows>& row, int64_t count,
                                              const Each<ValueIn<Row>, rows>& means) {
    return means_of(row, count, [&means](size_t k, auto value) {
        const auto centred = value - means[k];
        return centred * centred;
    });
}

// The same of one row.
template <class Float>
Float mean_of(const Float* values, int64_t count) {
    return means_of(Each<const Float*, 1>{values}, count)[0];
}
template <class Float>
Float mean_square_of(const Float* values, int64_t count) {
    return mean_squares_of(Each<const Float*, 1>{values}, count)[0];
}
template <class Float>
Float centred_variance_of(const Float* values, int64_t count, Float mean) {
    return centred_variances_of(Each<const Float*, 1>{values}, count, {mean})[0];
}

/// 1 / sqrt(radicand) by an IEEE root and an IEEE division.
template <class Float>
Float inverse_root(Float radicand) {
    return Float{1} / std::sqrt(radicand);
}

template <class Row, size_t rows>
using EachStatistics = Each<RowStatistics<ValueIn<Row>>, rows>;

/// The mean first, then the variance of the centred values.
struct TwoPassStatistics {
    template <class Row, size_t rows>
    static EachStatistics<Row, rows> of(const Each<Row, rows>& row, int64_t count, ValueIn<Row> eps) {
        const auto means = means_of(row, count);
        const auto variances = centred_variances_of(row, count, means);
        EachStatistics<Row, rows> result;
        for (size_t k = 0; k < rows; ++k) result[k] = {means[k], inverse_root(variances[k] + eps)};
        return result;
    }
};

struct RmsStatistics {
    template <class Row, size_t rows>
    static EachStatistics<Row, rows> of(const Each<Row, rows>& row, int64_t count, ValueIn<Row> eps) {
        const auto mean_squares = mean_squares_of(row, count);
        EachStatistics<Row, rows> result;
        for (size_t k = 0; k < rows; ++k) result[k].rstd = inverse_root(mean_squares[k] + eps);
        return result;
    }
};

}  // namespace normcheck
