// LayerNorm with the variance as mean square less squared mean: cheap, and wrong by cancellation where the mean is
// large. It is here because real kernels do it, and it declares so.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

struct OnePassStatistics {
    /// Both sums need one pass only; reading the rows twice, from the cache, gives the same bits.
    template <class Row, size_t rows>
    static EachStatistics<Row, rows> of(const Each<Row, rows>& row, int64_t count, float eps) {
        const auto means = means_of(row, count);
        const auto mean_squares = mean_squares_of(row, count);
        EachStatistics<Row, rows> result;
        for (size_t k = 0; k < rows; ++k) {
            const float variance = mean_squares[k] - means[k] * means[k];
            // The comparison lets a NaN through.
            result[k] = {means[k], inverse_root((variance < 0 ? 0 : variance) + eps)};
        }
        return result;
    }
};

const char* run(const nc_call* call) {
    return run_program<float, OnePassStatistics, ApplyCentred>(*call);
}

}  // namespace

extern const nc_kernel cpu_layer_one_pass = {
    "cpu/layer_one_pass", "layer beta=add variance=one_pass reduce=lanes:16 batch_invariant=yes in_place=yes",
    "LayerNorm, variance as mean square less squared mean, not below 0, in f32", cpu_formats, run};

}  // namespace normcheck
