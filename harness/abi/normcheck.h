/* The interface between the harness and a kernel under test: plain C, self-contained, versioned.
 * A kernel sees this header and nothing else of normcheck. */
#ifndef NORMCHECK_H
#define NORMCHECK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NORMCHECK_ABI_VERSION 1

/* Number formats. A 16-bit format is stored as uint16_t bits. */
typedef enum nc_format { NC_F64 = 0, NC_F32 = 1, NC_F16 = 2, NC_BF16 = 3 } nc_format;

/* A tensor of two dimensions, described like DLPack's; data is NULL where the call does not use it.
 * strides count elements, not bytes. A vector (gamma, beta) has shape {1, cols}; saved statistics have shape {rows, 1}.
 */
typedef struct nc_tensor {
    void* data;
    int64_t shape[2];
    int64_t strides[2];
    nc_format format;
} nc_tensor;

/* One call. Inputs: x, residual, gamma, beta. Outputs: y, residual_out (x + residual in x's format), mean, rstd. */
typedef struct nc_call {
    nc_tensor x, residual, gamma, beta;
    nc_tensor y, residual_out, mean, rstd;
    double eps;      /* exactly the contract's eps */
    int32_t threads; /* threads the kernel may use, at least 1 */
    void* stream;    /* device stream, or NULL */
} nc_call;

/* Returns NULL when the outputs are written, else a static text that says why the call is refused. */
typedef const char* (*nc_run)(const nc_call* call);

/* A kernel: what it is called, what it promises, and which formats of x it takes (bit 1 << nc_format). */
typedef struct nc_kernel {
    const char* name;     /* e.g. "cpu/layer_two_pass" */
    const char* contract; /* text form of its contract, formats left out: they follow the call */
    const char* about;    /* one sentence */
    uint32_t formats;
    nc_run run;
} nc_kernel;

#ifdef __cplusplus
}
#endif
#endif
