// Faults of kind D: sums, counts or statistics in too few bits, and long rows summed less well than promised.
#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr const char* tree_rms = "rms reduce=tree batch_invariant=yes in_place=yes";
constexpr const char* tree_layer = "layer beta=add reduce=tree batch_invariant=yes in_place=yes";

float to_input(const Row& row, float value) {
    return rounded(row.call.x.format, value);
}

/// Summed from left to right, every partial sum rounded to x's format.
float spread_summed_in_input(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum = to_input(row, sum + (value - row.mean) * (value - row.mean));
    return divided_by_count(sum, row.cols);
}
float mean_summed_in_input(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum = to_input(row, sum + value);
    return divided_by_count(sum, row.cols);
}
/// A running mean square: each square is divided first.
float spread_of_shares(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum = to_input(row, sum + value * value / static_cast<float>(row.cols));
    return sum;
}
float block_sums_in_input(const Row& row) {
    constexpr int64_t block = 64;
    float sum = 0;
    for (int64_t first = 0; first < row.cols; first += block) {
        const int64_t count = std::min(block, row.cols - first);
        sum += to_input(row, mean_square_of(row.values.data() + first, count) * static_cast<float>(count));
    }
    return divided_by_count(sum, row.cols);
}
float squares_in_input(const Row& row) {
    std::vector<float> squares = row.values;
    for (float& value : squares) value = to_input(row, value * value);
    return mean_of(squares.data(), row.cols);
}
float counted_in_input(const Row& row) {
    return spread_of_row(row) * (static_cast<float>(row.cols) / to_input(row, static_cast<float>(row.cols)));
}
float mean_counted_in_input(const Row& row) {
    return mean_of_row(row) * (static_cast<float>(row.cols) / to_input(row, static_cast<float>(row.cols)));
}
/// The number of columns in 11 bits, as f16 has them, without f16's overflow.
float counted_in_11_bits(const Row& row) {
    const float count = static_cast<float>(row.cols), scale = row.cols > 32768 ? 4 : 1;
    return spread_of_row(row) * (count / (rounded(NC_F16, count / scale) * scale));
}
float spread_in_input(const Row& row) {
    return to_input(row, spread_of_row(row));
}
float mean_in_input(const Row& row) {
    return to_input(row, mean_of_row(row));
}
float rstd_in_input(const Row& row) {
    return to_input(row, rstd_of_row(row));
}
float radicand_in_input(const Row& row) {
    return inverse_root(to_input(row, row.spread + row.eps));
}
float root_in_input(const Row& row) {
    return 1 / to_input(row, std::sqrt(row.spread + row.eps));
}
float spread_left_to_right(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum += (value - row.mean) * (value - row.mean);
    return divided_by_count(sum, row.cols);
}
float mean_left_to_right(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum += value;
    return divided_by_count(sum, row.cols);
}
/// A running mean, the weights of the values rounded to x's format.
float running_mean_in_input(const Row& row) {
    float mean = 0;
    for (int64_t i = 0; i < row.cols; ++i)
        mean += (row.values[static_cast<size_t>(i)] - mean) * to_input(row, 1 / static_cast<float>(i + 1));
    return mean;
}

}  // namespace

extern const nc_kernel rms_summed_in_input = rms<[] { return Steps{.spread = spread_summed_in_input}; }>(
    "faulty/rms_summed_in_input", "the running sum of squares is kept in x's format", only_16_bits);
extern const nc_kernel layer_variance_summed_in_input = layer<[] { return Steps{.spread = spread_summed_in_input}; }>(
    "faulty/layer_variance_summed_in_input", "the running sum of centred squares is kept in x's format", only_16_bits);
extern const nc_kernel layer_mean_summed_in_input = layer<[] { return Steps{.mean = mean_summed_in_input}; }>(
    "faulty/layer_mean_summed_in_input", "the running sum of values is kept in x's format", only_16_bits);
extern const nc_kernel rms_shares_in_input = rms<[] { return Steps{.spread = spread_of_shares}; }>(
    "faulty/rms_shares_in_input", "squares over the count are summed in x's format", only_16_bits);
extern const nc_kernel rms_block_sums_in_input = rms<[] { return Steps{.spread = block_sums_in_input}; }>(
    "faulty/rms_block_sums_in_input", "the sums of blocks of 64 are stored in x's format", only_16_bits);
extern const nc_kernel rms_squares_in_input = rms<[] { return Steps{.spread = squares_in_input}; }>(
    "faulty/rms_squares_in_input", "squares are rounded to x's format", only_16_bits);
extern const nc_kernel rms_count_in_input = rms<[] { return Steps{.spread = counted_in_input}; }>(
    "faulty/rms_count_in_input", "the number of columns is rounded to x's format", only_16_bits);
extern const nc_kernel layer_count_in_11_bits = layer<[] { return Steps{.spread = counted_in_11_bits}; }>(
    "faulty/layer_count_in_11_bits", "the number of columns is rounded to 11 bits");
extern const nc_kernel layer_count_in_input = layer<[] { return Steps{.mean = mean_counted_in_input}; }>(
    "faulty/layer_count_in_input", "the sum is divided by a count that is rounded to x's format", only_16_bits);
extern const nc_kernel rms_mean_square_in_input = rms<[] { return Steps{.spread = spread_in_input}; }>(
    "faulty/rms_mean_square_in_input", "the mean square is rounded to x's format", only_16_bits);
extern const nc_kernel layer_mean_in_input = layer<[] { return Steps{.mean = mean_in_input}; }>(
    "faulty/layer_mean_in_input", "the mean is rounded to x's format", only_16_bits);
extern const nc_kernel rms_rstd_in_input = rms<[] { return Steps{.rstd = rstd_in_input}; }>(
    "faulty/rms_rstd_in_input", "the reciprocal root is rounded to x's format", only_16_bits);
extern const nc_kernel layer_radicand_in_input = layer<[] { return Steps{.rstd = radicand_in_input}; }>(
    "faulty/layer_radicand_in_input", "variance and eps are added in x's format", only_16_bits);
extern const nc_kernel layer_root_in_input = layer<[] { return Steps{.rstd = root_in_input}; }>(
    "faulty/layer_root_in_input", "the root is rounded to x's format", only_16_bits);
extern const nc_kernel layer_running_mean_in_input = layer<[] { return Steps{.mean = running_mean_in_input}; }>(
    "faulty/layer_running_mean_in_input", "a running mean is updated with weights in x's format", only_16_bits);
extern const nc_kernel rms_not_in_f64 = promising<[] { return Steps{}; }>(
    "faulty/rms_not_in_f64", "rms acc=f64 reduce=lanes:16 batch_invariant=yes in_place=yes",
    "computed in f32, though f64 is promised", 1U << NC_F32);
extern const nc_kernel layer_moments_not_in_f64 = promising<[] { return Steps{.layer = true}; }>(
    "faulty/layer_moments_not_in_f64",
    "layer beta=add moments=f64 stats=f32 reduce=lanes:16 batch_invariant=yes in_place=yes",
    "sums are taken in f32, though f64 is promised", 1U << NC_F32);
extern const nc_kernel rms_not_a_tree = promising<[] { return Steps{.spread = spread_left_to_right}; }>(
    "faulty/rms_not_a_tree", tree_rms, "summed from left to right, though a tree is promised");
extern const nc_kernel layer_not_a_tree = promising<[] { return Steps{.layer = true, .mean = mean_left_to_right}; }>(
    "faulty/layer_not_a_tree", tree_layer, "the mean is summed from left to right, though a tree is promised");

}  // namespace normcheck::faulty
