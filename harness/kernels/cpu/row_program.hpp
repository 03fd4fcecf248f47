// How a fused CPU kernel runs: per row, load (and add the residual), take the statistics, apply them block by block. A
// kernel is the two functions in the middle; the rest is here. Rows are independent, so threads and batch change no
// bits.
#pragma once

#include <omp.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "harness/kernels/cpu/call_check.hpp"
#include "harness/kernels/cpu/rows.hpp"
#include "harness/kernels/cpu/statistics.hpp"

namespace normcheck {

enum class ResidualSum : uint8_t { none, wide, rounded };

/// Up to block_size elements of a row, in the accumulator's format; beta is null under rms. `out` may be `values`.
template <class Float, class Out = Float>
struct Block {
    const Float* values;
    const Float* gamma;
    const Float* beta;
    Out* out;
    int64_t count;
    nc_format y;
};

/// A kernel's own part. Out is the format in which it hands over results, which are then rounded once to y.
template <class Float, class Out = Float>
struct RowProgram {
    bool layer = false;
    RowStatistics<Float> (*statistics)(const Float* values, int64_t count, Float eps);
    void (*apply)(const Block<Float, Out>& block, const RowStatistics<Float>& statistics);
    ResidualSum residual = ResidualSum::none;
    Float absent_gamma = 1;
};

/// gamma or beta in the accumulator's format: the tensor's own memory where that serves, else a converted copy.
template <class Float>
struct Parameter {
    std::unique_ptr<Float[]> copy;
    const Float* values = nullptr;
};

template <class Float>
Parameter<Float> read_parameter(const nc_tensor& tensor, int64_t cols, Float absent) {
    if (tensor.data != nullptr)
        if (const Float* direct = direct_elements<Float>(tensor, 0, 0)) return {nullptr, direct};
    auto copy = std::make_unique_for_overwrite<Float[]>(static_cast<size_t>(cols));
    if (tensor.data != nullptr)
        load(tensor, 0, 0, cols, copy.get());
    else
        std::fill_n(copy.get(), cols, absent);
    const Float* values = copy.get();
    return {std::move(copy), values};
}

/// beta, or where it is absent -0, the one value whose addition changes nothing, not even a -0.
template <class Float>
Parameter<Float> read_beta(const nc_tensor& tensor, int64_t cols) {
    return read_parameter(tensor, cols, -Float{0});
}

inline int thread_count(const nc_call& call) {
    return static_cast<int>(std::clamp<int64_t>(call.threads, 1, std::max<int64_t>(call.x.shape[0], 1)));
}

/// Calls function(row, thread) for every row, with thread < thread_count(call).
template <class Function>
void for_each_row(const nc_call& call, const Function& function) {
    const int threads = thread_count(call);
    const int64_t rows = call.x.shape[0];
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t row = 0; row < rows; ++row) function(row, omp_get_thread_num());
}

/// One thread's buffers. `values` is null where rows are read from x's own memory.
template <class Float, class Out>
struct Workspace {
    std::unique_ptr<Float[]> values;
    std::unique_ptr<Float[]> residual;
    std::unique_ptr<Out[]> out;
};

template <class Float, class Out>
std::vector<Workspace<Float, Out>> make_workspaces(const RowProgram<Float, Out>& program, const nc_call& call) {
    const bool adds = program.residual != ResidualSum::none;
    const bool copies = adds || direct_elements<Float>(call.x, 0, 0) == nullptr;
    std::vector<Workspace<Float, Out>> workspaces(static_cast<size_t>(thread_count(call)));
    for (auto& workspace : workspaces) {
        if (copies) workspace.values = std::make_unique_for_overwrite<Float[]>(static_cast<size_t>(call.x.shape[1]));
        if (adds) workspace.residual = std::make_unique_for_overwrite<Float[]>(block_size);
        workspace.out = std::make_unique_for_overwrite<Out[]>(block_size);
    }
    return workspaces;
}

