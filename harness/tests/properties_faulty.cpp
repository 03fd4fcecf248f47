// The honest computation is in double and rounds once. A fault is a function that is called afterwards and does the
// damage: mostly one element of y moved to its neighbour, which stays admissible on rows of random values.
#include "harness/tests/properties_faulty.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace normcheck {
namespace {

float* at(const nc_tensor& tensor, int64_t row, int64_t col) {
    return static_cast<float*>(tensor.data) + row * tensor.strides[0] + col * tensor.strides[1];
}

int64_t rows_of(const nc_call& call) {
    return call.x.shape[0];
}
int64_t cols_of(const nc_call& call) {
    return call.x.shape[1];
}

double parameter(const nc_tensor& tensor, int64_t col, double absent) {
    return tensor.data == nullptr ? absent : *at(tensor, 0, col);
}

/// What is known of a row after the call: x as it was, and the statistics in double.
struct Row {
    std::vector<double> x;
    double mean = 0;
    double rstd = 0;
};

Row read_row(const nc_call& call, int64_t row, bool layer) {
    Row result;
    for (int64_t col = 0; col < cols_of(call); ++col) result.x.push_back(*at(call.x, row, col));
    const auto count = static_cast<double>(result.x.size());
    double squares = 0;
    for (const double value : result.x) result.mean += layer ? value / count : 0;
    for (const double value : result.x) squares += (value - result.mean) * (value - result.mean);
    result.rstd = 1 / std::sqrt(squares / count + call.eps);
    return result;
}

void write_row(const nc_call& call, int64_t row, const Row& values) {
    for (int64_t col = 0; col < cols_of(call); ++col) {
        const double normalised = (values.x[static_cast<size_t>(col)] - values.mean) * values.rstd;
        *at(call.y, row, col) =
            static_cast<float>(normalised * parameter(call.gamma, col, 1) + parameter(call.beta, col, 0));
    }
    if (call.mean.data != nullptr) *at(call.mean, row, 0) = static_cast<float>(values.mean);
    if (call.rstd.data != nullptr) *at(call.rstd, row, 0) = static_cast<float>(values.rstd);
}

using Fault = void (*)(const nc_call& call, std::vector<Row>& rows);

template <bool layer, Fault fault>
const char* run(const nc_call* call) {
    if (rows_of(*call) == 0 || cols_of(*call) == 0) return nullptr;
    std::vector<Row> rows;
    for (int64_t row = 0; row < rows_of(*call); ++row) {
        rows.push_back(read_row(*call, row, layer));
        write_row(*call, row, rows.back());
    }
    fault(*call, rows);
    return nullptr;
}

/// Moves y[row, 0] to its neighbour, unless it is not a normal number or the row's root is a power of two, where the
/// neighbour would not be admissible.
void nudge(const nc_call& call, const std::vector<Row>& rows, int64_t row) {
    int exponent = 0;
    float& value = *at(call.y, row, 0);
    if (!std::isnormal(value) || std::frexp(rows[static_cast<size_t>(row)].rstd, &exponent) == 0.5) return;
    value = std::nextafter(value, 2 * value);
}

void nudge_all(const nc_call& call, const std::vector<Row>& rows, bool condition) {
    for (int64_t row = 0; condition && row < rows_of(call); ++row) nudge(call, rows, row);
}

template <typename Condition>
bool any_x(const Row& row, const Condition& condition) {
    return std::any_of(row.x.begin(), row.x.end(), condition);
}

void none(const nc_call&, std::vector<Row>&) {}

void wrong_row(const nc_call& call, std::vector<Row>&) {
    if (rows_of(call) == 4 && cols_of(call) == 33) *at(call.y, 2, 0) *= 1.5F;
}
void wrong_rstd(const nc_call& call, std::vector<Row>&) {
    if (rows_of(call) == 4) *at(call.rstd, 2, 0) *= 2;
}
void inexact_root(const nc_call& call, std::vector<Row>& rows) {
    int exponent = 0;
    for (int64_t row = 0; row < rows_of(call); ++row)
        if (std::frexp(rows[static_cast<size_t>(row)].rstd, &exponent) == 0.5)
            *at(call.y, row, 0) = std::nextafter(*at(call.y, row, 0), 100.0F);
}
void large_rows(const nc_call& call, std::vector<Row>& rows) {
    for (int64_t row = 0; row < rows_of(call); ++row)
        if (any_x(rows[static_cast<size_t>(row)], [](double x) { return std::fabs(x) >= 32; })) nudge(call, rows, row);
}
void positive_x(const nc_call& call, std::vector<Row>& rows) {
    for (int64_t row = 0; row < rows_of(call); ++row)
        if (rows[static_cast<size_t>(row)].x[0] > 0) nudge(call, rows, row);
}
void large_gamma(const nc_call& call, std::vector<Row>& rows) {
    nudge_all(call, rows, std::fabs(parameter(call.gamma, 0, 1)) >= 2);
}
void zero_gamma(const nc_call& call, std::vector<Row>&) {
    if (parameter(call.gamma, 0, 1) == 0) *at(call.y, 0, 0) += 0x1p-20F;
}
void large_beta(const nc_call& call, std::vector<Row>& rows) {
    nudge_all(call, rows, std::fabs(parameter(call.beta, 0, 0)) >= 2);
}
void large_mean(const nc_call& call, std::vector<Row>& rows) {
    for (int64_t row = 0; row < rows_of(call); ++row) {
        const Row& values = rows[static_cast<size_t>(row)];
        if (std::fabs(values.mean) * values.rstd > 32) *at(call.y, row, 0) *= 1.25F;
    }
}
void eps_outside(const nc_call& call, std::vector<Row>& rows) {
    for (int64_t row = 0; row < rows_of(call); ++row) {
        Row& values = rows[static_cast<size_t>(row)];
        values.rstd = 1 / (std::sqrt(1 / (values.rstd * values.rstd) - call.eps) + call.eps);
        write_row(call, row, values);
    }
}
void odd_rows(const nc_call& call, std::vector<Row>& rows) {
    for (int64_t row = 0; row < rows_of(call); ++row) {
        const Row& values = rows[static_cast<size_t>(row)];
        bool odd = true;
        for (size_t i = 0; i < values.x.size(); ++i)
            odd = odd && values.x[values.x.size() - 1 - i] - values.mean == values.mean - values.x[i];
        if (odd) *at(call.y, row, 0) *= 1.25F;
    }
}

/// The text of what a call is given.
std::string fingerprint(const nc_call& call) {
    std::string text = std::to_string(call.threads) + (call.x.data == call.y.data ? " in place" : "");
    for (const nc_tensor* tensor : {&call.x, &call.gamma}) {
        text += ' ' + std::to_string(tensor->strides[0]) + ' ' + std::to_string(tensor->strides[1]) + ' ' +
                std::to_string(reinterpret_cast<uintptr_t>(tensor->data) % 64);
        for (int64_t row = 0; tensor->data != nullptr && row < tensor->shape[0]; ++row)
            for (int64_t col = 0; col < tensor->shape[1]; ++col) text += ' ' + std::to_string(*at(*tensor, row, col));
    }
    return text;
}

/// Counts how often the same call came in a row.
void third_time(const nc_call& call, std::vector<Row>& rows) {
    static std::string last;
    static int times = 0;
    std::string now = fingerprint(call);
    times = now == last ? times + 1 : 1;
    last = std::move(now);
    nudge_all(call, rows, times >= 3);
}
void row_alone(const nc_call& call, std::vector<Row>& rows) {
    nudge_all(call, rows, rows_of(call) == 1);
}
void unaligned(const nc_call& call, std::vector<Row>& rows) {
    nudge_all(call, rows, reinterpret_cast<uintptr_t>(call.x.data) % 64 != 0);
}
void four_threads(const nc_call& call, std::vector<Row>& rows) {
    nudge_all(call, rows, call.threads == 4);
}
void strided(const nc_call& call, std::vector<Row>& rows) {
    nudge_all(call, rows, call.x.strides[1] != 1);
}
void in_place(const nc_call& call, std::vector<Row>& rows) {
    nudge_all(call, rows, call.x.data == call.y.data);
}
template <bool (*is_special)(double)>
void special_row(const nc_call& call, std::vector<Row>& rows) {
    nudge_all(call, rows, std::any_of(rows.begin(), rows.end(), [](const Row& row) { return any_x(row, is_special); }));
}
bool is_nan_value(double value) {
    return std::isnan(value);
}
bool is_inf_value(double value) {
    return std::isinf(value);
}
void past_the_end(const nc_call& call, std::vector<Row>&) {
    *at(call.y, rows_of(call) - 1, cols_of(call)) = 1;
}
void changed_x(const nc_call& call, std::vector<Row>&) {
    if (call.x.data != call.y.data) *at(call.x, 0, 1) *= -1;
}

template <Fault fault>
constexpr nc_kernel rms(const char* name) {
    return {name, "rms reduce=sequential batch_invariant=yes in_place=yes", "of the tests", 1U << NC_F32,
            run<false, fault>};
}
template <Fault fault>
constexpr nc_kernel layer(const char* name) {
    return {name, "layer beta=add reduce=sequential batch_invariant=yes in_place=yes", "of the tests", 1U << NC_F32,
            run<true, fault>};
}

constexpr const char* plain = "rows=4 cols=33";
constexpr const nc_kernel* rms_twin = &honest_rms_kernel;
constexpr const nc_kernel* layer_twin = &honest_layer_kernel;

}  // namespace

