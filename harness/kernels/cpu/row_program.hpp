// How a fused CPU kernel runs: per row, take the statistics, then apply them to each element. A kernel is these two
// pieces; the rest is here. Rows are independent, so threads and batch change no bits.
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

/// Calls function(row, thread) for every `step`-th row, with thread < thread_count(call).
template <class Function>
void for_each_row(const nc_call& call, int64_t step, const Function& function) {
    const int threads = thread_count(call);
    const int64_t rows = call.x.shape[0];
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t row = 0; row < rows; row += step) function(row, omp_get_thread_num());
}

template <class Function>
void for_each_row(const nc_call& call, const Function& function) {
    for_each_row(call, 1, function);
}

/// Rows that a thread works on at a time, so that their sums run side by side. Measured on an AMD EPYC with AVX-512,
/// rows of 1024 in cache, one, two and four at a time, ns per element: layer in f32 0.166 0.138 0.134, in bf16 0.223
/// 0.179 0.167; Welford in bf16, whose divisions have to wait for each other, 0.377 0.262 0.204.
constexpr size_t rows_together = 4;

/// One thread's buffers, empty where they are not needed: values of rows, and a row of outputs as codes.
template <class Float, class Code>
struct Workspace {
    Each<std::unique_ptr<Float[]>, rows_together> values;
    std::unique_ptr<Code[]> out;
};

/// Bytes by which memory that is written row by row is asked for beforehand.
constexpr int64_t write_ahead = 2048;

template <class Code>
void ask_to_write(const Code* place) {
    __builtin_prefetch(place + write_ahead / int64_t{sizeof(Code)}, 1);
}

/// What a kernel consists of. Statistics::of(rows, count, eps) gives the RowStatistics of each; Apply::of<Y> takes
/// values, gamma and, where Apply::layer, beta, as registers or one by one, and gives what is rounded once to y, whose
/// storage is Y.
template <class Accumulator, class Sums, class Elements, ResidualSum sum>
struct RowProgram {
    using Float = Accumulator;
    using Statistics = Sums;
    using Apply = Elements;
    static constexpr ResidualSum residual = sum;
};

/// gamma and beta, as every row takes them; beta is null under rms.
template <class Float>
struct RowParameters {
    const Float* gamma;
    const Float* beta;
};

/// True where rows of x are better read from their codes each time than once into values: f16 costs more to decode.
template <class Program, class Storage>
constexpr bool reads_codes_of = Program::residual == ResidualSum::none && !std::is_same_v<Storage, StoredF16>;

/// y = apply(row), a register at a time; y may lie on the row. Meanwhile the cache is asked for the row `next` of x, in
/// vain where x is not stored as y is, and for what is about to be written. Out of memory, in ns per element, without,
/// with the first and with both: rms in bf16 0.23 0.17 0.15, layer in f32 0.41 0.35 0.33.
template <class Apply, class Y, class Row, class Float>
void apply_to_row(const Row row, int64_t count, const RowParameters<Float> parameters,
                  const RowStatistics<Float> statistics, const typename Y::Code* next, typename Y::Code* y) {
    const auto result = [&](auto values, const auto& at) {
        if constexpr (Apply::layer)
            return Apply::template of<Y>(values, at(parameters.gamma), at(parameters.beta), statistics);
        else
            return Apply::template of<Y>(values, at(parameters.gamma), statistics);
    };
    const auto apply_register = [&](int64_t i) {
        const auto at = [i](const Float* parameter) { return register_at(parameter, i); };
        store_as(Y::encode(result(register_at(row, i), at)), y + i);
    };
    constexpr int64_t width = register_width<Float>, line = std::max<int64_t>(width, 64 / sizeof(typename Y::Code));
    int64_t i = 0;
    for (; i + line <= count; i += line) {
        __builtin_prefetch(next + i);
        ask_to_write(y + i);
        for (int64_t part = 0; part < line; part += width) apply_register(i + part);
    }
    for (; i + width <= count; i += width) apply_register(i);
    for (; i < count; ++i) y[i] = Y::encode(result(row[i], [i](const Float* parameter) { return parameter[i]; }));
}

