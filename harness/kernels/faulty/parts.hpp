// A plain scalar kernel made of steps. The steps given here are correct, and so is the kernel that consists of them
// alone; a fault is that kernel with one step replaced.
#pragma once

#include <vector>

#include "harness/kernels/cpu/row_program.hpp"

namespace normcheck::faulty {

struct Steps;

/// One row on its way through the kernel, in f32.
struct Row {
    const Steps& steps;
    const nc_call& call;
    int64_t index;
    int64_t cols;
    float eps;
    std::vector<float> values;  // x, or the sum with the residual as the norm sees it
    float mean = 0;             // stays 0 under rms
    float spread = 0;           // the variance; under rms the mean square
    float rstd = 0;
};

/// One element of a tensor, in f32 exactly.
float read(const nc_tensor& tensor, int64_t row, int64_t column);
/// Writes one element, rounded once.
void write(const nc_tensor& tensor, int64_t row, int64_t column, float value);
/// A value rounded to a storage format.
float rounded(nc_format format, float value);

// The correct steps, in the order in which they are taken.
void visit_rows(const Steps& steps, const nc_call& call);           // run_row for every row, on the call's threads
void load_values(Row& row);                                         // x into row.values
float read_residual(const Row& row, int64_t column);                // the residual of an element
float norm_input(const Row& row, float sum);                        // the sum as the norm sees it
float returned_sum(const Row& row, float x, float residual);        // what residual_out holds, before rounding
float mean_of_row(const Row& row);                                  // asked under layer alone
float spread_of_row(const Row& row);                                // mean square about row.mean
float rstd_of_row(const Row& row);                                  // 1 / sqrt(spread + eps)
void save_statistics(const Row& row);                               // mean and rstd, where the call asks for them
void write_outputs(const Row& row);                                 // output_of every column, rounded once to y
float normalised(const Row& row, int64_t column);                   // (value - mean) * rstd
float read_gamma(const Row& row, int64_t column);                   // the absent gamma of the steps where there is none
float scaled(const Row& row, float normalised_value, float gamma);  // normalised * gamma
float read_beta_of(const Row& row, int64_t column);                 // -0 where there is none: adding it changes nothing
float shifted(const Row& row, float scaled_value, float beta);      // scaled + beta
void store_output(const Row& row, int64_t column, float value);     // into y

/// What a kernel is made of.
struct Steps {
    bool layer = false;
    ResidualSum residual = ResidualSum::none;
    float absent_gamma = 1;
    void (*visit)(const Steps& steps, const nc_call& call) = visit_rows;
    void (*load)(Row& row) = load_values;
    float (*read_residual)(const Row& row, int64_t column) = faulty::read_residual;
    float (*norm_input)(const Row& row, float sum) = faulty::norm_input;
    float (*returned_sum)(const Row& row, float x, float residual) = faulty::returned_sum;
    float (*mean)(const Row& row) = mean_of_row;
    float (*spread)(const Row& row) = spread_of_row;
    float (*rstd)(const Row& row) = rstd_of_row;
    void (*save)(const Row& row) = save_statistics;
    void (*write)(const Row& row) = write_outputs;
    float (*normalise)(const Row& row, int64_t column) = normalised;
    float (*gamma)(const Row& row, int64_t column) = read_gamma;
    float (*scale)(const Row& row, float normalised_value, float gamma) = scaled;
    float (*beta)(const Row& row, int64_t column) = read_beta_of;
    float (*shift)(const Row& row, float scaled_value, float beta) = shifted;
    void (*store)(const Row& row, int64_t column, float value) = store_output;
};

/// The row up to its statistics; nothing is written but residual_out.
Row measured_row(const Steps& steps, const nc_call& call, int64_t index);
/// All of a row: measured, its statistics saved, its outputs written.
void run_row(const Steps& steps, const nc_call& call, int64_t index);
/// The output of a column, before it is rounded to y.
float output_of(const Row& row, int64_t column);
/// The result of nc_run.
const char* run_steps(const Steps& steps, const nc_call& call);

// A kernel is named with a function that makes its steps, as in rms<[] { return Steps{.rstd = outside}; }>; g++ 12
// takes no struct of functions as a template argument.
template <auto make_steps>
const char* run(const nc_call* call) {
    return run_steps(make_steps(), *call);
}
template <auto make_steps>
const char* run_layer(const nc_call* call) {
    Steps steps = make_steps();
    steps.layer = true;
    return run_steps(steps, *call);
}
template <auto make_steps>
const char* run_adding(const nc_call* call) {
    Steps steps = make_steps();
    steps.residual = ResidualSum::rounded;
    return run_steps(steps, *call);
}

// The contracts that the steps above keep.
constexpr const char* rms_contract = "rms reduce=lanes:16 batch_invariant=yes in_place=yes";
constexpr const char* layer_contract = "layer beta=add reduce=lanes:16 batch_invariant=yes in_place=yes";
constexpr const char* add_rms_contract = "rms reduce=lanes:16 residual=rounded batch_invariant=yes in_place=yes";
constexpr const char* add_rms_wide_contract = "rms reduce=lanes:16 residual=wide batch_invariant=yes in_place=yes";

constexpr uint32_t only_f16 = 1U << NC_F16;
constexpr uint32_t only_16_bits = 1U << NC_F16 | 1U << NC_BF16;

/// An RMSNorm of these steps that promises rms_contract.
template <auto make_steps>
constexpr nc_kernel rms(const char* name, const char* about, uint32_t formats = cpu_formats) {
    return {name, rms_contract, about, formats, run<make_steps>};
}

/// A LayerNorm of these steps that promises layer_contract.
template <auto make_steps>
constexpr nc_kernel layer(const char* name, const char* about, uint32_t formats = cpu_formats) {
    return {name, layer_contract, about, formats, run_layer<make_steps>};
}

/// An RMSNorm of x + residual, the sum rounded first, that promises add_rms_contract.
template <auto make_steps>
constexpr nc_kernel add_rms(const char* name, const char* about, uint32_t formats = cpu_formats) {
    return {name, add_rms_contract, about, formats, run_adding<make_steps>};
}

/// A kernel of these steps with a contract of its own.
template <auto make_steps>
constexpr nc_kernel promising(const char* name, const char* contract, const char* about,
                              uint32_t formats = cpu_formats) {
    return {name, contract, about, formats, run<make_steps>};
}

}  // namespace normcheck::faulty
