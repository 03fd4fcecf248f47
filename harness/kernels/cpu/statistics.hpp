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

template <class Float>
Float mean_of(const Float* values, int64_t count) {
    return divided_by_count(lane_sum(values, count, [](auto value) { return value; }), count);
}

template <class Float>
Float mean_square_of(const Float* values, int64_t count) {
    return divided_by_count(lane_sum(values, count, [](auto value) { return value * value; }), count);
}

/// The mean square of the values less a mean that is known already.
template <class Float>
Float centred_variance_of(const Float* values, int64_t count, Float mean) {
    const auto centred_square = [mean](auto value) {
        const auto centred = value - mean;
        return centred * centred;
    };
    return divided_by_count(lane_sum(values, count, centred_square), count);
}

/// 1 / sqrt(radicand) by an IEEE root and an IEEE division.
template <class Float>
Float inverse_root(Float radicand) {
    return Float{1} / std::sqrt(radicand);
}

template <class Float>
RowStatistics<Float> two_pass_statistics(const Float* values, int64_t count, Float eps) {
    const Float mean = mean_of(values, count);
    return {mean, inverse_root(centred_variance_of(values, count, mean) + eps)};
}

template <class Float>
RowStatistics<Float> rms_statistics(const Float* values, int64_t count, Float eps) {
    return {0, inverse_root(mean_square_of(values, count) + eps)};
}

}  // namespace normcheck