/// Writes the y of one row; `buffer` is used where its elements are not dense.
template <class Program, class Y, class Row, class Float = typename Program::Float>
void write_row(const nc_call& call, int64_t index, const Row& row, const RowParameters<Float>& parameters,
               const RowStatistics<Float>& statistics, typename Y::Code* buffer) {
    const int64_t cols = call.x.shape[1];
    const int64_t next = std::min(index + int64_t{rows_together}, call.x.shape[0] - 1);
    const bool dense = call.y.strides[1] == 1;
    typename Y::Code* out = dense ? element<Y>(call.y, index, 0) : buffer;
    apply_to_row<typename Program::Apply, Y>(row, cols, parameters, statistics, element<Y>(call.x, next, 0), out);
    if (dense) return;
    for (int64_t i = 0; i < cols; ++i) *element<Y>(call.y, index, i) = out[i];
}

/// All but reading them of the rows from `first` on.
template <class Program, class Y, class Row, size_t rows, class Float = typename Program::Float>
void finish_rows(const nc_call& call, int64_t first, const Each<Row, rows>& row, const RowParameters<Float>& parameters,
                 typename Y::Code* buffer) {
    const auto statistics = Program::Statistics::of(row, call.x.shape[1], static_cast<Float>(call.eps));
    for (size_t k = 0; k < rows; ++k) {
        const int64_t index = first + static_cast<int64_t>(k);
        save_statistic(call.mean, index, statistics[k].mean);
        save_statistic(call.rstd, index, statistics[k].rstd);
        write_row<Program, Y>(call, index, row[k], parameters, statistics[k], buffer);
    }
}

/// x + residual, rounded to x's format where the call asks for it and, as the norm sees it, into values. The sum of two
/// 16-bit values is rounded to f32 first; f32 has more than 2p+2 bits, so the second rounding gives what one rounding
/// would. Meanwhile the cache is asked for the residual of a later row and for what is about to be written.
template <class Storage, ResidualSum kind, class Float>
void add_residual(const nc_call& call, int64_t row, Float* values) {
    const auto* x = element<Storage>(call.x, row, 0);
    const auto* residual = element<Storage>(call.residual, row, 0);
    const auto* next = element<Storage>(call.residual, std::min(row + int64_t{rows_together}, call.x.shape[0] - 1), 0);
    auto* sums = call.residual_out.data == nullptr ? nullptr : element<Storage>(call.residual_out, row, 0);
    const auto add = [&](auto x_codes, auto residual_codes, const auto& save) {
        const auto sum = Storage::template decode<Float>(x_codes) + Storage::template decode<Float>(residual_codes);
        const auto codes = Storage::encode(sum);
        if (sums != nullptr) save(codes);
        return kind == ResidualSum::rounded ? Storage::template decode<Float>(codes) : sum;
    };
    const int64_t count = call.x.shape[1];
    const int64_t of_x = call.x.strides[1], of_residual = call.residual.strides[1],
                  of_sums = call.residual_out.strides[1];
    int64_t i = 0;
    if (of_x == 1 && of_residual == 1 && (sums == nullptr || of_sums == 1)) {
        using CodeRegister = Like<Register<Float>, typename Storage::Code>;
        for (; i + register_width<Float> <= count; i += register_width<Float>) {
            const auto save = [&](CodeRegister codes) {
                ask_to_write(sums + i);
                store_as(codes, sums + i);
            };
            __builtin_prefetch(next + i);
            store_as(add(load_as<CodeRegister>(x + i), load_as<CodeRegister>(residual + i), save), values + i);
        }
    }
    for (; i < count; ++i)
        values[i] = add(x[i * of_x], residual[i * of_residual], [&](auto code) { sums[i * of_sums] = code; });
}

