// Rows of tensors in and out of the accumulator's format. Dense columns take a vector loop, strided columns a gathering
// one; both do the same arithmetic, so the bits do not depend on the layout.
#pragma once

#include <type_traits>

#include "harness/kernels/storage.hpp"

namespace normcheck {

template <class Storage>
typename Storage::Code* element(const nc_tensor& tensor, int64_t row, int64_t column) {
    return static_cast<typename Storage::Code*>(tensor.data) + row * tensor.strides[0] + column * tensor.strides[1];
}

template <class Float>
constexpr nc_format machine_format = std::is_same_v<Float, double> ? NC_F64 : NC_F32;

/// The row's elements themselves, from `column` on, where they are dense and stored in the machine format Float; else
/// null.
template <class Float>
Float* direct_elements(const nc_tensor& tensor, int64_t row, int64_t column) {
    const bool direct = tensor.format == machine_format<Float> && tensor.strides[1] == 1;
    return direct ? element<StoredMachine<Float>>(tensor, row, column) : nullptr;
}

/// Calls step(i, a Register<Float>) where a register full of elements begins, then step(i, a Float) for each that is
/// left.
template <class Float, class Step>
void for_each_register(int64_t count, const Step& step) {
    int64_t i = 0;
    for (; i + register_width<Float> <= count; i += register_width<Float>) step(i, Register<Float>{});
    for (; i < count; ++i) step(i, Float{});
}

template <class Storage, class Float>
void decode_elements(const typename Storage::Code* from, int64_t stride, int64_t count, Float* to) {
    if (stride != 1) {
        for (int64_t i = 0; i < count; ++i) to[i] = Storage::template decode<Float>(from[i * stride]);
        return;
    }
    for_each_register<Float>(count, [&](int64_t i, auto sample) {
        using CodeRegister = Like<decltype(sample), typename Storage::Code>;
        store_as(Storage::template decode<Float>(load_as<CodeRegister>(from + i)), to + i);
    });
}

template <class Storage, class Float>
void encode_elements(const Float* from, int64_t count, int64_t stride, typename Storage::Code* to) {
    if (stride != 1) {
        for (int64_t i = 0; i < count; ++i) to[i * stride] = Storage::encode(from[i]);
        return;
    }
    for_each_register<Float>(
        count, [&](int64_t i, auto sample) { store_as(Storage::encode(load_as<decltype(sample)>(from + i)), to + i); });
}

/// `count` elements of a row, from `column` on.
template <class Float>
void load(const nc_tensor& tensor, int64_t row, int64_t column, int64_t count, Float* to) {
    with_storage(tensor.format, [&](auto storage) {
        using Storage = decltype(storage);
        decode_elements<Storage>(element<Storage>(tensor, row, column), tensor.strides[1], count, to);
    });
}

/// Writes `count` elements of a row, from `column` on, each rounded once to the tensor's format.
template <class Float>
void store(const nc_tensor& tensor, int64_t row, int64_t column, int64_t count, const Float* from) {
    with_storage(tensor.format, [&](auto storage) {
        using Storage = decltype(storage);
        encode_elements<Storage>(from, count, tensor.strides[1], element<Storage>(tensor, row, column));
    });
}

/// Writes one saved statistic (shape {rows, 1}) where the call asks for it.
template <class Float>
void save_statistic(const nc_tensor& tensor, int64_t row, Float value) {
    if (tensor.data != nullptr) store(tensor, row, 0, 1, &value);
}

}  // namespace normcheck
