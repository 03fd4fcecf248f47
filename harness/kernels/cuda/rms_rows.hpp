// What the RMSNorm kernels share: the sum of squares, and the walk over rows. A kernel brings Steps: how the values of
// a group are read, what is written beside y, and how a normalised value becomes an output.
#pragma once

#include "harness/kernels/cuda/run.hpp"

namespace normcheck::NORMCHECK_SIDE {

template <nc_format x, class Team, class Steps>
NORMCHECK_DEVICE float rms_rstd(const Call& call, int64_t row) {
    float sums[group_size] = {};
    for (int64_t index = Team::rank(); index < call.groups; index += Team::size()) {
        float values[group_size];
        Steps::template load<x>(call, group_of(call, row, index), values);
        for (int i = 0; i < group_size; ++i) sums[i] = fmaf(values[i], values[i], sums[i]);  // past the tail 0
    }
    return inverse_root(divided_by_count(Team::sum(sums), call.cols) + call.eps);
}

template <nc_format x, class Team, class Steps>
NORMCHECK_DEVICE void write_group(const Call& call, const Group& group, float rstd) {
    float values[group_size], gamma[group_size];
    Steps::template load<x>(call, group, values);
    Steps::template keep<x>(call, group, values);
    load_parameter(call.gamma, group, 1.0f, gamma);
    for (int i = 0; i < group_size; ++i) values[i] = Steps::output(call, values[i] * rstd, gamma[i]);
    store_any(call.y, group, values);
}

template <nc_format x, class Team, class Steps>
NORMCHECK_KERNEL void rms_rows(NORMCHECK_ARGUMENT(Call) call) {
    for (int64_t row = Team::first_row(); row < call.rows; row += Team::row_step()) {
        const float rstd = rms_rstd<x, Team, Steps>(call, row);
        if (Team::rank() == 0) save_statistic(call.rstd, row, rstd);
        for (int64_t index = Team::rank(); index < call.groups; index += Team::size())
            write_group<x, Team, Steps>(call, group_of(call, row, index), rstd);
    }
}

template <class Team, class Steps>
constexpr Program rms_program(bool residual = false) {
    return {rms_rows<NC_F32, Team, Steps>,
            rms_rows<NC_F16, Team, Steps>,
            rms_rows<NC_BF16, Team, Steps>,
            Team::is_warp,
            {.residual = residual}};
}

/// The steps of the plain RMSNorm.
struct RmsSteps {
    template <nc_format x>
    static NORMCHECK_DEVICE void load(const Call& call, const Group& group, float (&values)[group_size]) {
        load_group<x>(call.x, group, values);
    }
    template <nc_format x>
    static NORMCHECK_DEVICE void keep(const Call&, const Group&, const float (&)[group_size]) {}
    static NORMCHECK_DEVICE float output(const Call&, float normalised, float gamma) { return normalised * gamma; }
};

}  // namespace normcheck::NORMCHECK_SIDE
