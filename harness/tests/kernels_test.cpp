// The built-in kernels: near a naive reference, and the same bits in whatever way the call is made. Whether they keep
// their contracts to the last bit is judged by the oracles, elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>
#include <string>
#include <string_view>

#include "harness/kernels/registry.hpp"
#include "harness/tests/kernel_calls.hpp"

namespace normcheck {
namespace {

/// All but those that need a device.
auto kernels_here() {
    return built_in_kernels() | std::views::filter([](const nc_kernel* kernel) {
               return !std::string_view(kernel->name).starts_with("cuda/");
           });
}

constexpr FormatId x_formats[] = {FormatId::f32, FormatId::f16, FormatId::bf16};

/// Runs check(kernel, call) for all these kernels and formats of x; `call` has y as x and parameters in f32.
template <class Check>
void for_each_kernel(KernelCall call, const Check& check) {
    for (const nc_kernel* kernel : kernels_here())
        for (const FormatId x : x_formats) {
            SCOPED_TRACE(std::string(kernel->name) + " x=" + format(x).name);
            call.x = call.y = x;
            check(*kernel, call);
        }
}

KernelOutputs run(const nc_kernel& kernel, const KernelCall& call) {
    KernelOutputs outputs = call_kernel(kernel, call);
    EXPECT_EQ(outputs.refusal, nullptr);
    EXPECT_TRUE(outputs.untouched);
    return outputs;
}

void expect_same_bits(const KernelOutputs& a, const KernelOutputs& b) {
    EXPECT_EQ(a.y, b.y);
    EXPECT_EQ(a.residual_out, b.residual_out);
    EXPECT_EQ(a.mean, b.mean);
    EXPECT_EQ(a.rstd, b.rstd);
}

/// One row of the contract's formula, naively, in long double.
struct Reference {
    std::vector<long double> y, sum;
    long double mean = 0, rstd = 0;
};

long double rounded(FormatId id, long double value) {
    return decode_double(format(id), round_double(format(id), static_cast<double>(value)));
}

std::vector<long double> reference_sum(const Contract& contract, const KernelCall& call, int64_t row) {
    std::vector<long double> sum;
    for (int64_t i = 0; i < call.cols; ++i) {
        long double value = random_value(Role::x, row, i, call.x);
        if (contract.residual != Residual::none) value += random_value(Role::residual, row, i, call.x);
        sum.push_back(contract.residual == Residual::rounded ? rounded(call.x, value) : value);
    }
    return sum;
}

long double reference_y(const Contract& contract, const KernelCall& call, long double normalised, int64_t i) {
    const long double one = contract.gamma == Gamma::one_plus ? 1 : 0;
    const long double gamma = call.parameters ? one + random_value(Role::gamma, 0, i, call.params) : 1;
    const bool adds = call.parameters && contract.beta == Beta::add;
    const long double beta = adds ? random_value(Role::beta, 0, i, call.params) : 0;
    return gamma * (contract.cast == Cast::before_gamma ? rounded(call.y, normalised) : normalised) + beta;
}

Reference reference(const Contract& contract, const KernelCall& call, int64_t row) {
    Reference result;
    result.sum = reference_sum(contract, call, row);
    const long double count = static_cast<long double>(call.cols);
    if (contract.norm == Norm::layer)
        for (const long double value : result.sum) result.mean += value / count;
    long double variance = 0;
    for (const long double value : result.sum) variance += (value - result.mean) * (value - result.mean) / count;
    const long double eps = call.eps;
    result.rstd = 1 / (contract.eps_at == EpsAt::outside ? std::sqrt(variance) + eps : std::sqrt(variance + eps));
    for (int64_t i = 0; i < call.cols; ++i) {
        const long double normalised = (result.sum[static_cast<size_t>(i)] - result.mean) * result.rstd;
        result.y.push_back(reference_y(contract, call, normalised, i));
    }
    return result;
}

/// The code lies within one spacing of the format, and a few f32 roundings, of the value; both relative to `scale`.
void expect_near(FormatId id, uint64_t code, long double value, long double scale) {
    const long double tolerance = (std::ldexp(1.0L, 1 - format(id).significand_bits) + 0x1p-18L) * scale;
    EXPECT_NEAR(decode_double(format(id), code), static_cast<double>(value), static_cast<double>(tolerance));
}

void expect_near_reference(const nc_kernel& kernel, const KernelCall& call) {
    const Contract contract = parse_contract(kernel.contract);
    const KernelOutputs outputs = run(kernel, call);
    for (int64_t row = 0; row < call.rows; ++row) {
        const Reference expected = reference(contract, call, row);
        const size_t start = static_cast<size_t>(row * call.cols);
        for (size_t i = 0; i < expected.y.size(); ++i) {
            expect_near(call.y, outputs.y[start + i], expected.y[i], 8);
            if (contract.residual == Residual::none) continue;
            const uint64_t sum = round_double(format(call.x), static_cast<double>(expected.sum[i]));
            EXPECT_EQ(outputs.residual_out[start + i], sum);
        }
        if (contract.norm == Norm::layer)
            expect_near(contract.stats, outputs.mean[static_cast<size_t>(row)], expected.mean, 2);
        expect_near(contract.stats, outputs.rstd[static_cast<size_t>(row)], expected.rstd, expected.rstd);
    }
}

TEST(Registry, finds_every_kernel_by_its_name_and_no_other) {
    std::set<std::string> names;
    for (const nc_kernel* kernel : built_in_kernels()) {
        EXPECT_EQ(find_kernel(kernel->name), kernel);
        EXPECT_TRUE(names.insert(kernel->name).second) << kernel->name;
    }
    EXPECT_GE(names.size(), 25U);
    EXPECT_EQ(find_kernel("cpu/no_such_kernel"), nullptr);
}

TEST(Registry, states_every_contract_in_its_canonical_form) {
    for (const nc_kernel* kernel : built_in_kernels())
        EXPECT_EQ(print(parse_contract(kernel->contract)), kernel->contract) << kernel->name;
}

TEST(Kernels, come_near_the_naive_reference_at_every_remainder_of_the_lanes) {
    for (const int64_t cols : {2, 3, 15, 16, 17, 31, 33, 100, 1023, 1024, 1025, 2500})
        for_each_kernel({.rows = 2, .cols = cols}, expect_near_reference);
}

TEST(Kernels, take_every_mixture_of_formats) {
    for (const FormatId params : x_formats)
        for (const FormatId y : {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16})
            for_each_kernel({.rows = 1, .cols = 70, .params = params}, [&](const nc_kernel& kernel, KernelCall call) {
                call.y = y;
                expect_near_reference(kernel, call);
            });
}

TEST(Kernels, feel_a_large_eps) {
    for_each_kernel({.rows = 2, .cols = 40, .eps = 0.5}, expect_near_reference);
}

TEST(Kernels, take_absent_gamma_and_beta_as_1_and_0) {
    for_each_kernel({.rows = 2, .cols = 77, .parameters = false}, expect_near_reference);
}

TEST(Kernels, give_the_same_bits_for_strided_pitched_and_misaligned_tensors) {
    for_each_kernel({.rows = 3, .cols = 1100}, [](const nc_kernel& kernel, const KernelCall& call) {
        const KernelOutputs dense = run(kernel, call);
        for (const int64_t stride : {1, 3}) {
            KernelCall placed = call;
            placed.stride = stride;
            placed.pitch = 5;
            placed.offset = 3;
            expect_same_bits(run(kernel, placed), dense);
        }
    });
}

TEST(Kernels, give_the_same_bits_in_place) {
    for_each_kernel({.rows = 3, .cols = 2100}, [](const nc_kernel& kernel, KernelCall call) {
        for (const int64_t stride : {1, 2}) {
            call.stride = stride;
            KernelCall in_place = call;
            in_place.in_place = true;
            expect_same_bits(run(kernel, in_place), run(kernel, call));
        }
    });
}

TEST(Kernels, give_the_same_bits_with_any_number_of_threads) {
    for_each_kernel({.rows = 13, .cols = 100}, [](const nc_kernel& kernel, KernelCall call) {
        const KernelOutputs one = run(kernel, call);
        for (const int threads : {2, 64}) {
            call.threads = threads;
            expect_same_bits(run(kernel, call), one);
        }
    });
}

/// The part of a batch's codes that belongs to `row`, of `width` codes each.
std::vector<uint64_t> part(const std::vector<uint64_t>& codes, int64_t row, int64_t width) {
    if (codes.empty()) return {};
    return {codes.begin() + row * width, codes.begin() + (row + 1) * width};
}

TEST(Kernels, give_a_row_the_same_bits_alone_and_in_a_batch) {
    for_each_kernel({.rows = 257, .cols = 50, .threads = 2}, [](const nc_kernel& kernel, const KernelCall& call) {
        const KernelOutputs batch = run(kernel, call);
        for (const int64_t row : {0, 1, 128, 256}) {
            KernelCall alone = call;
            alone.rows = 1;
            alone.first_row = row;
            expect_same_bits(run(kernel, alone),
                             {nullptr, part(batch.y, row, call.cols), part(batch.residual_out, row, call.cols),
                              part(batch.mean, row, 1), part(batch.rstd, row, 1)});
        }
    });
}

TEST(Kernels, write_nothing_where_there_is_nothing) {
    for_each_kernel({.rows = 0, .cols = 20}, run);
    for_each_kernel({.rows = 3, .cols = 0}, [](const nc_kernel& kernel, const KernelCall& call) {
        const KernelOutputs outputs = run(kernel, call);
        for (const uint64_t code : outputs.rstd) EXPECT_EQ(code & 0xffffffff, 0xa5a5a5a5);
    });
}

TEST(Kernels, take_an_empty_call_without_memory) {
    for (const nc_kernel* kernel : kernels_here()) {
        nc_call call{};
        call.x = call.y = {nullptr, {0, 8}, {8, 1}, NC_F32, {NC_CPU, 0}};
        EXPECT_EQ(kernel->run(&call), nullptr) << kernel->name;
    }
}

TEST(Kernels, keep_a_nan_to_its_row_and_let_it_reach_all_of_it) {
    for_each_kernel({.rows = 5, .cols = 60}, [](const nc_kernel& kernel, KernelCall call) {
        const KernelOutputs clean = run(kernel, call);
        call.nan_row = 2;
        const KernelOutputs outputs = run(kernel, call);
        const Format& stats = format(parse_contract(kernel.contract).stats);
        for (int64_t row = 0; row < call.rows; ++row) {
            EXPECT_EQ(is_nan(stats, outputs.rstd[static_cast<size_t>(row)]), row == call.nan_row);
            const auto codes = part(outputs.y, row, call.cols);
            const auto nan = [&](uint64_t code) { return is_nan(format(call.y), code); };
            EXPECT_TRUE(row == call.nan_row ? std::ranges::all_of(codes, nan) : codes == part(clean.y, row, call.cols));
        }
    });
}

/// FNV-1a over the codes of every output, on rows of several lengths in every format of x.
uint64_t fingerprint(const nc_kernel& kernel) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const FormatId x : x_formats)
        for (const int64_t cols : {1, 2, 5, 16, 33, 1025, 4099}) {
            const KernelOutputs outputs = run(kernel, {.rows = 4, .cols = cols, .x = x, .y = x});
            for (const auto* codes : {&outputs.y, &outputs.residual_out, &outputs.mean, &outputs.rstd})
                for (const uint64_t code : *codes) hash = (hash ^ code) * 0x100000001b3;
        }
    return hash;
}

