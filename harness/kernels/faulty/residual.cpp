// Faults of kind F: what of the residual is read, rounded and returned; and inputs that a kernel works in.
#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr ResidualSum wide = ResidualSum::wide, round_first = ResidualSum::rounded;

float with_residual_of_row_before(const Row& row, int64_t column) {
    return read(row.call.residual, row.index > 0 ? row.index - 1 : 0, column);
}
float with_residual_of_first_row(const Row& row, int64_t column) {
    return read(row.call.residual, 0, column);
}
float with_first_residual(const Row& row, int64_t) {
    return read(row.call.residual, row.index, 0);
}
float residual_dropped(const Row&, int64_t) {
    return 0;
}
float residual_twice(const Row& row, int64_t column) {
    return 2 * read_residual(row, column);
}
float residual_of_vectors(const Row& row, int64_t column) {
    return column < row.cols / 4 * 4 ? read_residual(row, column) : 0;
}
float returned_x(const Row&, float x, float) {
    return x;
}
float returned_residual(const Row&, float, float residual) {
    return residual;
}
float returned_difference(const Row&, float x, float residual) {
    return x - residual;
}
float returned_by_way_of_bf16(const Row&, float x, float residual) {
    return rounded(NC_BF16, x + residual);
}
float sum_by_way_of_bf16(const Row&, float sum) {
    return rounded(NC_BF16, sum);
}
float sum_clipped(const Row& row, float sum) {
    const float limit = 256;
    return rounded(row.call.x.format, std::abs(sum) > limit ? std::copysign(limit, sum) : sum);
}

float read_x(const Row& row, int64_t column) {
    return read(row.call.x, row.index, column);
}
/// The statistics are those of x alone.
float spread_of_x(const Row& row) {
    std::vector<float> values(static_cast<size_t>(row.cols));
    load(row.call.x, row.index, 0, row.cols, values.data());
    return mean_square_of(values.data(), row.cols);
}
/// The values are those of x alone.
float normalised_x(const Row& row, int64_t column) {
    return read_x(row, column) * row.rstd;
}

/// residual_out holds the output.
void outputs_returned_twice(const Row& row) {
    write_outputs(row);
    if (row.call.residual_out.data == nullptr) return;
    for (int64_t column = 0; column < row.cols; ++column)
        write(row.call.residual_out, row.index, column, output_of(row, column));
}

/// residual_out is meant to be scratch memory that holds the residual by now.
float read_scratch(const Row& row, int64_t column) {
    const nc_tensor& scratch = row.call.residual_out;
    return scratch.data != nullptr ? read(scratch, row.index, column) : read_residual(row, column);
}

/// The sum is formed in x's own memory.
void sum_left_in_x(const Row& row) {
    for (int64_t column = 0; column < row.cols; ++column)
        write(row.call.x, row.index, column, row.values[static_cast<size_t>(column)]);
    write_outputs(row);
}
void normalised_left_in_x(const Row& row) {
    for (int64_t column = 0; column < row.cols; ++column) write(row.call.x, row.index, column, normalised(row, column));
    write_outputs(row);
}
void gamma_left_scaled(const Row& row) {
    write_outputs(row);
    if (row.call.gamma.data == nullptr || row.index != 0) return;
    write(row.call.gamma, 0, row.cols - 1, 2 * read_gamma(row, row.cols - 1));
}

}  // namespace

extern const nc_kernel add_rms_sum_rounded = promising<[] { return Steps{.residual = round_first}; }>(
    "faulty/add_rms_sum_rounded", add_rms_wide_contract,
    "the sum is rounded before the norm, though it is to stay wide", only_16_bits);
extern const nc_kernel add_rms_sum_wide = promising<[] { return Steps{.residual = wide}; }>(
    "faulty/add_rms_sum_wide", add_rms_contract, "the sum stays wide, though it is to be rounded before the norm",
    only_16_bits);
extern const nc_kernel add_rms_residual_of_row_before =
    add_rms<[] { return Steps{.read_residual = with_residual_of_row_before}; }>(
        "faulty/add_rms_residual_of_row_before", "the residual is that of the row before");
