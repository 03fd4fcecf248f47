// Passes over whole f32 tensors, the pieces of the composed kernels: each reads and writes memory once and does one
// step.
#pragma once

#include "harness/kernels/cpu/row_program.hpp"

namespace normcheck {

/// A dense f32 temporary of rows * cols values.
struct Matrix {
    int64_t cols;
    std::unique_ptr<float[]> values;
    float* row(int64_t index) const { return values.get() + index * cols; }
};

/// One f32 value per row.
using Column = std::vector<float>;

inline Matrix make_matrix(const nc_call& call) {
    const int64_t rows = call.x.shape[0], cols = call.x.shape[1];
    if (rows > INT64_MAX / 4 / cols) throw std::bad_alloc();
    return {cols, std::make_unique_for_overwrite<float[]>(static_cast<size_t>(rows * cols))};
}

inline Matrix load_matrix(const nc_call& call, const nc_tensor& tensor) {
    Matrix matrix = make_matrix(call);
    for_each_row(call, [&](int64_t row, int) { load(tensor, row, 0, matrix.cols, matrix.row(row)); });
    return matrix;
}

inline void store_matrix(const nc_call& call, const Matrix& matrix, const nc_tensor& tensor) {
    for_each_row(call, [&](int64_t row, int) { store(tensor, row, 0, matrix.cols, matrix.row(row)); });
}

inline void save_column(const nc_call& call, const Column& column, const nc_tensor& tensor) {
    for_each_row(call, [&](int64_t row, int) { save_statistic(tensor, row, column[static_cast<size_t>(row)]); });
}

/// reduction(values, cols) of every row.
template <class Reduction>
Column reduce_rows(const nc_call& call, const Matrix& matrix, Reduction reduction) {
    Column column(static_cast<size_t>(call.x.shape[0]));
    for_each_row(call,
                 [&](int64_t row, int) { column[static_cast<size_t>(row)] = reduction(matrix.row(row), matrix.cols); });
    return column;
}

/// matrix[row][i] = step(matrix[row][i], row, i), everywhere.
template <class Step>
void for_each_element(const nc_call& call, const Matrix& matrix, Step step) {
    for_each_row(call, [&](int64_t row, int) {
        float* values = matrix.row(row);
#pragma omp simd
        for (int64_t i = 0; i < matrix.cols; ++i) values[i] = step(values[i], row, i);
    });
}

inline Matrix squared(const nc_call& call, const Matrix& matrix) {
    Matrix squares = make_matrix(call);
    for_each_row(call, [&](int64_t row, int) {
        const float* from = matrix.row(row);
        float* to = squares.row(row);
#pragma omp simd
        for (int64_t i = 0; i < matrix.cols; ++i) to[i] = from[i] * from[i];
    });
    return squares;
}

inline void subtract_column(const nc_call& call, const Column& column, const Matrix& matrix) {
    const float* by = column.data();
    for_each_element(call, matrix, [by](float value, int64_t row, int64_t) { return value - by[row]; });
}

inline void multiply_by_column(const nc_call& call, const Column& column, const Matrix& matrix) {
    const float* by = column.data();
    for_each_element(call, matrix, [by](float value, int64_t row, int64_t) { return value * by[row]; });
}

inline void multiply_by_vector(const nc_call& call, const float* vector, const Matrix& matrix) {
    for_each_element(call, matrix, [vector](float value, int64_t, int64_t i) { return value * vector[i]; });
}

inline void add_vector(const nc_call& call, const float* vector, const Matrix& matrix) {
    for_each_element(call, matrix, [vector](float value, int64_t, int64_t i) { return value + vector[i]; });
}

/// Turns mean squares into 1 / sqrt(mean square + eps).
inline void invert_roots(float eps, Column& column) {
    for (float& value : column) value = inverse_root(value + eps);
}

inline float lane_mean(const float* values, int64_t count) {
    return mean_of(values, count);
}

/// RMSNorm in passes; `mean` says in which order the squares of a row are summed.
inline void compose_rms(const nc_call& call, float (*mean)(const float* values, int64_t count)) {
    const auto gamma = read_parameter(call.gamma, call.x.shape[1], 1.0f);
    Matrix values = load_matrix(call, call.x);
    Column rstd = reduce_rows(call, squared(call, values), mean);
    invert_roots(static_cast<float>(call.eps), rstd);
    multiply_by_column(call, rstd, values);
    multiply_by_vector(call, gamma.values, values);
    store_matrix(call, values, call.y);
    save_column(call, rstd, call.rstd);
}

}  // namespace normcheck
