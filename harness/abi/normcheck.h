/* The interface between the harness and a kernel under test: plain C (C99, C++11), self-contained, versioned.
 * A kernel sees this header and nothing else of normcheck. To have your own kernels tested, copy or include it and
 * export normcheck_plugin() from a shared library; harness/examples shows how. */
#ifndef NORMCHECK_H
#define NORMCHECK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every struct below. A library of another version is refused. 1 had no plug-ins and no devices. */
#define NORMCHECK_ABI_VERSION 2

/* Number formats. A 16-bit format is stored as uint16_t bits. */
typedef enum nc_format { NC_F64 = 0, NC_F32 = 1, NC_F16 = 2, NC_BF16 = 3 } nc_format;

/* Where data lies; the numbers are DLPack's. The harness passes NC_CPU, index 0: a kernel for another device copies. */
typedef enum nc_device_type { NC_CPU = 1, NC_CUDA = 2 } nc_device_type;
typedef struct nc_device {
    int32_t type; /* nc_device_type */
    int32_t index;
} nc_device;

/* A tensor of two dimensions, described like DLPack's; data is NULL where the call does not use it.
 * strides count elements, not bytes. A vector (gamma, beta) has shape {1, cols}; saved statistics have shape {rows, 1}.
 * Element (i, j) lies at data + (i * strides[0] + j * strides[1]) * size of the format.
 */
typedef struct nc_tensor {
    void* data;
    int64_t shape[2];
    int64_t strides[2];
    nc_format format;
    nc_device device;
} nc_tensor;

/* One call. Inputs: x, residual, gamma, beta. Outputs: y, residual_out (x + residual in x's format), mean, rstd.
 * y may lie on x, and residual_out on residual, where the contract says in_place=yes. Nothing else may be written. */
typedef struct nc_call {
    nc_tensor x, residual, gamma, beta;
    nc_tensor y, residual_out, mean, rstd;
    double eps;      /* exactly the contract's eps */
    int32_t threads; /* threads the kernel may use, at least 1 */
    void* stream;    /* device stream, or NULL; outputs must be complete when the call returns */
} nc_call;

/* Returns NULL when the outputs are written, else a text that says why the call is refused, good until the next call.
 * A refusal writes nothing. Several threads may call at a time (in the same process: with --in-process only). */
typedef const char* (*nc_run)(const nc_call* call);

/* What a kernel takes and returns: the formats of x, and whether it returns less than all outputs. Without these two
 * every call asks for rstd, for mean where the norm is layer, and for residual_out where the contract adds a residual.
 */
#define NC_TAKES(format) (1u << (format))
#define NC_NO_STATISTICS (1u << 8)   /* neither mean nor rstd: they are never asked for */
#define NC_NO_RESIDUAL_OUT (1u << 9) /* residual_out is never asked for */

/* A kernel: what it is called, what it promises, and what it supports, as in NC_TAKES(NC_F32) | NC_NO_STATISTICS.
 * In a plug-in the name is of letters, digits, and _ . + -, unique there; reports call it LIBRARY/NAME. */
typedef struct nc_kernel {
    const char* name;     /* e.g. "layer_two_pass", at most 64 bytes */
    const char* contract; /* text form of its contract, formats left out: they follow the call; at most 1000 bytes */
    const char* about;    /* one sentence, or NULL; at most 500 bytes */
    uint32_t supports;
    nc_run run;
} nc_kernel;

/* What a library has. The version stands first in every version. */
typedef struct nc_plugin {
    uint32_t abi_version;  /* NORMCHECK_ABI_VERSION */
    uint32_t kernel_count; /* 1 to 1000 */
    const nc_kernel* kernels;
} nc_plugin;

#if defined(_WIN32)
#define NORMCHECK_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define NORMCHECK_EXPORT __attribute__((visibility("default")))
#else
#define NORMCHECK_EXPORT
#endif

/* The one function that a plug-in exports: its table, good as long as the library is loaded. */
NORMCHECK_EXPORT const nc_plugin* normcheck_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
