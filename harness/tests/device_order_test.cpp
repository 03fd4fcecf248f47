// The order in which CUDA kernels add up, walked through for many lengths of a row, against the depth that their
// contract declares; see teams.hpp and layer_welford.cu, which prove it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "harness/kernels/cuda/run.hpp"

namespace normcheck::emulated {
namespace {

/// What a sum, or running moments, of some values of the row went through.
struct Part {
    int64_t values = 0;
    int64_t depth = 0;   // most roundings that one of its values met: a value alone met none
    int64_t chain = 0;   // values of the longest run that was taken one by one
    int64_t levels = 0;  // of merges of two parts with values
};

Part merged(const Part& a, const Part& b) {
    if (a.values == 0 || b.values == 0) return a.values == 0 ? b : a;
    return {a.values + b.values, std::max(a.depth, b.depth) + 1, std::max(a.chain, b.chain),
            std::max(a.levels, b.levels) + 1};
}

/// Pairs at halving distances; the number of parts is rounded up to a power of two with empty ones.
Part merged_pairwise(std::vector<Part> parts) {
    parts.resize(std::bit_ceil(parts.size()));
    for (size_t half = parts.size() / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; ++i) parts[i] = merged(parts[i], parts[i + half]);
    return parts[0];
}

/// A row of n values in a team of so many threads: eight parts a thread, then the thread, the warp, the block.
Part walked(int64_t n, unsigned threads) {
    std::vector<Part> of_warps;
    for (unsigned warp = 0; warp < threads / warp_size; ++warp) {
        std::vector<Part> of_lanes;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            std::vector<Part> running(group_size);
            for (int64_t i = 0; i < group_size; ++i) {
                const int64_t first = (warp * warp_size + lane) * group_size + i;
                const int64_t sums = int64_t{threads} * group_size;
                const int64_t values = first < n ? (n - first - 1) / sums + 1 : 0;
                running[static_cast<size_t>(i)] = {values, std::max<int64_t>(values - 1, 0), values, 0};
            }
            of_lanes.push_back(merged_pairwise(running));
        }
        of_warps.push_back(merged_pairwise(of_lanes));
    }
    return merged_pairwise(of_warps);
}

int64_t ceil_log2(int64_t n) {
    return std::bit_width(static_cast<uint64_t>(n) - 1);
}

/// What `reduce=lanes:N` allows (oracles/README.md).
int64_t declared_depth(int64_t n, int64_t lanes) {
    return n / lanes + ceil_log2(lanes) + n % lanes;
}

unsigned block_of(int64_t n, bool is_warp) {
    if (is_warp) return warp_size;
    Call call{};
    call.rows = 1;
    call.cols = n;
    call.groups = (n + group_size - 1) / group_size;
    return shape_of(Program{}, call).block;
}

std::vector<int64_t> lengths() {
    std::vector<int64_t> all;
    for (int64_t n = 1; n <= 2600; ++n) all.push_back(n);
    for (const int64_t n : {4095, 4096, 4097, 6143, 6144, 8191, 8193, 65535, 65536, 65537, 1000003}) all.push_back(n);
    return all;
}

TEST(DeviceOrder, of_sums_is_no_deeper_than_64_lanes) {
    for (const bool is_warp : {false, true})
        for (const int64_t n : lengths()) {
            const Part row = walked(n, block_of(n, is_warp));
            ASSERT_EQ(row.values, n);
            ASSERT_LE(row.depth, declared_depth(n, 64)) << n << " is_warp " << is_warp;
        }
}

/// Chains no longer, and merges no deeper, than those of so many lanes.
void expect_lanes(int64_t lanes, bool is_warp) {
    for (const int64_t n : lengths()) {
        const Part row = walked(n, block_of(n, is_warp));
        ASSERT_LE(row.levels, ceil_log2(std::min(n, lanes))) << n;
        ASSERT_LE(row.chain, n / lanes + n % lanes) << n;
    }
}

TEST(DeviceOrder, of_moments_is_that_of_256_lanes_in_a_warp_and_2048_in_a_block) {
    expect_lanes(256, true);
    expect_lanes(2048, false);
}

}  // namespace
}  // namespace normcheck::emulated