/// Adds a block of the residual to `values` and returns the sum, rounded, where the call asks for it. The sum of two
/// 16-bit values is rounded to f32 first; f32 has more than 2p+2 bits, so the second rounding gives what one rounding
/// would.
template <class Float>
void add_residual(const nc_call& call, ResidualSum kind, int64_t row, int64_t column, int64_t count, Float* scratch,
                  Float* values) {
    load(call.residual, row, column, count, scratch);
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) values[i] += scratch[i];
    if (call.residual_out.data != nullptr) store(call.residual_out, row, column, count, values);
    if (kind == ResidualSum::rounded) round_to(call.x.format, count, values);
}

/// The row to be normalised, in the accumulator's format.
template <class Float, class Out>
const Float* read_row(const RowProgram<Float, Out>& program, const nc_call& call, int64_t row,
                      Workspace<Float, Out>& workspace) {
    if (workspace.values == nullptr) return direct_elements<Float>(call.x, row, 0);
    const int64_t cols = call.x.shape[1];
    for (int64_t column = 0; column < cols; column += block_size) {
        const int64_t count = std::min(block_size, cols - column);
        Float* values = workspace.values.get() + column;
        load(call.x, row, column, count, values);
        if (program.residual != ResidualSum::none)
            add_residual(call, program.residual, row, column, count, workspace.residual.get(), values);
    }
    return workspace.values.get();
}

/// Writes the row of y, block by block, straight into y's memory where its format allows.
template <class Float, class Out>
void write_row(const RowProgram<Float, Out>& program, const nc_call& call, int64_t row, Block<Float, Out> block,
               const RowStatistics<Float>& statistics, Out* buffer) {
    const int64_t cols = call.x.shape[1];
    for (int64_t column = 0; column < cols; column += block_size) {
        Out* direct = direct_elements<Out>(call.y, row, column);
        block.count = std::min(block_size, cols - column);
        block.out = direct != nullptr ? direct : buffer;
        program.apply(block, statistics);
        if (direct == nullptr) store(call.y, row, column, block.count, buffer);
        block.values += block_size;
        block.gamma += block_size;
        if (block.beta != nullptr) block.beta += block_size;
    }
}

template <class Float, class Out>
void run_rows(const RowProgram<Float, Out>& program, const nc_call& call) {
    const int64_t cols = call.x.shape[1];
    const auto gamma = read_parameter(call.gamma, cols, program.absent_gamma);
    const auto beta = program.layer ? read_beta<Float>(call.beta, cols) : Parameter<Float>{};
    const Float eps = static_cast<Float>(call.eps);
    auto workspaces = make_workspaces(program, call);
    for_each_row(call, [&](int64_t row, int thread) {
        auto& workspace = workspaces[static_cast<size_t>(thread)];
        const Float* values = read_row(program, call, row, workspace);
        const RowStatistics<Float> statistics = program.statistics(values, cols, eps);
        save_statistic(call.mean, row, statistics.mean);
        save_statistic(call.rstd, row, statistics.rstd);
        const Block<Float, Out> block{values, gamma.values, beta.values, nullptr, 0, call.y.format};
        write_row(program, call, row, block, statistics, workspace.out.get());
    });
}

/// Runs `work` where the call is taken and not empty; memory that cannot be had is a refusal, too.
template <class Work>
const char* run_checked(const nc_call& call, const Signature& signature, const Work& work) {
    if (const char* refusal = refuse(call, signature)) return refusal;
    if (is_empty(call)) return nullptr;
    try {
        work();
    } catch (const std::bad_alloc&) {
        return "not enough memory for the kernel's buffers";
    } catch (const std::length_error&) {
        return "not enough memory for the kernel's buffers";
    }
    return nullptr;
}

/// Runs a fused kernel on a call; the result is that of nc_run.
template <class Float, class Out>
const char* run_program(const RowProgram<Float, Out>& program, const nc_call& call) {
    const Signature signature{program.layer, program.residual != ResidualSum::none, machine_format<Float>};
    return run_checked(call, signature, [&] { run_rows(program, call); });
}

}  // namespace normcheck
