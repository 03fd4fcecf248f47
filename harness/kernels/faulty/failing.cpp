// Faults that end the process or do not return, of kind G where a shape brings them on and of kind M where a value
// does.
#include <cstdlib>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

constexpr int64_t bad_columns = 257;

float null_read(const Row& row) {
    const float* volatile nowhere = nullptr;
    return row.cols == bad_columns ? *nowhere : spread_of_row(row);
}

float endless(const Row& row) {
    volatile bool waiting = row.cols == bad_columns;
    while (waiting) {
    }
    return spread_of_row(row);
}

/// Rows of a block, as a launch computes them, from the number of elements.
const char* divide_by_rows(const nc_call* call) {
    const volatile int64_t rows = call->x.shape[0];
    const volatile int64_t elements = call->x.shape[0] * call->x.shape[1];
    if (elements / rows != call->x.shape[1]) return "the shape is too large";
    return run_steps(Steps{}, *call);
}

float aborting(const Row& row) {
    if (std::isnan(row.spread)) std::abort();
    return rstd_of_row(row);
}

const char* exiting(const nc_call* call) {
    if (call->x.shape[1] == bad_columns) std::exit(0);
    return run_steps(Steps{}, *call);
}

}  // namespace

extern const nc_kernel rms_null_read = rms<[] { return Steps{.spread = null_read}; }>(
    "faulty/rms_null_read", "reads through a null pointer where a row has 257 columns");
extern const nc_kernel rms_endless =
    rms<[] { return Steps{.spread = endless}; }>("faulty/rms_endless", "does not return where a row has 257 columns");
extern const nc_kernel rms_divides_by_rows = {"faulty/rms_divides_by_rows", rms_contract,
                                              "divides an integer by the number of rows, which may be 0", cpu_formats,
                                              divide_by_rows};
extern const nc_kernel rms_aborts =
    rms<[] { return Steps{.rstd = aborting}; }>("faulty/rms_aborts", "aborts where a row holds a NaN");
extern const nc_kernel rms_exits = {"faulty/rms_exits", rms_contract,
                                    "ends the process, with status 0, where a row has 257 columns", cpu_formats,
                                    exiting};

}  // namespace normcheck::faulty