TEST(Kernels, give_the_same_bits_with_every_compiler_and_instruction_set) {
    const std::pair<const char*, uint64_t> pinned[] = {
        {"cpu/layer_two_pass", 0xe89a3284fbaeedc3},
        {"cpu/layer_welford", 0x1b9706f54c6a1cdf},
        {"cpu/layer_one_pass", 0x6a12487440653452},
        {"cpu/layer_folded", 0x6e95a8f920845c4c},
        {"cpu/layer_f64", 0x7e04f6fa5fe9b23b},
        {"cpu/layer_composed", 0xe89a3284fbaeedc3},
        {"cpu/rms", 0x31af672770c89b6a},
        {"cpu/rms_f64", 0xd7a4ae56139651bc},
        {"cpu/rms_composed", 0x9dfa8f6969fb6c9c},
        {"cpu/rms_composed_lanes", 0x31af672770c89b6a},
        {"cpu/rms_cast_before_gamma", 0x5225fb2fcefb57ac},
        {"cpu/rms_one_plus", 0xbe9355834b2d530b},
        {"cpu/rms_eps_outside", 0xc98ffb56f22de164},
        {"cpu/add_rms_rounded", 0xf07b9547f5785dd1},
        {"cpu/add_rms_wide", 0x98a61fc4dc740063},
        {"emulated/layer_two_pass", 0xe7e31789d7f07b47},
        {"emulated/layer_two_pass_warp", 0xd431c7441129889a},
        {"emulated/layer_welford", 0xf355b228665ad650},
        {"emulated/layer_welford_warp", 0x59b422308b925875},
        {"emulated/rms", 0xf235e661bdb5c5cf},
        {"emulated/rms_warp", 0x61324399f97a4a71},
        {"emulated/rms_cast_before_gamma", 0x5240f93ceaceb5eb},
        {"emulated/rms_cast_before_gamma_warp", 0xd6f41364be5bc5d1},
        {"emulated/add_rms_rounded", 0x8c653bb9a4ad7b6},
        {"emulated/add_rms_rounded_warp", 0x3c912932062e390f},
        {"emulated/add_rms_wide", 0x5308db0b4ecc6bec},
    };
    for (const auto& [name, expected] : pinned)
        EXPECT_EQ(fingerprint(*find_kernel(name)), expected)
            << name << std::hex << " 0x" << fingerprint(*find_kernel(name));
}

