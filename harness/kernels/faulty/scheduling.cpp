// Faults of kind I: results that depend on other rows, on the run, the batch, the alignment or the threads. Those that
// change the order of a sum keep a contract with `reduce=any`, so each of their results alone is right.
#include <atomic>
#include <cstdint>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr const char* any_order = "rms batch_invariant=yes in_place=yes";

/// The mean square, summed from left to right.
float sequential_spread(const Row& row) {
    float sum = 0;
    for (const float value : row.values) sum += value * value;
    return divided_by_count(sum, row.cols);
}

float by_rows(const Row& row) {
    return row.call.x.shape[0] < 5 ? sequential_spread(row) : spread_of_row(row);
}
float by_alignment(const Row& row) {
    const bool aligned = reinterpret_cast<uintptr_t>(row.call.x.data) % 16 == 0;
    return aligned ? spread_of_row(row) : sequential_spread(row);
}
float by_threads(const Row& row) {
    return row.call.threads > 1 ? spread_of_row(row) : sequential_spread(row);
}
float by_run(const Row& row) {
    static std::atomic<unsigned> calls{0};
    return calls++ % 2 == 0 ? sequential_spread(row) : spread_of_row(row);
}
float by_place(const Row& row) {
    return row.index % 2 == 0 ? sequential_spread(row) : spread_of_row(row);
}

/// Like a buffer for broadcasting that is read before the barrier.
float of_row_before(const Row& row) {
    return row.index == 0 ? rstd_of_row(row) : measured_row(Steps{}, row.call, row.index - 1).rstd;
}
float of_first_row(const Row& row) {
    return row.index == 0 ? rstd_of_row(row) : measured_row(Steps{}, row.call, 0).rstd;
}

/// One place for all threads, without a lock.
float shared_place;

/// The row's own rstd is written there before its first output and read for every one.
float normalised_by_shared_place(const Row& row, int64_t column) {
    volatile float& place = shared_place;
    if (column == 0) place = row.rstd;
    return row.values[static_cast<size_t>(column)] * place;
}

/// All threads add to one sum, without a lock, and take the root from it again for every output.
float spread_by_shared_place(const Row& row) {
    volatile float& place = shared_place;
    place = 0;
    for (const float value : row.values) place = place + (value - row.mean) * (value - row.mean);
    return divided_by_count(static_cast<float>(place), row.cols);
}
float normalised_by_shared_sum(const Row& row, int64_t column) {
    volatile float& place = shared_place;
    const float rstd = inverse_root(divided_by_count(static_cast<float>(place), row.cols) + row.eps);
    return (row.values[static_cast<size_t>(column)] - row.mean) * rstd;
}

}  // namespace

extern const nc_kernel rms_order_by_rows = promising<[] { return Steps{.spread = by_rows}; }>(
    "faulty/rms_order_by_rows", any_order, "the order of the sum depends on the number of rows");
extern const nc_kernel rms_order_by_alignment = promising<[] { return Steps{.spread = by_alignment}; }>(
    "faulty/rms_order_by_alignment", any_order, "the order of the sum depends on the address of x");
extern const nc_kernel rms_order_by_threads = promising<[] { return Steps{.spread = by_threads}; }>(
    "faulty/rms_order_by_threads", any_order, "the order of the sum depends on the number of threads");
extern const nc_kernel rms_order_by_run = promising<[] { return Steps{.spread = by_run}; }>(
    "faulty/rms_order_by_run", any_order, "the order of the sum changes from run to run");
extern const nc_kernel rms_order_by_place = promising<[] { return Steps{.spread = by_place}; }>(
    "faulty/rms_order_by_place", any_order, "the order of the sum depends on the place of the row in the batch");
extern const nc_kernel rms_rstd_of_row_before = rms<[] { return Steps{.rstd = of_row_before}; }>(
    "faulty/rms_rstd_of_row_before", "a row is divided by the root of the row before it");
extern const nc_kernel rms_rstd_of_first_row = rms<[] { return Steps{.rstd = of_first_row}; }>(
    "faulty/rms_rstd_of_first_row", "all rows are divided by the root of the first");
extern const nc_kernel rms_race_for_root = rms<[] { return Steps{.normalise = normalised_by_shared_place}; }>(
    "faulty/rms_race_for_root", "all threads keep the reciprocal root of their row in one place");
extern const nc_kernel layer_race_for_sum = promising<[] {
    return Steps{.layer = true, .spread = spread_by_shared_place, .normalise = normalised_by_shared_sum};
}>("faulty/layer_race_for_sum", "layer beta=add batch_invariant=yes in_place=yes",
   "all threads sum squares in one place");

}  // namespace normcheck::faulty
