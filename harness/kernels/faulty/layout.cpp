// Faults of kind H: strides, pitches and addresses that are taken for others, and memory that is shared.
#include <cstdint>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

/// The tensor as if its columns lay side by side.
nc_tensor with_dense_columns(nc_tensor tensor) {
    tensor.strides[1] = 1;
    return tensor;
}
/// The tensor as if its rows lay one after the other.
nc_tensor without_pitch(nc_tensor tensor) {
    tensor.strides[0] = tensor.shape[1] * tensor.strides[1];
    return tensor;
}
int64_t element_bytes(nc_format format) {
    return format == NC_F64 ? 8 : format == NC_F32 ? 4 : 2;
}
/// Elements by which a row's start lies past a boundary of 16 bytes.
int64_t misalignment(const nc_tensor& tensor, int64_t row) {
    const int64_t bytes = element_bytes(tensor.format);
    const auto address =
        static_cast<int64_t>(reinterpret_cast<uintptr_t>(tensor.data)) + row * tensor.strides[0] * bytes;
    return address % 16 / bytes;
}

void load_dense(Row& row) {
    load(with_dense_columns(row.call.x), row.index, 0, row.cols, row.values.data());
}
void load_without_pitch(Row& row) {
    load(without_pitch(row.call.x), row.index, 0, row.cols, row.values.data());
}
void load_aligned_down(Row& row) {
    const nc_tensor& x = row.call.x;
    load(x, row.index, x.strides[1] == 1 ? -misalignment(x, row.index) : 0, row.cols, row.values.data());
}
float reread_dense(const Row& row, int64_t column) {
    return read(with_dense_columns(row.call.x), row.index, column) * row.rstd;
}
float reread_without_pitch(const Row& row, int64_t column) {
    return (read(without_pitch(row.call.x), row.index, column) - row.mean) * row.rstd;
}
float residual_without_pitch(const Row& row, int64_t column) {
    return read(without_pitch(row.call.residual), row.index, column);
}
float residual_dense(const Row& row, int64_t column) {
    return read(with_dense_columns(row.call.residual), row.index, column);
}
void store_dense(const Row& row, int64_t column, float value) {
    write(with_dense_columns(row.call.y), row.index, column, value);
}
void store_without_pitch(const Row& row, int64_t column, float value) {
    write(without_pitch(row.call.y), row.index, column, value);
}
void store_aligned_down(const Row& row, int64_t column, float value) {
    const nc_tensor& y = row.call.y;
    write(y, row.index, column - (y.strides[1] == 1 ? misalignment(y, row.index) : 0), value);
}
float gamma_with_stride_of_x(const Row& row, int64_t column) {
    return read_gamma(row, column * row.call.x.strides[1] % row.cols);
}
float first_gamma(const Row& row, int64_t) {
    return read_gamma(row, 0);
}
float gamma_by_row(const Row& row, int64_t) {
    return read_gamma(row, row.index % row.cols);
}
float beta_by_row(const Row& row, int64_t) {
    return read_beta_of(row, row.index % row.cols);
}

/// Elements up to the first boundary of 16 bytes are left to a loop that was forgotten.
float head_missed(const Row& row) {
    const int64_t past = misalignment(row.call.x, row.index);
    const int64_t head = past == 0 ? 0 : 16 / element_bytes(row.call.x.format) - past;
    if (row.call.x.strides[1] != 1 || head >= row.cols) return spread_of_row(row);
    const int64_t count = row.cols - head;
    return divided_by_count(mean_square_of(row.values.data() + head, count) * static_cast<float>(count), row.cols);
}

void fill_zeros(const nc_tensor& tensor, int64_t row, int64_t columns) {
    for (int64_t column = 0; column < columns; ++column) write(tensor, row, column, 0);
}
void visit_after_clearing(const Steps& steps, const nc_call& call) {
    for (int64_t row = 0; row < call.y.shape[0]; ++row) fill_zeros(call.y, row, call.y.shape[1]);
    visit_rows(steps, call);
}
void visit_after_clearing_sums(const Steps& steps, const nc_call& call) {
    if (call.residual_out.data != nullptr)
        for (int64_t row = 0; row < call.y.shape[0]; ++row) fill_zeros(call.residual_out, row, call.y.shape[1]);
    visit_rows(steps, call);
}
/// The statistics of a row are taken anew for saving, after its outputs have been written.
void saved_late(const Row& row) {
    write_outputs(row);
    save_statistics(measured_row(Steps{.layer = row.steps.layer}, row.call, row.index));
}
void nothing_saved(const Row&) {}

/// x is read one column behind the writing of y.
void outputs_behind(const Row& row) {
    for (int64_t column = 0; column < row.cols; ++column) {
        const float ahead = output_of(row, column);
        row.steps.store(row, column, ahead);
        const float x = read(row.call.x, row.index, column) * row.rstd;
        row.steps.store(row, column, row.steps.scale(row, x, read_gamma(row, column)));
    }
}

