// `bench KERNEL...`: how fast kernels run beside a plain copy, and which norm, fused or composed, is how many times as
// fast as another, all in one run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/bench/measure.hpp"
#include "oracles/contract.hpp"
#include "reports/layout.hpp"
#include "reports/record.hpp"

namespace normcheck {

struct SpeedOptions {
    std::vector<const nc_kernel*> kernels;
    std::vector<FormatId> formats;    // empty: f32 and bf16
    std::vector<int64_t> rows, cols;  // both empty: the default shapes
    std::vector<int64_t> threads{1};
    uint64_t seed = 1;
    bool quick = false;  // the default shapes are small
    MeasureOptions measure;
};

/// Where tensors are found when a call begins: x and y together are at most half as large as the last-level cache, at
/// least four times as large, or between.
enum class CacheState : uint8_t { warm, partly, cold };
const char* name(CacheState state);
CacheState cache_state(FormatId id, int64_t rows, int64_t cols);
constexpr int64_t warm_share = 2;  // that x and y are smaller
constexpr int64_t cold_share = 4;  // that they are larger

/// One kernel in a setting.
struct KernelSpeed {
    const nc_kernel* kernel = nullptr;
    Contract contract = {};
    bool composed = false;                    // as its name says; else it is taken to be fused
    int64_t bytes = 0;                        // of all tensors of a call
    Timing timing = {};                       // of a call
    std::optional<std::string> refusal = {};  // where it takes no such call; nothing else is then measured
};

/// The kernels of one setting, which were timed in turns with each other and a copy of x to y.
struct SpeedGroup {
    FormatId format = FormatId::f32;
    int64_t rows = 0;
    int64_t cols = 0;
    int threads = 1;
    CacheState cache = CacheState::warm;
    int64_t copy_bytes = 0;  // read and written
    Timing copy = {};
    std::vector<KernelSpeed> kernels = {};

    /// The kernel's bytes per second as a share of the copy's.
    double share_of_copy(const KernelSpeed& one) const;
};

/// The groups in the order of formats, shapes and threads; kernels that do not take a format are not in its groups.
/// Throws InputError where a tensor would be too large or nothing is left to measure.
std::vector<SpeedGroup> measure_kernel_speeds(const SpeedOptions& options);

/// Two norms against each other, each by the fastest kernel of its kind that was measured.
struct SpeedRatio {
    std::string what;  // as in "fused layer (cpu/layer_folded) against composed rms (cpu/rms_composed)"
    double times_as_fast = 0;
};
/// Fused layer against composed rms, and rms against layer of the same fusion, as far as the group has the kernels.
/// Only kernels that compute the plain norm in f32 are in a ratio: none that adds a residual, rounds before gamma,
/// takes gamma or epsilon otherwise, accumulates in f64, or saves a pass at the price of the variance's accuracy
/// (one_pass).
std::vector<SpeedRatio> ratios_of(const SpeedGroup& group);

/// What the fused kernels of this program are held to: a share of the copy's rate, out of memory.
constexpr double wanted_share_of_copy = 0.7;
bool is_held_to_the_copy(const SpeedGroup& group, const KernelSpeed& one);

/// The tables; `judged` as in table.hpp.
std::string kernel_speed_text(std::span<const SpeedGroup> groups, bool judged, const Page& page);
/// The speeds as records of kernels of which nothing was judged.
Report kernel_speed_report(std::span<const SpeedGroup> groups);

}  // namespace normcheck
