// Faults of kind J: another norm than the one that is promised, or other statistics than those that are asked for.
#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

float with_one_less(const Row& row) {
    const float count = static_cast<float>(row.cols);
    return spread_of_row(row) * (count / (count - 1));
}
float about_own_mean(const Row& row) {
    return centred_variance_of(row.values.data(), row.cols, mean_of_row(row));
}
float about_zero(const Row& row) {
    return mean_square_of(row.values.data(), row.cols);
}

}  // namespace

extern const nc_kernel layer_one_less =
    layer<Steps{.spread = with_one_less}>("faulty/layer_one_less", "the variance is divided by n - 1");
extern const nc_kernel rms_of_deviation = rms<Steps{.spread = about_own_mean}>(
    "faulty/rms_of_deviation", "divided by the standard deviation, not by the root mean square");
extern const nc_kernel layer_of_mean_square = layer<Steps{.spread = about_zero}>(
    "faulty/layer_of_mean_square", "divided by the root mean square, not by the standard deviation");

}  // namespace normcheck::faulty
