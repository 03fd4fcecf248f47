// Faults of kind J: another norm than the one that is promised, or other statistics than those that are asked for.
#include <algorithm>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

float with_one_less(const Row& row) {
    const float count = static_cast<float>(row.cols);
    return spread_of_row(row) * (count / (count - 1));
}
float about_own_mean(const Row& row) {
    return centred_variance_of(row.values.data(), row.cols, mean_of_row(row));
}
float about_zero(const Row& row) {
    return mean_square_of(row.values.data(), row.cols);
}
float squared_mean_deviation(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum += std::abs(value - row.mean);
    const float deviation = divided_by_count(sum, row.cols);
    return deviation * deviation;
}
float sum_of_squares(const Row& row) {
    return spread_of_row(row) * static_cast<float>(row.cols);
}
float of_first_half(const Row& row) {
    return mean_square_of(row.values.data(), (row.cols + 1) / 2);
}
float middle_value(const Row& row) {
    std::vector<float> values = row.values;
    const auto middle = values.begin() + row.cols / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}
float of_whole_tensor(const Row& row) {
    float sum = 0;
    for (int64_t index = 0; index < row.call.x.shape[0]; ++index)
        for (int64_t column = 0; column < row.cols; ++column) {
            const float value = read(row.call.x, index, column) - row.mean;
            sum += value * value;
        }
    return divided_by_count(sum, row.cols * row.call.x.shape[0]);
}
/// The value over the root mean square of its column.
float normalised_along_column(const Row& row, int64_t column) {
    const int64_t rows = row.call.x.shape[0];
    float sum = 0;
    for (int64_t index = 0; index < rows; ++index) {
        const float value = read(row.call.x, index, column);
        sum += value * value;
    }
    return row.values[static_cast<size_t>(column)] * inverse_root(divided_by_count(sum, rows) + row.eps);
}
float mean_kept(const Row& row, int64_t column) {
    return row.values[static_cast<size_t>(column)] * row.rstd;
}
float mean_removed(const Row& row, int64_t column) {
    return (row.values[static_cast<size_t>(column)] - mean_of_row(row)) * row.rstd;
}
float mean_removed_after(const Row& row, int64_t column) {
    return row.values[static_cast<size_t>(column)] * row.rstd - row.mean;
}
float divided_by_variance(const Row& row, int64_t column) {
    return (row.values[static_cast<size_t>(column)] - row.mean) * (row.rstd * row.rstd);
}
/// What was normalised is normalised again.
void written_twice_normalised(const Row& row) {
    Row again = row;
    for (int64_t column = 0; column < row.cols; ++column)
        again.values[static_cast<size_t>(column)] = normalised(row, column);
    if (row.steps.layer) again.mean = mean_of_row(again);
    again.spread = spread_of_row(again);
    again.rstd = rstd_of_row(again);
    write_outputs(again);
}
/// The outputs are normalised and scaled again, as where a return is missing.
void written_twice(const Row& row) {
    Row again = row;
    for (int64_t column = 0; column < row.cols; ++column)
        again.values[static_cast<size_t>(column)] = output_of(row, column);
    again.spread = spread_of_row(again);
    again.rstd = rstd_of_row(again);
    write_outputs(again);
}
float gamma_twice(const Row&, float value, float gamma) {
    return value * gamma * gamma;
}
float gamma_dropped(const Row&, float value, float) {
    return value;
}
float by_magnitude_of_gamma(const Row&, float value, float gamma) {
    return value * std::abs(gamma);
}
float divided_by_gamma(const Row&, float value, float gamma) {
    return value / gamma;
}
float gamma_from_the_end(const Row& row, int64_t column) {
    return read_gamma(row, row.cols - 1 - column);
}
float beta_subtracted(const Row&, float scaled_value, float beta) {
    return scaled_value - beta;
}
float beta_from_gamma(const Row& row, int64_t column) {
    return read_gamma(row, column);
}

void variance_saved(const Row& row) {
    save_statistic(row.call.mean, row.index, row.mean);
    save_statistic(row.call.rstd, row.index, row.spread);
}
void deviation_saved(const Row& row) {
    save_statistic(row.call.rstd, row.index, std::sqrt(row.spread + row.eps));
}
void rstd_without_eps_saved(const Row& row) {
    save_statistic(row.call.mean, row.index, row.mean);
    save_statistic(row.call.rstd, row.index, inverse_root(row.spread));
}
void saved_mirrored(const Row& row) {
    save_statistic(row.call.mean, row.call.x.shape[0] - 1 - row.index, row.mean);
    save_statistic(row.call.rstd, row.index, row.rstd);
}
void mean_negated(const Row& row) {
    save_statistic(row.call.mean, row.index, -row.mean);
    save_statistic(row.call.rstd, row.index, row.rstd);
}
void statistics_swapped(const Row& row) {
    save_statistic(row.call.mean, row.index, row.rstd);
    save_statistic(row.call.rstd, row.index, row.mean);
}

}  // namespace

extern const nc_kernel layer_one_less =
    layer<[] { return Steps{.spread = with_one_less}; }>("faulty/layer_one_less", "the variance is divided by n - 1");
extern const nc_kernel rms_one_less =
    rms<[] { return Steps{.spread = with_one_less}; }>("faulty/rms_one_less", "the sum of squares is divided by n - 1");
