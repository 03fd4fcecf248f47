// Kernels beside a copy: the copy itself, what is called warm or cold, and what follows from timings.
#include "harness/bench/kernel_speed.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/bench/cache_size.hpp"
#include "harness/bench/copy_loop.hpp"
#include "harness/check/check.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"
#include "oracles/instruction_sets.hpp"

namespace normcheck {
namespace {

KernelSpeed speed_of(const char* kernel, double seconds, bool composed = false) {
    KernelSpeed one{.kernel = find_kernel(kernel), .composed = composed, .bytes = 2000};
    one.contract = case_contract(one.kernel, {});
    one.timing = {seconds, 0, 15, seconds, seconds};
    return one;
}

SpeedGroup group_of(std::vector<KernelSpeed> kernels) {
    SpeedGroup group{.format = FormatId::f32, .rows = 10, .cols = 25, .cache = CacheState::cold, .copy_bytes = 1000};
    group.copy = {1e-6, 0.01, 15, 1e-6, 1e-6};
    group.kernels = std::move(kernels);
    return group;
}

void expect_copies(CopyLoop copy, size_t bytes, size_t offset) {
    std::vector<std::byte> from(bytes + offset), to(bytes + offset + 1, std::byte{7});
    for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 31 % 251);
    copy(from.data() + offset, to.data() + offset, bytes);
    EXPECT_TRUE(std::equal(from.begin() + static_cast<ptrdiff_t>(offset), from.end(),
                           to.begin() + static_cast<ptrdiff_t>(offset)));
    EXPECT_EQ(to.back(), std::byte{7});
    EXPECT_TRUE(offset == 0 || to[offset - 1] == std::byte{7});
}

TEST(PlainCopy, CopiesEveryByteAndNoOther) {
    std::vector<CopyLoop> loops{baseline::copy_loop, plain_copy()};
    for (const CopyLoop loop : loops)
        for (const size_t bytes : {0U, 1U, 15U, 64U, 255U, 256U, 257U, 1000U})
            for (const size_t offset : {0U, 1U, 3U}) expect_copies(loop, bytes, offset);
}

TEST(CacheSize, IsOneOfACache) {
    EXPECT_GE(last_cache_bytes(), 1 << 16);
    EXPECT_LE(last_cache_bytes(), int64_t{1} << 32);
}

TEST(KernelSpeed, IsAShareOfTheCopysRate) {
    const SpeedGroup group = group_of({speed_of("cpu/rms", 4e-6)});
    EXPECT_DOUBLE_EQ(group.share_of_copy(group.kernels[0]), 0.5) << "twice the bytes in four times the time";
}

TEST(KernelSpeed, RatiosAreOfTheFastestPlainKernels) {
    const SpeedGroup group =
        group_of({speed_of("cpu/layer_two_pass", 3e-6), speed_of("cpu/layer_folded", 2e-6),
                  speed_of("cpu/layer_one_pass", 1e-6), speed_of("cpu/rms", 1.5e-6), speed_of("cpu/rms_f64", 1e-6),
                  speed_of("cpu/add_rms_wide", 1e-6), speed_of("cpu/rms_one_plus", 1e-6),
                  speed_of("cpu/rms_cast_before_gamma", 1e-6), speed_of("cpu/rms_eps_outside", 1e-6),
                  speed_of("cpu/rms_composed", 8e-6, true), speed_of("cpu/layer_composed", 12e-6, true)});
    const std::vector<SpeedRatio> ratios = ratios_of(group);
    ASSERT_EQ(ratios.size(), 3U);
    EXPECT_EQ(ratios[0].what, "fused layer (cpu/layer_folded) against composed rms (cpu/rms_composed)");
    EXPECT_DOUBLE_EQ(ratios[0].times_as_fast, 4);
    EXPECT_EQ(ratios[1].what, "fused rms (cpu/rms) against fused layer (cpu/layer_folded)");
    EXPECT_DOUBLE_EQ(ratios[1].times_as_fast, 2 / 1.5);
    EXPECT_EQ(ratios[2].what, "composed rms (cpu/rms_composed) against composed layer (cpu/layer_composed)");
    EXPECT_DOUBLE_EQ(ratios[2].times_as_fast, 1.5);
    EXPECT_TRUE(ratios_of(group_of({speed_of("cpu/rms", 1e-6)})).empty());
}

TEST(KernelSpeed, HoldsFusedKernelsOutOfCacheToTheCopy) {
    SpeedGroup group = group_of({speed_of("cpu/rms", 2.5e-6), speed_of("cpu/layer_folded", 3e-6),
                                 speed_of("cpu/rms_composed", 9e-6, true), speed_of("emulated/rms", 9e-6)});
    const std::string text = kernel_speed_text(std::span(&group, 1), true, Page{});
    EXPECT_NE(text.find("targets\n  met     cpu/rms f32, 1 thread: 70 % of a copy: 80 %\n"
                        "  missed  cpu/layer_folded f32, 1 thread: 70 % of a copy: 67 %\n"),
              std::string::npos)
        << text;
    EXPECT_TRUE(text.ends_with("67 %\n")) << text;
    group.cache = CacheState::warm;
    EXPECT_FALSE(is_held_to_the_copy(group, group.kernels[0]));
    group.cache = CacheState::cold;
    group.format = FormatId::f16;
    EXPECT_FALSE(is_held_to_the_copy(group, group.kernels[0]));
}

TEST(KernelSpeed, CallsTensorsColdThatAreFourTimesTheLastCache) {
    const int64_t cols = 4096, cache = last_cache_bytes();
    const auto state = [&](int64_t bytes) { return cache_state(FormatId::f32, bytes / (2 * 4 * cols), cols); };
    EXPECT_EQ(state(cache / 2), CacheState::warm);
    EXPECT_EQ(state(cache), CacheState::partly);
    EXPECT_EQ(state(cache * 3), CacheState::partly);
    EXPECT_EQ(state(cache * 4), CacheState::cold);
}

const char* refuse_call(const nc_call*) {
    return "not today";
}
constexpr nc_kernel refusing{"mine/refuses", "rms", "", NC_TAKES(NC_F32), refuse_call};

TEST(KernelSpeed, SaysWhoRefusedTheCallAndMeasuresTheOthers) {
    const SpeedOptions options{.kernels = {&refusing, find_kernel("cpu/add_rms_rounded")},
                               .formats = {FormatId::f32},
                               .rows = {37},
                               .cols = {19},
                               .threads = {1, 2},
                               .measure = {.repetitions = 3, .seconds = 1e-4}};
    const std::vector<SpeedGroup> groups = measure_kernel_speeds(options);
    ASSERT_EQ(groups.size(), 2U);
    const std::string text = kernel_speed_text(groups, true, Page{});
    EXPECT_NE(text.find("  not measured: mine/refuses: not today\n"), std::string::npos) << text;
    const Report report = kernel_speed_report(groups);
    ASSERT_EQ(report.kernels.size(), 2U);
    EXPECT_TRUE(report.kernels[0].speeds.empty());
    ASSERT_EQ(report.kernels[1].speeds.size(), 2U);
    const Speed& speed = report.kernels[1].speeds[1];
    EXPECT_EQ(speed.threads, 2);
    EXPECT_EQ(speed.bytes, 4 * 37 * 19 * 4 + 19 * 4 + 37 * 4) << "x, residual, y, their sum, gamma, rstd";
    EXPECT_LE(speed.fastest, speed.seconds);
    EXPECT_LE(speed.seconds, speed.slowest);
    const double copies = static_cast<double>(speed.bytes) / static_cast<double>(groups[1].copy_bytes);
    EXPECT_DOUBLE_EQ(speed.copy_seconds, groups[1].copy.seconds * copies);
}

}  // namespace
}  // namespace normcheck
