// Faults of kind G in what is read and counted: tails, padding, limits of rows and columns, indices that wrap.
#include <algorithm>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr int64_t vector_width = 8;

int64_t whole_vectors(int64_t columns) {
    return columns / vector_width * vector_width;
}
int64_t padded_columns(int64_t columns) {
    return (columns + vector_width - 1) / vector_width * vector_width;
}
/// The centred squares of columns first .. first + count, summed.
float squares_of(const Row& row, int64_t first, int64_t count) {
    if (count <= 0) return 0;
    return centred_variance_of(row.values.data() + first, count, row.mean) * static_cast<float>(count);
}

float tail_dropped(const Row& row) {
    return divided_by_count(squares_of(row, 0, whole_vectors(row.cols)), row.cols);
}
float tail_twice(const Row& row) {
    const int64_t whole = whole_vectors(row.cols);
    if (whole == 0 || whole == row.cols) return spread_of_row(row);
    return divided_by_count(squares_of(row, 0, whole) + squares_of(row, row.cols - vector_width, vector_width),
                            row.cols);
}
float mean_without_tail(const Row& row) {
    const int64_t whole = whole_vectors(row.cols);
    return whole == 0 ? 0 : divided_by_count(mean_of(row.values.data(), whole) * static_cast<float>(whole), row.cols);
}
/// The padding holds 0, and 0 - mean is squared with the rest.
float padding_squared(const Row& row) {
    const float padding = static_cast<float>(padded_columns(row.cols) - row.cols);
    return divided_by_count(squares_of(row, 0, row.cols) + padding * (row.mean * row.mean), row.cols);
}
float padding_counted(const Row& row) {
    return divided_by_count(squares_of(row, 0, row.cols), padded_columns(row.cols));
}
float mean_padding_counted(const Row& row) {
    return divided_by_count(mean_of_row(row) * static_cast<float>(row.cols), padded_columns(row.cols));
}
float first_column_missed(const Row& row) {
    return divided_by_count(squares_of(row, 1, row.cols - 1), row.cols);
}
float last_column_missed(const Row& row) {
    return divided_by_count(squares_of(row, 0, row.cols - 1), row.cols);
}
float of_1024_columns(const Row& row) {
    return centred_variance_of(row.values.data(), std::min<int64_t>(row.cols, 1024), row.mean);
}
/// One block of 1024 columns too few, but only where there are several.
float last_block_dropped(const Row& row) {
    const bool several = row.cols > 1024;
    return divided_by_count(squares_of(row, 0, several ? row.cols / 1024 * 1024 : row.cols), row.cols);
}
float of_4096_columns(const Row& row) {
    const int64_t columns = std::min<int64_t>(row.cols, 4096);
    return divided_by_count(squares_of(row, 0, columns), row.cols);
}
/// Warps of 32 columns each, at most 32 of them; their sums are added in a tree that is made for powers of two.
float tree_of_powers(const Row& row) {
    const int64_t warps = std::min<int64_t>((row.cols + 31) / 32, 32);
    std::vector<float> sums(static_cast<size_t>(warps));
    for (int64_t column = 0; column < row.cols; ++column)
        sums[static_cast<size_t>(column / 32 % warps)] +=
            row.values[static_cast<size_t>(column)] * row.values[static_cast<size_t>(column)];
    for (size_t half = sums.size() / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
    return divided_by_count(sums[0], row.cols);
}
/// A block smaller than a warp still exchanges values with a whole one: the lanes that do not exist repeat the last.
float shuffled_past_block(const Row& row) {
    if (row.cols >= 32) return spread_of_row(row);
    const float last = row.values.back() - row.mean;
    const float missing = static_cast<float>(32 - row.cols);
    return divided_by_count(squares_of(row, 0, row.cols) + missing * (last * last), row.cols);
}

template <int64_t limit>
void visit_first(const Steps& steps, const nc_call& call) {
    const int64_t rows = std::min(limit, call.x.shape[0]);
    for (int64_t row = 0; row < rows; ++row) run_row(steps, call, row);
}
void visit_wrapped(const Steps& steps, const nc_call& call) {
    for (int64_t row = 0; row < call.x.shape[0]; ++row) run_row(steps, call, static_cast<uint8_t>(row));
}
void visit_by_short_number(const Steps& steps, const nc_call& call) {
    for (int64_t row = 0; row < call.x.shape[0]; ++row) run_row(steps, call, static_cast<uint16_t>(row));
}
void visit_blocks_of_four(const Steps& steps, const nc_call& call) {
    const int64_t rows = call.x.shape[0] < 4 ? call.x.shape[0] : call.x.shape[0] / 4 * 4;
    for (int64_t row = 0; row < rows; ++row) run_row(steps, call, row);
}
void visit_by_threads(const Steps& steps, const nc_call& call) {
    const int64_t share = std::max<int64_t>(call.x.shape[0] / call.threads, 1);
    for (int64_t row = 0; row < std::min(share * call.threads, call.x.shape[0]); ++row) run_row(steps, call, row);
}

/// Row offsets in 16 bits.
void load_by_short_offset(Row& row) {
    nc_tensor x = row.call.x;
    const uint16_t offset = static_cast<uint16_t>(row.index * row.call.x.strides[0]);
    x.strides[0] = 1;  // so that the row number is the offset
    load(x, offset, 0, row.cols, row.values.data());
}
/// Column numbers in 16 bits.
void load_by_short_column(Row& row) {
    load_values(row);
    for (int64_t column = 0; column < row.cols; ++column)
        row.values[static_cast<size_t>(column)] = row.values[static_cast<uint16_t>(column)];
}
float gamma_of_block(const Row& row, int64_t column) {
    return read_gamma(row, column % 1024);
}
float gamma_of_next(const Row& row, int64_t column) {
    return read_gamma(row, std::min(column + 1, row.cols - 1));
}
float beta_of_vectors(const Row& row, int64_t column) {
    return column < whole_vectors(row.cols) ? read_beta_of(row, column) : 0;
}

}  // namespace

