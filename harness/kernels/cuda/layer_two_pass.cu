// LayerNorm, the variance about the mean in a second pass; a block or a warp per row. A block keeps the row in shared
// memory as long as it fits there; longer rows and the rows of warps are read from memory three times. The order of
// both sums: teams.hpp.
#include "harness/kernels/cuda/layer_rows.hpp"

namespace normcheck::NORMCHECK_SIDE {
namespace {

/// Where a thread keeps element i of a group: threads side by side, so that they meet different banks.
NORMCHECK_DEVICE int64_t kept_at(int64_t index, int i) {
    return (index - threadIdx.x) * group_size + static_cast<int64_t>(i) * blockDim.x + threadIdx.x;
}

template <nc_format x, class Team>
NORMCHECK_DEVICE float sum_of_row(const Call& call, int64_t row) {
    const auto kept = dynamic_shared<float>();
    float sums[group_size] = {};
    for (int64_t index = Team::rank(); index < call.groups; index += Team::size()) {
        float values[group_size];
        load_group<x>(call.x, group_of(call, row, index), values);
        for (int i = 0; i < group_size; ++i) sums[i] += values[i];
        if (!call.keeps_row) continue;
        for (int i = 0; i < group_size; ++i) kept[kept_at(index, i)] = values[i];
    }
    return Team::sum(sums);
}

/// Every thread reads what it wrote itself.
template <nc_format x>
NORMCHECK_DEVICE void load_again(const Call& call, const Group& group, int64_t index, float (&values)[group_size]) {
    if (!call.keeps_row) return load_group<x>(call.x, group, values);
    const auto kept = dynamic_shared<float>();
    for (int i = 0; i < group_size; ++i) values[i] = kept[kept_at(index, i)];
}

template <nc_format x, class Team>
NORMCHECK_DEVICE float centred_squares(const Call& call, int64_t row, float mean) {
    float sums[group_size] = {};
    for (int64_t index = Team::rank(); index < call.groups; index += Team::size()) {
        const Group group = group_of(call, row, index);
        float values[group_size];
        load_again<x>(call, group, index, values);
        for (int i = 0; i < group_size; ++i) {
            const float centred = i < group.count ? values[i] - mean : 0.0f;
            sums[i] = fmaf(centred, centred, sums[i]);
        }
    }
    return Team::sum(sums);
}

template <nc_format x, class Team>
NORMCHECK_KERNEL void layer_two_pass_rows(NORMCHECK_ARGUMENT(Call) call) {
    for (int64_t row = Team::first_row(); row < call.rows; row += Team::row_step()) {
        const float mean = divided_by_count(sum_of_row<x, Team>(call, row), call.cols);
        const float variance = divided_by_count(centred_squares<x, Team>(call, row, mean), call.cols);
        const RowStatistics statistics{mean, inverse_root(variance + call.eps)};
        save_statistics<Team>(call, row, statistics);
        for (int64_t index = Team::rank(); index < call.groups; index += Team::size()) {
            const Group group = group_of(call, row, index);
            float values[group_size];
            load_again<x>(call, group, index, values);
            write_centred(call, group, statistics, values);
        }
    }
}

template <class Team>
constexpr Program program{layer_two_pass_rows<NC_F32, Team>,
                          layer_two_pass_rows<NC_F16, Team>,
                          layer_two_pass_rows<NC_BF16, Team>,
                          Team::is_warp,
                          {.layer = true},
                          !Team::is_warp};

constexpr const char* contract = "layer beta=add reduce=lanes:64 batch_invariant=yes in_place=yes";

}  // namespace
}  // namespace normcheck::NORMCHECK_SIDE

NORMCHECK_CUDA_KERNEL(
    layer_two_pass, contract,
    "LayerNorm, mean and variance in two passes over the row in shared memory, in f32, a block per row",
    program<BlockTeam>)
NORMCHECK_CUDA_KERNEL(layer_two_pass_warp, contract,
                      "LayerNorm, mean and variance in two passes, in f32, a warp per row", program<WarpTeam>)