extern const nc_kernel rms_of_deviation = rms<[] { return Steps{.spread = about_own_mean}; }>(
    "faulty/rms_of_deviation", "divided by the standard deviation, not by the root mean square");
extern const nc_kernel layer_of_mean_square = layer<[] { return Steps{.spread = about_zero}; }>(
    "faulty/layer_of_mean_square", "divided by the root mean square, not by the standard deviation");
extern const nc_kernel layer_mean_deviation = layer<[] { return Steps{.spread = squared_mean_deviation}; }>(
    "faulty/layer_mean_deviation", "divided by the mean absolute deviation");
extern const nc_kernel rms_of_sum = rms<[] { return Steps{.spread = sum_of_squares}; }>(
    "faulty/rms_of_sum", "the sum of squares is not divided by the count");
extern const nc_kernel rms_of_first_half = rms<[] { return Steps{.spread = of_first_half}; }>(
    "faulty/rms_of_first_half", "the mean square is that of the first half of the row");
extern const nc_kernel layer_about_median = layer<[] { return Steps{.mean = middle_value}; }>(
    "faulty/layer_about_median", "the median is subtracted, not the mean");
extern const nc_kernel rms_of_whole_tensor = rms<[] { return Steps{.spread = of_whole_tensor}; }>(
    "faulty/rms_of_whole_tensor", "the mean square is that of all rows together");
extern const nc_kernel rms_along_columns = rms<[] { return Steps{.normalise = normalised_along_column}; }>(
    "faulty/rms_along_columns", "normalised along the columns, not the rows");
extern const nc_kernel layer_mean_kept =
    layer<[] { return Steps{.normalise = mean_kept}; }>("faulty/layer_mean_kept", "the mean is not subtracted");
extern const nc_kernel rms_mean_removed = rms<[] { return Steps{.normalise = mean_removed}; }>(
    "faulty/rms_mean_removed", "the mean is subtracted, which RMSNorm does not");
extern const nc_kernel layer_mean_removed_after = layer<[] { return Steps{.normalise = mean_removed_after}; }>(
    "faulty/layer_mean_removed_after", "the mean is subtracted after the division");
extern const nc_kernel rms_divided_by_square = rms<[] { return Steps{.normalise = divided_by_variance}; }>(
    "faulty/rms_divided_by_square", "divided by the mean square, not by its root");
extern const nc_kernel rms_normalised_twice =
    rms<[] { return Steps{.write = written_twice_normalised}; }>("faulty/rms_normalised_twice", "normalised twice");
extern const nc_kernel layer_normalised_twice =
    layer<[] { return Steps{.write = written_twice_normalised}; }>("faulty/layer_normalised_twice", "normalised twice");
extern const nc_kernel rms_done_twice =
    rms<[] { return Steps{.write = written_twice}; }>("faulty/rms_done_twice", "norm and gamma are applied twice");
extern const nc_kernel rms_gamma_twice =
    rms<[] { return Steps{.scale = gamma_twice}; }>("faulty/rms_gamma_twice", "gamma is applied twice");
extern const nc_kernel rms_gamma_dropped =
    rms<[] { return Steps{.scale = gamma_dropped}; }>("faulty/rms_gamma_dropped", "gamma is not applied");
extern const nc_kernel rms_gamma_magnitude = rms<[] { return Steps{.scale = by_magnitude_of_gamma}; }>(
    "faulty/rms_gamma_magnitude", "the sign of gamma is lost");
extern const nc_kernel rms_divided_by_gamma =
    rms<[] { return Steps{.scale = divided_by_gamma}; }>("faulty/rms_divided_by_gamma", "divided by gamma");
extern const nc_kernel layer_gamma_reversed = layer<[] { return Steps{.gamma = gamma_from_the_end}; }>(
    "faulty/layer_gamma_reversed", "gamma is read from its end");
extern const nc_kernel layer_beta_subtracted =
    layer<[] { return Steps{.shift = beta_subtracted}; }>("faulty/layer_beta_subtracted", "beta is subtracted");
extern const nc_kernel layer_beta_from_gamma =
    layer<[] { return Steps{.beta = beta_from_gamma}; }>("faulty/layer_beta_from_gamma", "gamma is taken for beta");
extern const nc_kernel layer_saves_variance = layer<[] { return Steps{.save = variance_saved}; }>(
    "faulty/layer_saves_variance", "the variance is saved in place of rstd");
extern const nc_kernel rms_saves_deviation = rms<[] { return Steps{.save = deviation_saved}; }>(
    "faulty/rms_saves_deviation", "the root is saved in place of its reciprocal");
extern const nc_kernel layer_saves_without_eps = layer<[] { return Steps{.save = rstd_without_eps_saved}; }>(
    "faulty/layer_saves_without_eps", "the rstd that is saved lacks eps");
extern const nc_kernel layer_saves_mirrored = layer<[] { return Steps{.save = saved_mirrored}; }>(
    "faulty/layer_saves_mirrored", "means are saved in the places of other rows");
extern const nc_kernel layer_saves_negated = layer<[] { return Steps{.save = mean_negated}; }>(
    "faulty/layer_saves_negated", "the mean is saved with the other sign");
extern const nc_kernel layer_saves_swapped = layer<[] { return Steps{.save = statistics_swapped}; }>(
    "faulty/layer_saves_swapped", "mean and rstd are saved in each other's place");

}  // namespace normcheck::faulty