const nc_kernel honest_rms_kernel = rms<none>("test/honest_rms");
const nc_kernel honest_layer_kernel = layer<none>("test/honest_layer");

std::span<const PlantedFault> planted_faults() {
    static const PlantedFault faults[] = {
        {"admissible", rms<wrong_row>("test/wrong_row"), rms_twin, plain},
        {"saved_statistics", rms<wrong_rstd>("test/wrong_rstd"), rms_twin, plain},
        {"correctly_rounded", rms<inexact_root>("test/inexact_root"), rms_twin, plain},
        {"power_of_two_scaling", rms<large_rows>("test/large_rows"), rms_twin, plain},
        {"sign_symmetry", rms<positive_x>("test/positive_x"), rms_twin, plain},
        {"gamma_power_of_two", rms<large_gamma>("test/large_gamma"), rms_twin, plain},
        {"gamma_zero_gives_beta", layer<zero_gamma>("test/zero_gamma"), layer_twin, plain},
        {"doubled_gamma_and_beta", layer<large_beta>("test/large_beta"), layer_twin, "rows=4 cols=33 beta_fill=ones"},
        {"shift_response", layer<large_mean>("test/large_mean"), layer_twin, plain},
        {"eps_response", rms<eps_outside>("test/eps_outside"), rms_twin, "eps=1e-15 rows=4 cols=33"},
        {"layer_is_rms_of_centred", layer<odd_rows>("test/odd_rows"), layer_twin, plain},
        {"repeated_runs", rms<third_time>("test/third_time"), rms_twin, plain},
        {"batch_independence", rms<row_alone>("test/row_alone"), rms_twin, plain},
        {"layout_independence", rms<unaligned>("test/unaligned"), rms_twin, plain},
        {"thread_independence", rms<four_threads>("test/four_threads"), rms_twin, plain},
        {"strided_equals_dense", rms<strided>("test/strided"), rms_twin, plain},
        {"in_place_equals_out_of_place", rms<in_place>("test/in_place"), rms_twin, plain},
        {"nan_stays_in_its_row", rms<special_row<is_nan_value>>("test/nan_row"), rms_twin, plain},
        {"inf_stays_in_its_row", rms<special_row<is_inf_value>>("test/inf_row"), rms_twin, plain},
        {"guard_bands", rms<past_the_end>("test/past_the_end"), rms_twin, plain},
        {"inputs_untouched", rms<changed_x>("test/changed_x"), rms_twin, plain},
    };
    return faults;
}

}  // namespace normcheck
