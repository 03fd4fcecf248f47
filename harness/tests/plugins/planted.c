/* A plug-in that misbehaves on demand: NORMCHECK_PLANTED names what is wrong with it when it is loaded, and its kernels
 * do what their names say to calls of 257 columns, being correct otherwise. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/abi/normcheck.h"

enum { bad_columns = 257 };

static int is_planted(const char* what) {
    const char* chosen = getenv("NORMCHECK_PLANTED");
    return chosen != NULL && strcmp(chosen, what) == 0;
}

static const char* rms(const nc_call* call) {
    const int64_t cols = call->x.shape[1];
    const int rounds_twice = is_planted("rounds_twice");
    for (int64_t row = 0; row < call->x.shape[0]; ++row) {
        const float* x = (const float*)call->x.data + row * call->x.strides[0];
        float* y = (float*)call->y.data + row * call->y.strides[0];
        const int64_t x_step = call->x.strides[1], y_step = call->y.strides[1];
        double squares = 0;
        for (int64_t i = 0; i < cols; ++i) squares += (double)x[i * x_step] * x[i * x_step];
        const double root = sqrt(squares / (double)cols + call->eps);
        for (int64_t i = 0; i < cols; ++i) {
            const double gamma = call->gamma.data != NULL ? ((const float*)call->gamma.data)[i] : 1;
            const double xhat = x[i * x_step] / root;
            y[i * y_step] = (float)((rounds_twice ? (float)xhat : xhat) * gamma);
        }
    }
    return NULL;
}

static const char* crash(const nc_call* call) {
    volatile int* volatile nowhere = NULL;
    if (call->x.shape[1] == bad_columns) *nowhere = 1;
    return rms(call);
}

/* Crashes where the first element has the bits in NORMCHECK_PLANTED_BITS. */
static const char* crash_on_value(const nc_call* call) {
    const char* bits = getenv("NORMCHECK_PLANTED_BITS");
    uint32_t first = 0;
    if (bits != NULL && call->x.shape[0] > 0 && call->x.shape[1] > 0) {
        memcpy(&first, call->x.data, sizeof first);
        if (first == strtoul(bits, NULL, 16)) abort();
    }
    return rms(call);
}

static const char* hang(const nc_call* call) {
    while (call->x.shape[1] == bad_columns) usleep(1000);
    return rms(call);
}

static const char* leave(const nc_call* call) {
    if (call->x.shape[1] == bad_columns) exit(3);
    return rms(call);
}

static const char* closes(const nc_call* call) {
    if (call->x.shape[1] == bad_columns)
        for (int descriptor = 3; descriptor < 256; ++descriptor) close(descriptor);
    return rms(call);
}

/* Cuts the memory that it shares with the harness, which would crash where that were possible. */
static const char* cuts(const nc_call* call) {
    if (call->x.shape[1] == bad_columns)
        for (int descriptor = 3; descriptor < 256; ++descriptor)
            if (ftruncate(descriptor, 0) == 0) abort();
    return rms(call);
}

static const char* hog(const nc_call* call) {
    const size_t step = (size_t)256 << 20;
    for (int i = 0; call->x.shape[1] == bad_columns && i < 64; ++i) {
        char* memory = malloc(step);
        if (memory == NULL) abort();
        for (size_t at = 0; at < step; at += (size_t)1 << 22) memory[at] = 1;
    }
    return rms(call);
}

static const char* past_end(const nc_call* call) {
    const char* refusal = rms(call);
    if (call->x.shape[1] == bad_columns) ((float*)call->y.data)[call->x.shape[0] * call->y.strides[0]] = 1;
    return refusal;
}

static const char* far_past_end(const nc_call* call) {
    const char* refusal = rms(call);
    if (call->x.shape[1] == bad_columns) ((float*)call->y.data)[(size_t)1 << 40] = 1;
    return refusal;
}

static const char* flushes(const nc_call* call) {
#if defined(__x86_64__)
    if (call->x.shape[1] == bad_columns) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8000);
#endif
    return rms(call);
}