/// What a kernel makes of the one value x = 1 with eps = 0.5, where 1 / sqrt(1.5) = 0.81649658, in bf16.
uint16_t bf16_of_one(const char* kernel, float gamma) {
    float x = 1;
    uint16_t y = 0;
    nc_call call{};
    call.x = {&x, {1, 1}, {1, 1}, NC_F32, {NC_CPU, 0}};
    call.gamma = {&gamma, {1, 1}, {1, 1}, NC_F32, {NC_CPU, 0}};
    call.y = {&y, {1, 1}, {1, 1}, NC_BF16, {NC_CPU, 0}};
    call.eps = 0.5;
    EXPECT_EQ(find_kernel(kernel)->run(&call), nullptr);
    return y;
}

TEST(Kernels, round_before_gamma_where_they_say_so_and_once_after_it) {
    // 209/256 is the nearest bf16; times 1.2296 it lies below the midpoint above 1, the unrounded value past it.
    EXPECT_EQ(bf16_of_one("cpu/rms_cast_before_gamma", 1.2296f), 0x3f80);
    EXPECT_EQ(bf16_of_one("cpu/rms", 1.2296f), 0x3f81);
    // 209/256 times this gamma lies past a midpoint by less than half an f32 spacing.
    EXPECT_EQ(bf16_of_one("cpu/rms_cast_before_gamma", 0x1.06bca20000000p+0f), 0x3f57);
}

