// The honest computation is in double and rounds once; a bad kernel is that and one function that does the damage.
#include "harness/tests/bad_kernels.hpp"

#include <cfenv>
#include <cmath>
#include <stdexcept>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace normcheck {
namespace {

float* at(const nc_tensor& tensor, int64_t row, int64_t col) {
    return static_cast<float*>(tensor.data) + row * tensor.strides[0] + col * tensor.strides[1];
}

double sum_at(const nc_call& call, int64_t row, int64_t col) {
    const double x = *at(call.x, row, col);
    return call.residual.data == nullptr ? x : x + *at(call.residual, row, col);
}

double mean_square(const nc_call& call, int64_t row) {
    double sum = 0;
    for (int64_t col = 0; col < call.x.shape[1]; ++col) sum += sum_at(call, row, col) * sum_at(call, row, col);
    return sum / static_cast<double>(call.x.shape[1]);
}

void write_row(const nc_call& call, int64_t row, double rstd) {
    for (int64_t col = 0; col < call.x.shape[1]; ++col) {
        const double sum = sum_at(call, row, col);
        const double gamma = call.gamma.data == nullptr ? 1 : *at(call.gamma, 0, col);
        if (call.residual_out.data != nullptr) *at(call.residual_out, row, col) = static_cast<float>(sum);
        *at(call.y, row, col) = static_cast<float>(sum * rstd * gamma);
    }
    if (call.rstd.data != nullptr) *at(call.rstd, row, 0) = static_cast<float>(rstd);
}

bool is_empty_call(const nc_call& call) {
    return call.x.shape[0] == 0 || call.x.shape[1] == 0;
}

void compute(const nc_call& call) {
    if (is_empty_call(call)) return;
    for (int64_t row = 0; row < call.x.shape[0]; ++row)
        write_row(call, row, 1 / std::sqrt(mean_square(call, row) + call.eps));
}

int64_t last_row(const nc_call& call) {
    return call.x.shape[0] - 1;
}

using Damage = void (*)(const nc_call& call);

/// The honest computation, then the damage.
template <Damage damage>
const char* run(const nc_call* call) {
    compute(*call);
    damage(*call);
    return nullptr;
}

void none(const nc_call&) {}
void past_row(const nc_call& call) {
    *at(call.y, last_row(call), call.x.shape[1]) = 1;
}
void before_row(const nc_call& call) {
    *(at(call.y, 0, 0) - 1) = 1;
}
void row_gap(const nc_call& call) {
    *at(call.y, 0, call.x.shape[1]) = 1;
}
void column_gap(const nc_call& call) {
    *(at(call.y, 0, 0) + 1) = 1;
}
void gamma_guard(const nc_call& call) {
    *at(call.gamma, 0, call.x.shape[1]) = 1;
}
void change_x(const nc_call& call) {
    *at(call.x, 0, 1) *= -1;
}
void change_gamma(const nc_call& call) {
    *at(call.gamma, 0, 0) *= -1;
}
void double_rstd(const nc_call& call) {
    *at(call.rstd, 0, 0) *= 2;
}
void double_sum(const nc_call& call) {
    *at(call.residual_out, 0, 1) *= 2;
}
void write_empty(const nc_call& call) {
    *at(call.y, 0, 0) = 1;
    if (call.x.shape[0] > 0) *at(call.rstd, 0, 0) = 1;
}
void set_upward(const nc_call&) {
    std::fesetround(FE_UPWARD);
}
void set_flushing(const nc_call&) {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8000);
#endif
}

void swallow_nan(const nc_call& call) {
    for (int64_t row = 0; row < call.x.shape[0]; ++row)
        for (int64_t col = 0; col < call.x.shape[1]; ++col)
            if (std::isnan(*at(call.y, row, col))) *at(call.y, row, col) = 0;
}

/// What an element held before the call is put back: nobody wrote it.
const char* run_leaving(const nc_call& call, float* left) {
    const uint32_t before = *reinterpret_cast<uint32_t*>(left);
    compute(call);
    *reinterpret_cast<uint32_t*>(left) = before;
    return nullptr;
}

const char* run_leaving_y(const nc_call* call) {
    return run_leaving(*call, at(call->y, last_row(*call), call->x.shape[1] - 1));
}

const char* run_leaving_rstd(const nc_call* call) {
    return run_leaving(*call, at(call->rstd, 0, 0));
}

const char* run_eps_outside(const nc_call* call) {
    for (int64_t row = 0; row < call->x.shape[0]; ++row)
        write_row(*call, row, 1 / (std::sqrt(mean_square(*call, row)) + call->eps));
    return nullptr;
}

const char* run_drifting(const nc_call* call) {
    for (int64_t row = 0; row < call->x.shape[0]; ++row)
        write_row(*call, row, (1 + 0x1p-14) / std::sqrt(mean_square(*call, row) + call->eps));
    return nullptr;
}

const char* run_refusing(const nc_call*) {
    return "it is Sunday";
}

const char* run_throwing(const nc_call*) {
    throw std::runtime_error("out of paper");
}

constexpr const char* plain = "rms in_place=yes";
constexpr const char* adding = "rms residual=wide in_place=yes";

constexpr nc_kernel kernel(const char* name, nc_run run_call, const char* contract = plain) {
    return {name, contract, "a kernel of the tests", 1U << NC_F32, run_call};
}

}  // namespace

const nc_kernel honest_kernel = kernel("test/honest", run<none>);
const nc_kernel honest_adding_kernel = kernel("test/honest_adding", run<none>, adding);
const nc_kernel past_row_kernel = kernel("test/past_row", run<past_row>);
const nc_kernel before_row_kernel = kernel("test/before_row", run<before_row>);
const nc_kernel row_gap_kernel = kernel("test/row_gap", run<row_gap>);
const nc_kernel column_gap_kernel = kernel("test/column_gap", run<column_gap>);
const nc_kernel gamma_guard_kernel = kernel("test/gamma_guard", run<gamma_guard>);
const nc_kernel changes_x_kernel = kernel("test/changes_x", run<change_x>);
const nc_kernel changes_gamma_kernel = kernel("test/changes_gamma", run<change_gamma>);
const nc_kernel leaves_y_kernel = kernel("test/leaves_y", run_leaving_y);
const nc_kernel leaves_rstd_kernel = kernel("test/leaves_rstd", run_leaving_rstd);
const nc_kernel nan_swallowing_kernel = kernel("test/nan_swallowing", run<swallow_nan>);
const nc_kernel eps_outside_kernel = kernel("test/eps_outside", run_eps_outside);
const nc_kernel wrong_rstd_kernel = kernel("test/wrong_rstd", run<double_rstd>);
const nc_kernel wrong_sum_kernel = kernel("test/wrong_sum", run<double_sum>, adding);
const nc_kernel drifting_kernel = kernel("test/drifting", run_drifting);
const nc_kernel refusing_kernel = kernel("test/refusing", run_refusing);
const nc_kernel empty_writing_kernel = kernel("test/empty_writing", run<write_empty>);
const nc_kernel flushing_kernel = kernel("test/flushing", run<set_flushing>);
const nc_kernel rounding_kernel = kernel("test/rounding", run<set_upward>);
const nc_kernel throwing_kernel = kernel("test/throwing", run_throwing);

}  // namespace normcheck
