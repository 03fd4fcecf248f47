// Faults of kind G in what is written: past the row, too little, in empty calls; and calls that are not answered.
#include <stdexcept>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

void one_past_row(const Row& row) {
    write_outputs(row);
    write(row.call.y, row.index, row.cols, 0);
}
void one_before_row(const Row& row) {
    write(row.call.y, row.index, -1, 0);
    write_outputs(row);
}
template <int64_t width>
void whole_vectors_written(const Row& row) {
    write_outputs(row);
    if (row.call.y.strides[1] != 1) return;
    for (int64_t column = row.cols; column % width != 0; ++column) write(row.call.y, row.index, column, 0);
}
void last_of_odd_unwritten(const Row& row) {
    const int64_t columns = row.cols / 2 * 2;
    for (int64_t column = 0; column < columns; ++column) row.steps.store(row, column, output_of(row, column));
}
void past_4096_unwritten(const Row& row) {
    const int64_t columns = row.cols < 4096 ? row.cols : 4096;
    for (int64_t column = 0; column < columns; ++column) row.steps.store(row, column, output_of(row, column));
}
/// Zeros are skipped, as if y held zeros before.
void store_unless_zero(const Row& row, int64_t column, float value) {
    if (value != 0) store_output(row, column, value);
}
void past_gamma(const Row& row) {
    write_outputs(row);
    if (row.call.gamma.data != nullptr) write(row.call.gamma, 0, row.cols, 0);
}
void statistic_past_last(const Row& row) {
    save_statistics(row);
    if (row.call.rstd.data != nullptr) write(row.call.rstd, row.index + 1, 0, row.rstd);
}
void statistics_of_even_rows(const Row& row) {
    if (row.index % 2 == 0) save_statistics(row);
}
void no_mean_saved(const Row& row) {
    save_statistic(row.call.rstd, row.index, row.rstd);
}

/// A row without columns has a reciprocal root all the same.
const char* rstd_of_empty_rows(const nc_call* call) {
    if (call->x.shape[1] == 0)
        for (int64_t row = 0; row < call->x.shape[0]; ++row)
            save_statistic(call->rstd, row, inverse_root(static_cast<float>(call->eps)));
    return run_steps(Steps{}, *call);
}
/// One block is started at least.
const char* first_row_of_none(const nc_call* call) {
    if (call->x.shape[0] == 0 && call->x.shape[1] > 0) save_statistic(call->rstd, 0, 0.0f);
    return run_steps(Steps{}, *call);
}
const char* throwing_without_gamma(const nc_call* call) {
    if (call->gamma.data == nullptr) throw std::invalid_argument("gamma is null");
    return run_steps(Steps{}, *call);
}
const char* silent_on_few_columns(const nc_call* call) {
    return call->x.shape[1] < 4 ? nullptr : run_steps(Steps{}, *call);
}

}  // namespace

extern const nc_kernel rms_one_past_row =
    rms<[] { return Steps{.write = one_past_row}; }>("faulty/rms_one_past_row", "one element past each row is written");
extern const nc_kernel rms_one_before_row = rms<[] { return Steps{.write = one_before_row}; }>(
    "faulty/rms_one_before_row", "one element before each row is written");
extern const nc_kernel rms_vector_past_row = rms<[] { return Steps{.write = whole_vectors_written<8>}; }>(
    "faulty/rms_vector_past_row", "the last vector of 8 is written whole");
extern const nc_kernel layer_pair_past_row = layer<[] { return Steps{.write = whole_vectors_written<2>}; }>(
    "faulty/layer_pair_past_row", "the last pair is written whole");
extern const nc_kernel rms_last_of_odd_unwritten = rms<[] { return Steps{.write = last_of_odd_unwritten}; }>(
    "faulty/rms_last_of_odd_unwritten", "the last of an odd number of columns is not written");
extern const nc_kernel layer_past_4096_unwritten = layer<[] { return Steps{.write = past_4096_unwritten}; }>(
    "faulty/layer_past_4096_unwritten", "columns past 4096 are not written");
extern const nc_kernel rms_zeros_unwritten =
    rms<[] { return Steps{.store = store_unless_zero}; }>("faulty/rms_zeros_unwritten", "outputs of 0 are not written");
extern const nc_kernel rms_writes_past_gamma = rms<[] { return Steps{.write = past_gamma}; }>(
    "faulty/rms_writes_past_gamma", "the element after gamma is written");
extern const nc_kernel rms_statistic_past_last = rms<[] { return Steps{.save = statistic_past_last}; }>(
    "faulty/rms_statistic_past_last", "one saved statistic too many is written");
extern const nc_kernel rms_statistics_of_even_rows = rms<[] { return Steps{.save = statistics_of_even_rows}; }>(
    "faulty/rms_statistics_of_even_rows", "the reciprocal root is saved in every other row only");
extern const nc_kernel layer_no_mean_saved =
    layer<[] { return Steps{.save = no_mean_saved}; }>("faulty/layer_no_mean_saved", "the mean is not saved");
extern const nc_kernel rms_writes_empty_rows = {"faulty/rms_writes_empty_rows", rms_contract,
                                                "rows without columns get a reciprocal root", cpu_formats,
                                                rstd_of_empty_rows};
extern const nc_kernel rms_writes_no_rows = {"faulty/rms_writes_no_rows", rms_contract,
                                             "a reciprocal root is saved although there are no rows", cpu_formats,
                                             first_row_of_none};
extern const nc_kernel rms_throws = {"faulty/rms_throws", rms_contract, "throws an exception where no gamma is passed",
                                     cpu_formats, throwing_without_gamma};
extern const nc_kernel rms_silent_on_few_columns = {"faulty/rms_silent_on_few_columns", rms_contract,
                                                    "does nothing below 4 columns and does not say so", cpu_formats,
                                                    silent_on_few_columns};

}  // namespace normcheck::faulty
