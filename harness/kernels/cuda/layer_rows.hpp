// What the LayerNorm kernels share: statistics of a row, and how outputs are made of them.
#pragma once

#include "harness/kernels/cuda/run.hpp"

namespace normcheck::NORMCHECK_SIDE {

struct RowStatistics {
    float mean, rstd;
};

/// ((x - mean) * rstd) * gamma + beta, of a group; an absent beta is -0, whose addition changes nothing.
NORMCHECK_DEVICE void write_centred(const Call& call, const Group& group, const RowStatistics& statistics,
                                    float (&values)[group_size]) {
    float gamma[group_size], beta[group_size];
    load_parameter(call.gamma, group, 1.0f, gamma);
    load_parameter(call.beta, group, -0.0f, beta);
    for (int i = 0; i < group_size; ++i)
        values[i] = fmaf((values[i] - statistics.mean) * statistics.rstd, gamma[i], beta[i]);
    store_any(call.y, group, values);
}

template <class Team>
NORMCHECK_DEVICE void save_statistics(const Call& call, int64_t row, const RowStatistics& statistics) {
    if (Team::rank() != 0) return;
    save_statistic(call.mean, row, statistics.mean);
    save_statistic(call.rstd, row, statistics.rstd);
}

}  // namespace normcheck::NORMCHECK_SIDE