static const char* talks(const nc_call* call) {
    for (int i = 0; call->x.shape[1] == bad_columns && i < 20000; ++i) puts("a line that nobody asked for");
    fflush(stdout);
    return rms(call);
}

/* A process that would outlive this one. */
static const char* forks(const nc_call* call) {
    if (call->x.shape[1] == bad_columns && fork() == 0)
        for (;;) pause();
    return rms(call);
}

static const char* refuses(const nc_call* call) {
    return call->x.shape[1] == bad_columns ? "257 columns are too many" : rms(call);
}

#define CONTRACT "rms acc=f64 in_place=yes"
#define F32 (NC_TAKES(NC_F32) | NC_NO_STATISTICS)

static nc_kernel kernels[] = {
    {"rms", CONTRACT, "is right", F32, rms},
    {"crash_on_value", CONTRACT, "aborts on one value", F32, crash_on_value},
    {"crash", CONTRACT, "writes through a null pointer", F32, crash},
    {"hang", CONTRACT, "does not return", F32, hang},
    {"exit", CONTRACT, "ends its process with status 3", F32, leave},
    {"closes", CONTRACT, "closes all descriptors", F32, closes},
    {"cuts", CONTRACT, "cuts all files", F32, cuts},
    {"hog", CONTRACT, "takes 16 GiB", F32, hog},
    {"past_end", CONTRACT, "writes one element past the end", F32, past_end},
    {"far_past_end", CONTRACT, "writes far past the end", F32, far_past_end},
    {"flushes", CONTRACT, "leaves flush-to-zero set", F32, flushes},
    {"talks", CONTRACT, "prints much", F32, talks},
    {"forks", CONTRACT, "leaves a process behind", F32, forks},
    {"refuses", CONTRACT, NULL, F32, refuses},
    {"rms_f32", "rms acc=f32 in_place=yes", "is right, and better than it promises", F32, rms},
};
enum { kernel_count = sizeof kernels / sizeof kernels[0] };

static char long_text[2000];

/* Before main or dlopen return. */
__attribute__((constructor)) static void misbehave_at_load(void) {
    volatile int* volatile nowhere = NULL;
    if (is_planted("crash_at_load")) *nowhere = 1;
    if (is_planted("exit_at_load")) {
        fputs("no licence found\nplease call us\n", stderr);
        exit(9);
    }
    while (is_planted("hang_at_load")) usleep(1000);
}

const nc_plugin* normcheck_plugin(void) {
    static nc_plugin plugin = {NORMCHECK_ABI_VERSION, kernel_count, kernels};
    memset(long_text, 'a', sizeof long_text - 1);
    if (is_planted("null_table")) return NULL;
    if (is_planted("old_version")) plugin.abi_version = 1;
    if (is_planted("no_kernels")) plugin.kernel_count = 0;
    if (is_planted("absurd_count")) plugin.kernel_count = 4000000000u;
    if (is_planted("fewer_kernels")) plugin.kernel_count = 3;
    if (is_planted("null_kernels")) plugin.kernels = NULL;
    if (is_planted("wild_kernels")) plugin.kernels = (const nc_kernel*)(uintptr_t)64;
    if (is_planted("null_name")) kernels[1].name = NULL;
    if (is_planted("empty_name")) kernels[1].name = "";
    if (is_planted("hostile_name")) kernels[1].name = "a\033[31m kernel=b";
    if (is_planted("slash_in_name")) kernels[1].name = "../rms";
    if (is_planted("long_name")) kernels[1].name = long_text;
    if (is_planted("same_name")) kernels[1].name = "rms";
    if (is_planted("null_contract")) kernels[1].contract = NULL;
    if (is_planted("long_contract")) kernels[1].contract = long_text;
    if (is_planted("lying_contract")) kernels[1].contract = "rms gamma=maybe";
    if (is_planted("null_run")) kernels[1].run = NULL;
    if (is_planted("no_format")) kernels[1].supports = NC_NO_STATISTICS;
    if (is_planted("unknown_format")) kernels[1].supports = 1u << 20 | NC_TAKES(NC_F32);
    return &plugin;
}