extern const nc_kernel rms_tail_dropped = rms<[] { return Steps{.spread = tail_dropped}; }>(
    "faulty/rms_tail_dropped", "squares past the last whole vector of 8 are not summed");
extern const nc_kernel rms_tail_twice = rms<[] { return Steps{.spread = tail_twice}; }>(
    "faulty/rms_tail_twice", "the last vector overlaps the one before, whose squares count twice");
extern const nc_kernel layer_mean_without_tail = layer<[] { return Steps{.mean = mean_without_tail}; }>(
    "faulty/layer_mean_without_tail", "values past the last whole vector of 8 are not in the mean");
extern const nc_kernel layer_padding_squared = layer<[] { return Steps{.spread = padding_squared}; }>(
    "faulty/layer_padding_squared", "padded lanes hold 0 less the mean, and are squared into the variance");
extern const nc_kernel rms_padding_counted =
    rms<[] { return Steps{.spread = padding_counted}; }>("faulty/rms_padding_counted", "padded lanes are counted");
extern const nc_kernel layer_padding_counted = layer<[] { return Steps{.mean = mean_padding_counted}; }>(
    "faulty/layer_padding_counted", "padded lanes are counted in the mean");
extern const nc_kernel rms_first_column_missed = rms<[] { return Steps{.spread = first_column_missed}; }>(
    "faulty/rms_first_column_missed", "the first column is not in the sum of squares");
extern const nc_kernel layer_last_column_missed = layer<[] { return Steps{.spread = last_column_missed}; }>(
    "faulty/layer_last_column_missed", "the last column is not in the sum of squares");
extern const nc_kernel rms_1024_columns = rms<[] { return Steps{.spread = of_1024_columns}; }>(
    "faulty/rms_1024_columns", "only the first 1024 columns are in the mean square");
extern const nc_kernel layer_last_block_dropped = layer<[] { return Steps{.spread = last_block_dropped}; }>(
    "faulty/layer_last_block_dropped", "past 1024 columns, a last block that is not full is not summed");
extern const nc_kernel layer_4096_columns = layer<[] { return Steps{.spread = of_4096_columns}; }>(
    "faulty/layer_4096_columns", "centred squares past 4096 columns are not summed");
extern const nc_kernel rms_tree_of_powers = rms<[] { return Steps{.spread = tree_of_powers}; }>(
    "faulty/rms_tree_of_powers", "the sums of warps are added in a tree that loses one where they are no power of two");
extern const nc_kernel layer_shuffled_past_block = layer<[] { return Steps{.spread = shuffled_past_block}; }>(
    "faulty/layer_shuffled_past_block", "below 32 columns, lanes that do not exist repeat the last column's square");
extern const nc_kernel rms_256_rows =
    rms<[] { return Steps{.visit = visit_first<256>}; }>("faulty/rms_256_rows", "only the first 256 rows are computed");
extern const nc_kernel layer_row_in_8_bits = layer<[] { return Steps{.visit = visit_wrapped}; }>(
    "faulty/layer_row_in_8_bits", "the row number is kept in 8 bits");
extern const nc_kernel rms_row_in_16_bits = rms<[] { return Steps{.visit = visit_by_short_number}; }>(
    "faulty/rms_row_in_16_bits", "the row number is kept in 16 bits");
extern const nc_kernel layer_65535_rows = layer<[] { return Steps{.visit = visit_first<65535>}; }>(
    "faulty/layer_65535_rows", "only the first 65535 rows are computed");
extern const nc_kernel rms_rows_in_fours = rms<[] { return Steps{.visit = visit_blocks_of_four}; }>(
    "faulty/rms_rows_in_fours", "rows past the last whole block of 4 are not computed");
extern const nc_kernel rms_rows_by_threads = rms<[] { return Steps{.visit = visit_by_threads}; }>(
    "faulty/rms_rows_by_threads", "rows that are left over when they are dealt to the threads are not computed");
extern const nc_kernel rms_offset_in_16_bits = rms<[] { return Steps{.load = load_by_short_offset}; }>(
    "faulty/rms_offset_in_16_bits", "the offset of a row is kept in 16 bits");
extern const nc_kernel layer_column_in_16_bits = layer<[] { return Steps{.load = load_by_short_column}; }>(
    "faulty/layer_column_in_16_bits", "the column number is kept in 16 bits");
extern const nc_kernel rms_gamma_of_block = rms<[] { return Steps{.gamma = gamma_of_block}; }>(
    "faulty/rms_gamma_of_block", "gamma starts anew after every 1024 columns");
extern const nc_kernel rms_gamma_of_next = rms<[] { return Steps{.gamma = gamma_of_next}; }>(
    "faulty/rms_gamma_of_next", "the gamma of the next column is taken");
extern const nc_kernel layer_beta_of_vectors = layer<[] { return Steps{.beta = beta_of_vectors}; }>(
    "faulty/layer_beta_of_vectors", "beta is not added past the last whole vector of 8");

}  // namespace normcheck::faulty
