/* A plug-in in one C file: an RMSNorm for f32. Build and test it:
 *   cc -O2 -shared -fPIC -I harness/abi rms.c -o librms.so -lm && normcheck verify --plugin ./librms.so */
#include <math.h>

#include <normcheck.h>

static float* row_of(const nc_tensor* tensor, int64_t row) {
    return (float*)tensor->data + row * tensor->strides[0];
}

static const char* run(const nc_call* call) {
    const int64_t rows = call->x.shape[0], cols = call->x.shape[1];
    const float* gamma = (const float*)call->gamma.data; /* NULL: all ones */
    if (call->x.strides[1] != 1) return "columns must lie side by side";
    if ((call->gamma.data != NULL && call->gamma.format != NC_F32) || call->y.format != NC_F32) return "f32 only";
    for (int64_t row = 0; row < rows; ++row) {
        const float* x = row_of(&call->x, row);
        float* y = row_of(&call->y, row);
        float squares = 0;
        for (int64_t i = 0; i < cols; ++i) squares += x[i] * x[i];
        const float rstd = 1 / sqrtf(squares / (float)cols + (float)call->eps);
        for (int64_t i = 0; i < cols; ++i) y[i] = gamma != NULL ? x[i] * rstd * gamma[i] : x[i] * rstd;
    }
    return NULL;
}

static const nc_kernel kernels[] = {
    {"plain", "rms reduce=sequential in_place=yes", "one pass over each row, in f32", NC_TAKES(NC_F32) | NC_NO_STATISTICS, run},
};

const nc_plugin* normcheck_plugin(void) {
    static const nc_plugin plugin = {NORMCHECK_ABI_VERSION, 1, kernels};
    return &plugin;
}