TEST(Kernels, refuse_what_they_cannot_keep) {
    for (const nc_kernel* kernel : kernels_here()) {
        SCOPED_TRACE(kernel->name);
        EXPECT_NE(call_kernel(*kernel, {.x = FormatId::f64, .y = FormatId::f64}).refusal, nullptr);
        EXPECT_NE(call_kernel(*kernel, {.eps = -1}).refusal, nullptr);
        EXPECT_NE(call_kernel(*kernel, {.eps = NAN}).refusal, nullptr);
        const bool wide = parse_contract(kernel->contract).acc == FormatId::f64;
        EXPECT_EQ(call_kernel(*kernel, {.eps = 1e-6}).refusal == nullptr, wide);
        EXPECT_EQ(call_kernel(*kernel, {.params = FormatId::f64}).refusal == nullptr, wide);
    }
}

TEST(Kernels, refuse_a_tensor_that_they_do_not_take) {
    float value = 1;
    const nc_tensor tensor{&value, {1, 1}, {1, 1}, NC_F32, {NC_CPU, 0}};
    nc_call call{};
    call.x = call.y = call.beta = tensor;
    EXPECT_STREQ(find_kernel("cpu/rms")->run(&call), "this kernel takes no beta");
    call.beta.data = nullptr;
    call.residual = tensor;
    EXPECT_STREQ(find_kernel("cpu/layer_f64")->run(&call), "this kernel takes no residual");
    call.residual.data = nullptr;
    EXPECT_STREQ(find_kernel("cpu/add_rms_wide")->run(&call), "this kernel needs a residual");
    EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace normcheck
