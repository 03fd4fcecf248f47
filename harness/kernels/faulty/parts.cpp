// The plain kernel and its correct steps; see parts.hpp.
#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

void add_residual_to(Row& row) {
    for (int64_t column = 0; column < row.cols; ++column) {
        float& value = row.values[static_cast<size_t>(column)];
        const float residual = row.steps.read_residual(row, column);
        if (row.call.residual_out.data != nullptr)
            write(row.call.residual_out, row.index, column, row.steps.returned_sum(row, value, residual));
        value = row.steps.norm_input(row, value + residual);
    }
}

}  // namespace

float read(const nc_tensor& tensor, int64_t row, int64_t column) {
    float value = 0;
    load(tensor, row, column, 1, &value);
    return value;
}

void write(const nc_tensor& tensor, int64_t row, int64_t column, float value) {
    store(tensor, row, column, 1, &value);
}

float rounded(nc_format format, float value) {
    with_storage(format, [&](auto storage) {
        using Storage = decltype(storage);
        value = Storage::template decode<float>(Storage::encode(value));
    });
    return value;
}

void visit_rows(const Steps& steps, const nc_call& call) {
    for_each_row(call, [&](int64_t index, int) { run_row(steps, call, index); });
}

void load_values(Row& row) {
    load(row.call.x, row.index, 0, row.cols, row.values.data());
}

float read_residual(const Row& row, int64_t column) {
    return read(row.call.residual, row.index, column);
}

float norm_input(const Row& row, float sum) {
    return row.steps.residual == ResidualSum::rounded ? rounded(row.call.x.format, sum) : sum;
}

float returned_sum(const Row&, float x, float residual) {
    return x + residual;
}

float mean_of_row(const Row& row) {
    return mean_of(row.values.data(), row.cols);
}

float spread_of_row(const Row& row) {
    return centred_variance_of(row.values.data(), row.cols, row.mean);
}

float rstd_of_row(const Row& row) {
    return inverse_root(row.spread + row.eps);
}

void save_statistics(const Row& row) {
    save_statistic(row.call.mean, row.index, row.mean);
    save_statistic(row.call.rstd, row.index, row.rstd);
}

void write_outputs(const Row& row) {
    for (int64_t column = 0; column < row.cols; ++column) row.steps.store(row, column, output_of(row, column));
}

float normalised(const Row& row, int64_t column) {
    return (row.values[static_cast<size_t>(column)] - row.mean) * row.rstd;
}

float read_gamma(const Row& row, int64_t column) {
    return row.call.gamma.data != nullptr ? read(row.call.gamma, 0, column) : row.steps.absent_gamma;
}

float scaled(const Row&, float normalised_value, float gamma) {
    return normalised_value * gamma;
}

float read_beta_of(const Row& row, int64_t column) {
    return row.call.beta.data != nullptr ? read(row.call.beta, 0, column) : -0.0f;
}

float shifted(const Row&, float scaled_value, float beta) {
    return scaled_value + beta;
}

void store_output(const Row& row, int64_t column, float value) {
    write(row.call.y, row.index, column, value);
}

float output_of(const Row& row, int64_t column) {
    const Steps& steps = row.steps;
    const float scaled_value = steps.scale(row, steps.normalise(row, column), steps.gamma(row, column));
    return steps.shift(row, scaled_value, steps.beta(row, column));
}

Row measured_row(const Steps& steps, const nc_call& call, int64_t index) {
    const int64_t cols = call.x.shape[1];
    Row row{.steps = steps,
            .call = call,
            .index = index,
            .cols = cols,
            .eps = static_cast<float>(call.eps),
            .values = std::vector<float>(static_cast<size_t>(cols))};
    steps.load(row);
    if (steps.residual != ResidualSum::none) add_residual_to(row);
    if (steps.layer) row.mean = steps.mean(row);
    row.spread = steps.spread(row);
    row.rstd = steps.rstd(row);
    return row;
}

void run_row(const Steps& steps, const nc_call& call, int64_t index) {
    const Row row = measured_row(steps, call, index);
    steps.save(row);
    steps.write(row);
}

const char* run_steps(const Steps& steps, const nc_call& call) {
    const Signature signature{steps.layer, steps.residual != ResidualSum::none, NC_F32};
    return run_checked(call, signature, [&] { steps.visit(steps, call); });
}

}  // namespace normcheck::faulty
