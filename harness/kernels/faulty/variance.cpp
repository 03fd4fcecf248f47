// Faults of kind A: a variance that cancels. The contracts promise two passes or Welford's update.
#include <algorithm>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr const char* welford_contract = "layer beta=add variance=welford batch_invariant=yes in_place=yes";

/// Mean square less squared mean.
float one_pass(const Row& row) {
    return mean_square_of(row.values.data(), row.cols) - row.mean * row.mean;
}
float one_pass_clamped(const Row& row) {
    return std::max(one_pass(row), 0.0f);
}
float one_pass_magnitude(const Row& row) {
    return std::abs(one_pass(row));
}
float one_pass_of_long_rows(const Row& row) {
    return row.cols > 1024 ? one_pass_clamped(row) : spread_of_row(row);
}
float one_pass_of_vectors(const Row& row) {
    return row.cols % 16 == 0 ? one_pass_clamped(row) : spread_of_row(row);
}
/// One pass about the first value: as bad as any where that value is far from the rest.
float one_pass_about_first(const Row& row) {
    std::vector<float> values = row.values;
    for (float& value : values) value -= row.values[0];
    const float mean = mean_of(values.data(), row.cols);
    return std::max(mean_square_of(values.data(), row.cols) - mean * mean, 0.0f);
}
float dropped_where_small(const Row& row) {
    const float variance = spread_of_row(row);
    return variance < 1e-6f ? 0 : variance;
}
float dropped_beside_mean(const Row& row) {
    const float variance = spread_of_row(row);
    return variance < 1e-5f * (row.mean * row.mean) ? 0 : variance;
}

/// A part of a row: how many values, their mean, and the sum of squares about it.
struct Part {
    float count = 0, mean = 0, squares = 0;
};

Part welford(const float* values, int64_t count) {
    Part part;
    for (int64_t i = 0; i < count; ++i) {
        const float delta = values[i] - part.mean;
        part.count += 1;
        part.mean += delta / part.count;
        part.squares += delta * (values[i] - part.mean);
    }
    return part;
}

/// The two halves of a row, merged by `cross` times the squared difference of their means; the mean as well.
template <float (*cross)(const Part&, const Part&)>
float merged_halves(const Row& row) {
    const int64_t half = row.cols / 2;
    const Part low = welford(row.values.data(), half);
    const Part high = welford(row.values.data() + half, row.cols - half);
    const float delta = high.mean - low.mean;
    return divided_by_count(low.squares + high.squares + delta * delta * cross(low, high), row.cols);
}
float without_cross(const Part&, const Part&) {
    return 0;
}
float as_if_equal(const Part& low, const Part&) {
    return low.count / 2;
}
float by_sum_of_counts(const Part& low, const Part& high) {
    return low.count * high.count / (low.count + high.count + 1);
}

/// Welford's update with the old mean in both factors.
float old_mean_twice(const Row& row) {
    float mean = 0, squares = 0;
    for (int64_t i = 0; i < row.cols; ++i) {
        const float delta = row.values[static_cast<size_t>(i)] - mean;
        mean += delta / static_cast<float>(i + 1);
        squares += delta * delta;
    }
    return divided_by_count(squares, row.cols);
}

/// The mean of the first 16 values stands for that of the row; what it is off is not corrected.
float about_mean_of_head(const Row& row) {
    const float mean = mean_of(row.values.data(), std::min<int64_t>(row.cols, 16));
    return centred_variance_of(row.values.data(), row.cols, mean);
}

/// The mean, by way of f16: 11 bits.
float mean_of_halved_precision(const Row& row) {
    return rounded(NC_F16, mean_of_row(row));
}

/// x * rstd + (-mean * rstd), which leaves what rounding made of a large mean.
float folded(const Row& row, int64_t column) {
    return row.values[static_cast<size_t>(column)] * row.rstd + -row.mean * row.rstd;
}

}  // namespace

extern const nc_kernel layer_one_pass = layer<[] { return Steps{.spread = one_pass}; }>(
    "faulty/layer_one_pass", "the variance is mean square less squared mean");
extern const nc_kernel layer_one_pass_clamped = layer<[] { return Steps{.spread = one_pass_clamped}; }>(
    "faulty/layer_one_pass_clamped", "the variance is mean square less squared mean, not below 0");
extern const nc_kernel layer_one_pass_magnitude = layer<[] { return Steps{.spread = one_pass_magnitude}; }>(
    "faulty/layer_one_pass_magnitude", "the variance is the magnitude of mean square less squared mean");
extern const nc_kernel layer_one_pass_of_long_rows = layer<[] { return Steps{.spread = one_pass_of_long_rows}; }>(
    "faulty/layer_one_pass_of_long_rows", "past 1024 columns the variance is mean square less squared mean");
extern const nc_kernel layer_one_pass_of_vectors = layer<[] { return Steps{.spread = one_pass_of_vectors}; }>(
    "faulty/layer_one_pass_of_vectors", "where columns fill vectors, the variance is mean square less squared mean");
extern const nc_kernel layer_one_pass_about_first = layer<[] { return Steps{.spread = one_pass_about_first}; }>(
    "faulty/layer_one_pass_about_first", "the variance is taken in one pass about the row's first value");
extern const nc_kernel layer_small_variance_dropped = layer<[] { return Steps{.spread = dropped_where_small}; }>(
    "faulty/layer_small_variance_dropped", "a variance below 1e-6 counts as 0");
extern const nc_kernel layer_variance_dropped_beside_mean = layer<[] { return Steps{.spread = dropped_beside_mean}; }>(
    "faulty/layer_variance_dropped_beside_mean", "a variance that is small beside the squared mean counts as 0");
extern const nc_kernel layer_merge_without_cross =
    promising<[] { return Steps{.layer = true, .spread = merged_halves<without_cross>}; }>(
        "faulty/layer_merge_without_cross", welford_contract,
        "partial variances are merged without the term of their means");
extern const nc_kernel layer_merge_as_if_equal =
    promising<[] { return Steps{.layer = true, .spread = merged_halves<as_if_equal>}; }>(
        "faulty/layer_merge_as_if_equal", welford_contract,
        "partial variances are merged as if the parts were equally long");
extern const nc_kernel layer_merge_of_wrong_count =
    promising<[] { return Steps{.layer = true, .spread = merged_halves<by_sum_of_counts>}; }>(
        "faulty/layer_merge_of_wrong_count", welford_contract,
        "partial variances are merged with a count that is one too large");
extern const nc_kernel layer_welford_old_mean =
    promising<[] { return Steps{.layer = true, .spread = old_mean_twice}; }>(
        "faulty/layer_welford_old_mean", welford_contract, "Welford's update squares the distance from the old mean");
extern const nc_kernel layer_variance_about_head = layer<[] { return Steps{.spread = about_mean_of_head}; }>(
    "faulty/layer_variance_about_head", "the variance is taken about the mean of the first 16 values");
extern const nc_kernel layer_mean_of_11_bits = layer<[] { return Steps{.mean = mean_of_halved_precision}; }>(
    "faulty/layer_mean_of_11_bits", "the mean is rounded to 11 bits before it is subtracted");

extern const nc_kernel layer_folded = layer<[] { return Steps{.normalise = folded}; }>(
    "faulty/layer_folded", "applied as x * rstd - mean * rstd, though x - mean is promised first");

}  // namespace normcheck::faulty