void gap_cleared(const Row& row) {
    write_outputs(row);
    const nc_tensor dense = with_dense_columns(row.call.y);
    for (int64_t place = row.cols * row.call.y.strides[1]; place < row.call.y.strides[0]; ++place)
        write(dense, row.index, place, 0);
}
void columns_between_cleared(const Row& row) {
    const int64_t stride = row.call.y.strides[1];
    fill_zeros(with_dense_columns(row.call.y), row.index, (row.cols - 1) * stride + 1);
    write_outputs(row);
}

}  // namespace

extern const nc_kernel rms_stride_ignored = rms<[] { return Steps{.load = load_dense}; }>(
    "faulty/rms_stride_ignored", "x is read as if its columns lay side by side");
extern const nc_kernel rms_stride_ignored_later = rms<[] { return Steps{.normalise = reread_dense}; }>(
    "faulty/rms_stride_ignored_later", "statistics read x by its stride, the second pass does not");
extern const nc_kernel rms_pitch_ignored = rms<[] { return Steps{.load = load_without_pitch}; }>(
    "faulty/rms_pitch_ignored", "x is read as if its rows lay one after the other");
extern const nc_kernel layer_pitch_ignored_later = layer<[] { return Steps{.normalise = reread_without_pitch}; }>(
    "faulty/layer_pitch_ignored_later", "statistics read x by its pitch, the second pass does not");
extern const nc_kernel rms_aligned_down = rms<[] { return Steps{.load = load_aligned_down}; }>(
    "faulty/rms_aligned_down", "the address of a row is rounded down to 16 bytes for reading");
extern const nc_kernel add_rms_residual_pitch = add_rms<[] { return Steps{.read_residual = residual_without_pitch}; }>(
    "faulty/add_rms_residual_pitch", "the residual is read as if its rows lay one after the other");
extern const nc_kernel add_rms_residual_stride = add_rms<[] { return Steps{.read_residual = residual_dense}; }>(
    "faulty/add_rms_residual_stride", "the residual is read as if its columns lay side by side");
extern const nc_kernel rms_y_stride_ignored = rms<[] { return Steps{.store = store_dense}; }>(
    "faulty/rms_y_stride_ignored", "y is written as if its columns lay side by side");
extern const nc_kernel layer_y_pitch_ignored = layer<[] { return Steps{.store = store_without_pitch}; }>(
    "faulty/layer_y_pitch_ignored", "y is written as if its rows lay one after the other");
extern const nc_kernel layer_y_aligned_down = layer<[] { return Steps{.store = store_aligned_down}; }>(
    "faulty/layer_y_aligned_down", "the address of a row is rounded down to 16 bytes for writing");
extern const nc_kernel rms_gamma_stride = rms<[] { return Steps{.gamma = gamma_with_stride_of_x}; }>(
    "faulty/rms_gamma_stride", "gamma is read with the stride of x");
extern const nc_kernel rms_first_gamma = rms<[] { return Steps{.gamma = first_gamma}; }>(
    "faulty/rms_first_gamma", "the first element of gamma is used everywhere");
extern const nc_kernel rms_gamma_by_row = rms<[] { return Steps{.gamma = gamma_by_row}; }>(
    "faulty/rms_gamma_by_row", "gamma is broadcast along the columns, one element a row");
extern const nc_kernel layer_beta_by_row = layer<[] { return Steps{.beta = beta_by_row}; }>(
    "faulty/layer_beta_by_row", "beta is broadcast along the columns, one element a row");
extern const nc_kernel rms_head_missed = rms<[] { return Steps{.spread = head_missed}; }>(
    "faulty/rms_head_missed", "elements before the first 16-byte boundary are not summed");
extern const nc_kernel rms_clears_y_first = rms<[] { return Steps{.visit = visit_after_clearing}; }>(
    "faulty/rms_clears_y_first", "y is cleared before x is read, which may be the same memory");
extern const nc_kernel add_rms_clears_sum_first = add_rms<[] { return Steps{.visit = visit_after_clearing_sums}; }>(
    "faulty/add_rms_clears_sum_first",
    "residual_out is cleared before the residual is read, which may be the same memory");
extern const nc_kernel layer_saves_late = layer<[] { return Steps{.save = nothing_saved, .write = saved_late}; }>(
    "faulty/layer_saves_late", "statistics are taken anew after y is written, which may be x");
extern const nc_kernel rms_reads_behind = rms<[] { return Steps{.write = outputs_behind}; }>(
    "faulty/rms_reads_behind",
    "an element of x is read again after that of y is written, which may be the same memory");
extern const nc_kernel rms_gap_cleared =
    rms<[] { return Steps{.write = gap_cleared}; }>("faulty/rms_gap_cleared", "the gap between rows of y is cleared");
extern const nc_kernel rms_between_cleared = rms<[] { return Steps{.write = columns_between_cleared}; }>(
    "faulty/rms_between_cleared", "what lies between the columns of y is cleared");

}  // namespace normcheck::faulty