/// The row's values in the accumulator's format, with the residual.
template <class Program, class Float>
const Float* read_row(const nc_call& call, int64_t row, Float* values) {
    if (values == nullptr) return direct_elements<Float>(call.x, row, 0);
    if constexpr (Program::residual == ResidualSum::none)
        load(call.x, row, 0, call.x.shape[1], values);
    else
        with_storage(call.x.format, [&](auto x) { add_residual<decltype(x), Program::residual>(call, row, values); });
    return values;
}

template <class Program, class Y, class Float = typename Program::Float>
auto make_workspaces(const nc_call& call, bool needs_values) {
    const auto cols = static_cast<size_t>(call.x.shape[1]);
    std::vector<Workspace<Float, typename Y::Code>> workspaces(static_cast<size_t>(thread_count(call)));
    for (auto& workspace : workspaces) {
        for (auto& values : workspace.values)
            if (needs_values) values = std::make_unique_for_overwrite<Float[]>(cols);
        if (call.y.strides[1] != 1) workspace.out = std::make_unique_for_overwrite<typename Y::Code[]>(cols);
    }
    return workspaces;
}

/// True where rows are read from x's codes, whose storage is then Y too.
template <class Program, class Y>
bool reads_codes(const nc_call& call) {
    return reads_codes_of<Program, Y> && call.x.format == call.y.format && call.x.strides[1] == 1;
}

/// The rows from `first` on, that many together.
template <class Program, class Y, size_t rows, class Float = typename Program::Float>
void run_together(const nc_call& call, int64_t first, const RowParameters<Float>& parameters,
                  Workspace<Float, typename Y::Code>& workspace) {
    const auto index = [first](size_t k) { return first + static_cast<int64_t>(k); };
    if constexpr (reads_codes_of<Program, Y>) {
        if (reads_codes<Program, Y>(call)) {
            Each<CodedRow<Y, Float>, rows> row;
            for (size_t k = 0; k < rows; ++k) row[k] = {element<Y>(call.x, index(k), 0)};
            return finish_rows<Program, Y>(call, first, row, parameters, workspace.out.get());
        }
    }
    Each<const Float*, rows> row;
    for (size_t k = 0; k < rows; ++k) row[k] = read_row<Program>(call, index(k), workspace.values[k].get());
    finish_rows<Program, Y>(call, first, row, parameters, workspace.out.get());
}

template <class Program, class Y, class Float = typename Program::Float>
void run_rows(const nc_call& call, const RowParameters<Float>& parameters) {
    const bool direct = Program::residual == ResidualSum::none && direct_elements<Float>(call.x, 0, 0) != nullptr;
    auto workspaces = make_workspaces<Program, Y>(call, !direct && !reads_codes<Program, Y>(call));
    const int64_t count = call.x.shape[0];
    for_each_row(call, rows_together, [&](int64_t first, int thread) {
        auto& workspace = workspaces[static_cast<size_t>(thread)];
        if (first + int64_t{rows_together} <= count)
            return run_together<Program, Y, rows_together>(call, first, parameters, workspace);
        for (int64_t row = first; row < count; ++row) run_together<Program, Y, 1>(call, row, parameters, workspace);
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
template <class Float, class Statistics, class Apply, ResidualSum residual = ResidualSum::none>
const char* run_program(const nc_call& call) {
    using Program = RowProgram<Float, Statistics, Apply, residual>;
    const Signature signature{Apply::layer, residual != ResidualSum::none, machine_format<Float>};
    return run_checked(call, signature, [&] {
        const int64_t cols = call.x.shape[1];
        const auto gamma = read_parameter(call.gamma, cols, Float{Apply::absent_gamma});
        const auto beta = Apply::layer ? read_beta<Float>(call.beta, cols) : Parameter<Float>{};
        with_storage(call.y.format, [&](auto y) { run_rows<Program, decltype(y)>(call, {gamma.values, beta.values}); });
    });
}

}  // namespace normcheck