extern const nc_kernel add_rms_residual_of_first_row =
    add_rms<[] { return Steps{.read_residual = with_residual_of_first_row}; }>(
        "faulty/add_rms_residual_of_first_row", "the residual of the first row is added to all rows");
extern const nc_kernel add_rms_first_residual = add_rms<[] { return Steps{.read_residual = with_first_residual}; }>(
    "faulty/add_rms_first_residual", "the first element of a row's residual is added everywhere");
extern const nc_kernel add_rms_residual_dropped = add_rms<[] { return Steps{.read_residual = residual_dropped}; }>(
    "faulty/add_rms_residual_dropped", "the residual is not added");
extern const nc_kernel add_rms_residual_twice = add_rms<[] { return Steps{.read_residual = residual_twice}; }>(
    "faulty/add_rms_residual_twice", "the residual is added twice");
extern const nc_kernel add_rms_residual_of_vectors =
    add_rms<[] { return Steps{.read_residual = residual_of_vectors}; }>(
        "faulty/add_rms_residual_of_vectors", "the residual of the last columns that fill no vector of 4 is not added");
extern const nc_kernel add_rms_returns_x = add_rms<[] { return Steps{.returned_sum = returned_x}; }>(
    "faulty/add_rms_returns_x", "x is returned in place of the sum");
extern const nc_kernel add_rms_returns_residual = add_rms<[] { return Steps{.returned_sum = returned_residual}; }>(
    "faulty/add_rms_returns_residual", "the residual is returned in place of the sum");
extern const nc_kernel add_rms_returns_difference = add_rms<[] { return Steps{.returned_sum = returned_difference}; }>(
    "faulty/add_rms_returns_difference", "x less the residual is returned in place of the sum");
extern const nc_kernel add_rms_returns_output = add_rms<[] { return Steps{.write = outputs_returned_twice}; }>(
    "faulty/add_rms_returns_output", "the output is returned in place of the sum");
extern const nc_kernel add_rms_returned_by_way_of_bf16 =
    add_rms<[] { return Steps{.returned_sum = returned_by_way_of_bf16}; }>(
        "faulty/add_rms_returned_by_way_of_bf16", "the returned sum is rounded to bf16 on the way to x's format",
        1U << NC_F32 | 1U << NC_F16);
extern const nc_kernel add_rms_sum_by_way_of_bf16 = add_rms<[] { return Steps{.norm_input = sum_by_way_of_bf16}; }>(
    "faulty/add_rms_sum_by_way_of_bf16", "the norm sees the sum in bf16", 1U << NC_F32 | 1U << NC_F16);
extern const nc_kernel add_rms_sum_clipped = add_rms<[] { return Steps{.norm_input = sum_clipped}; }>(
    "faulty/add_rms_sum_clipped", "the norm sees sums no larger than 256");
extern const nc_kernel add_rms_statistics_of_x = add_rms<[] { return Steps{.spread = spread_of_x}; }>(
    "faulty/add_rms_statistics_of_x", "the mean square is that of x without the residual");
extern const nc_kernel add_rms_values_of_x = add_rms<[] { return Steps{.normalise = normalised_x}; }>(
    "faulty/add_rms_values_of_x", "x without the residual is divided by the root of the sum");
extern const nc_kernel add_rms_reads_scratch = add_rms<[] { return Steps{.read_residual = read_scratch}; }>(
    "faulty/add_rms_reads_scratch", "residual_out is read as if it held the residual");
extern const nc_kernel add_rms_sum_left_in_x =
    add_rms<[] { return Steps{.write = sum_left_in_x}; }>("faulty/add_rms_sum_left_in_x", "the sum is written over x");
extern const nc_kernel rms_normalised_left_in_x = rms<[] { return Steps{.write = normalised_left_in_x}; }>(
    "faulty/rms_normalised_left_in_x", "the normalised values are written over x");
extern const nc_kernel rms_gamma_left_scaled = rms<[] { return Steps{.write = gamma_left_scaled}; }>(
    "faulty/rms_gamma_left_scaled", "an element of gamma is changed");

}  // namespace normcheck::faulty
