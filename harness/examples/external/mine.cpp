// RMSNorm over rows of f32 with an epsilon that is added under the root; or, where FAULTY is defined, to it.
#include <normcheck.h>

#include <cmath>

namespace {

double square_root(double mean_square, double eps) {
#ifdef FAULTY
    return std::sqrt(mean_square) + eps;
#else
    return std::sqrt(mean_square + eps);
#endif
}

const char* run(const nc_call* call) {
    if (call->gamma.data != nullptr && call->gamma.format != NC_F32) return "gamma is not f32";
    if (call->x.strides[1] != 1 || call->y.format != NC_F32) return "f32 with dense columns only";
    const auto* gamma = static_cast<const float*>(call->gamma.data);
    const int64_t cols = call->x.shape[1];
    for (int64_t row = 0; row < call->x.shape[0]; ++row) {
        const float* x = static_cast<const float*>(call->x.data) + row * call->x.strides[0];
        float* y = static_cast<float*>(call->y.data) + row * call->y.strides[0];
        double squares = 0;
        for (int64_t i = 0; i < cols; ++i) squares += static_cast<double>(x[i]) * x[i];
        const double root = square_root(squares / static_cast<double>(cols), call->eps);
        for (int64_t i = 0; i < cols; ++i) y[i] = static_cast<float>(x[i] / root * (gamma != nullptr ? gamma[i] : 1));
    }
    return nullptr;
}

const nc_kernel kernels[] = {{"rms", "rms acc=f64 reduce=sequential batch_invariant=yes", "f32 rows summed in f64",
                              NC_TAKES(NC_F32) | NC_NO_STATISTICS, run}};

}  // namespace

const nc_plugin* normcheck_plugin(void) {
    static const nc_plugin plugin = {NORMCHECK_ABI_VERSION, 1, kernels};
    return &plugin;
}
