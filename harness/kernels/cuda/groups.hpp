// A row in groups of eight consecutive elements, which is what a thread takes at a time. Where the row's memory allows,
// a group comes in vectors of 16 bytes (two of f32, one of 16-bit formats); elsewhere, and for the tail, element by
// element. Which elements a thread gets does not depend on that, so neither do the bits of a result. All indices are of
// 64 bits.
#pragma once

#include "harness/kernels/cuda/device.hpp"

namespace normcheck::NORMCHECK_SIDE {

constexpr int group_size = 8;

/// A tensor, and whether each of its rows begins at a multiple of 16 bytes and is dense.
struct View {
    nc_tensor tensor;
    bool vectors;
};

/// What a kernel gets.
struct Call {
    View x, residual, gamma, beta, y, residual_out;
    nc_tensor mean, rstd;
    int64_t rows, cols;
    int64_t groups;  // of a row, the last of which may be a tail
    float eps;
    bool keeps_row;  // in dynamic shared memory
};

/// One group of a row: where it begins, and how many elements it has.
struct Group {
    int64_t row, column;
    int count;
};

NORMCHECK_DEVICE Group group_of(const Call& call, int64_t row, int64_t index) {
    const int64_t column = index * group_size;
    const int64_t rest = call.cols - column;
    return {row, column, rest < group_size ? static_cast<int>(rest) : group_size};
}

template <nc_format format>
NORMCHECK_DEVICE typename Stored<format>::Code* address(const nc_tensor& tensor, int64_t row, int64_t column) {
    return static_cast<typename Stored<format>::Code*>(tensor.data) + row * tensor.strides[0] +
           column * tensor.strides[1];
}

/// The codes of a group, as memory has them.
template <class Code>
union Codes {
    Vector16 vectors[group_size * sizeof(Code) / sizeof(Vector16)];
    Code codes[group_size];
};

template <nc_format format>
NORMCHECK_DEVICE void load_group(const View& view, const Group& group, float (&values)[group_size]) {
    using Code = typename Stored<format>::Code;
    const Code* from = address<format>(view.tensor, group.row, group.column);
    if (view.vectors && group.count == group_size) {
        Codes<Code> loaded;
        for (size_t i = 0; i < sizeof loaded / sizeof(Vector16); ++i)
            loaded.vectors[i] = load_vector(reinterpret_cast<const char*>(from) + i * sizeof(Vector16));
        for (int i = 0; i < group_size; ++i) values[i] = Stored<format>::decode(loaded.codes[i]);
        return;
    }
    const int64_t stride = view.tensor.strides[1];
    for (int i = 0; i < group_size; ++i) values[i] = i < group.count ? Stored<format>::decode(from[i * stride]) : 0.0f;
}

template <nc_format format>
NORMCHECK_DEVICE void store_group(const View& view, const Group& group, const float (&values)[group_size]) {
    using Code = typename Stored<format>::Code;
    Code* to = address<format>(view.tensor, group.row, group.column);
    if (view.vectors && group.count == group_size) {
        Codes<Code> stored;
        for (int i = 0; i < group_size; ++i) stored.codes[i] = Stored<format>::encode(values[i]);
        for (size_t i = 0; i < sizeof stored / sizeof(Vector16); ++i)
            store_vector(reinterpret_cast<char*>(to) + i * sizeof(Vector16), stored.vectors[i]);
        return;
    }
    const int64_t stride = view.tensor.strides[1];
    for (int i = 0; i < group_size; ++i)
        if (i < group.count) to[i * stride] = Stored<format>::encode(values[i]);
}

/// The same for a tensor whose format is known only at run time.
NORMCHECK_DEVICE void load_any(const View& view, const Group& group, float (&values)[group_size]) {
    if (view.tensor.format == NC_F32) return load_group<NC_F32>(view, group, values);
    if (view.tensor.format == NC_F16) return load_group<NC_F16>(view, group, values);
    load_group<NC_BF16>(view, group, values);
}
NORMCHECK_DEVICE void store_any(const View& view, const Group& group, const float (&values)[group_size]) {
    if (view.tensor.format == NC_F64) return store_group<NC_F64>(view, group, values);
    if (view.tensor.format == NC_F32) return store_group<NC_F32>(view, group, values);
    if (view.tensor.format == NC_F16) return store_group<NC_F16>(view, group, values);
    store_group<NC_BF16>(view, group, values);
}

/// gamma or beta of a group, or the value that stands for an absent one.
NORMCHECK_DEVICE void load_parameter(const View& view, const Group& group, float absent, float (&values)[group_size]) {
    if (view.tensor.data != nullptr) return load_any(view, {0, group.column, group.count}, values);
    for (int i = 0; i < group_size; ++i) values[i] = absent;
}

/// Writes one saved statistic (shape {rows, 1}) where the call asks for it.
NORMCHECK_DEVICE void save_statistic(const nc_tensor& tensor, int64_t row, float value) {
    if (tensor.data == nullptr) return;
    float values[group_size] = {value};
    store_any({tensor, false}, {row, 0, 1}, values);
}

/// A value rounded to a storage format.
NORMCHECK_DEVICE float rounded(nc_format format, float value) {
    if (format == NC_F16) return Stored<NC_F16>::decode(Stored<NC_F16>::encode(value));
    if (format == NC_BF16) return Stored<NC_BF16>::decode(Stored<NC_BF16>::encode(value));
    return value;
}

}  // namespace normcheck::NORMCHECK_SIDE
