// RMSNorm with eps added outside the root: x / (sqrt(mean square) + eps) * gamma.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

struct OutsideStatistics {
    template <class Row, size_t rows>
    static EachStatistics<Row, rows> of(const Each<Row, rows>& row, int64_t count, float eps) {
        const auto mean_squares = mean_squares_of(row, count);
        EachStatistics<Row, rows> result;
        for (size_t k = 0; k < rows; ++k) result[k].rstd = 1 / (std::sqrt(mean_squares[k]) + eps);
        return result;
    }
};

const char* run(const nc_call* call) {
    return run_program<float, OutsideStatistics, ApplyScaled>(*call);
}

}  // namespace

extern const nc_kernel cpu_rms_eps_outside = {"cpu/rms_eps_outside",
                                              "rms eps_at=outside reduce=lanes:16 batch_invariant=yes in_place=yes",
                                              "RMSNorm with eps added to the root, in f32", cpu_formats, run};

}  // namespace normcheck
