// From tensors of any shape to rows and columns; see decode_tensors.hpp.
#include "harness/cli/decode_tensors.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

const Found* find(const FoundTensors& found, const char* name) {
    const auto place = found.find(name);
    return place == found.end() ? nullptr : &place->second;
}

const Found& required(const FoundTensors& found, const char* name) {
    if (const Found* tensor = find(found, name)) return *tensor;
    throw InputError(fmt::format("{} is missing; expected --{} FILE.npy, or a tensor {} in the file of --tensors", name,
                                 name, name));
}

/// The dimensions of x before and from the axis on.
struct Split {
    std::vector<int64_t> rows;
    std::vector<int64_t> cols;
};

Split split_shape(const Found& x, int64_t axis) {
    const std::vector<int64_t>& shape = x.tensor.shape;
    const int64_t dimensions = std::ssize(shape);
    if (axis < -dimensions || axis >= dimensions) {
        throw InputError(fmt::format("--axis {}: {} has shape {}; expected an axis from {} to {}", axis, x.where,
                                     print_shape(shape), -dimensions, dimensions - 1));
    }
    const auto begin = shape.begin() + (axis < 0 ? axis + dimensions : axis);
    return {{shape.begin(), begin}, {begin, shape.end()}};
}

void require_same(const Found& tensor, const Found& x) {
    if (tensor.tensor.shape == x.tensor.shape) return;
    throw InputError(fmt::format("{} has shape {}; expected that of x, {}", tensor.where,
                                 print_shape(tensor.tensor.shape), print_shape(x.tensor.shape)));
}

void require_same_format(const Found& tensor, FormatId expected, const char* of) {
    if (tensor.tensor.format == expected) return;
    throw InputError(fmt::format("{} holds {}; expected the format of {}, {}", tensor.where,
                                 format(tensor.tensor.format).name, of, format(expected).name));
}

/// A tensor with x's shape and format; nothing where it is absent.
std::vector<uint64_t> like_x(const FoundTensors& found, const char* name, const Found& x) {
    const Found* tensor = find(found, name);
    if (tensor == nullptr) return {};
    require_same(*tensor, x);
    require_same_format(*tensor, x.tensor.format, "x");
    return codes(tensor->tensor);
}

/// Steps of a tensor's elements along each of `dimensions`, aligned at the end; 0 where it is repeated.
std::vector<int64_t> broadcast_steps(const Found& tensor, std::span<const int64_t> dimensions) {
    const std::vector<int64_t>& shape = tensor.tensor.shape;
    std::vector<int64_t> steps(dimensions.size(), 0);
    int64_t step = 1;
    for (size_t back = 1; back <= shape.size(); ++back) {
        const int64_t extent = shape[shape.size() - back];
        const int64_t wanted = back <= dimensions.size() ? dimensions[dimensions.size() - back] : 1;
        if (extent != 1 && extent != wanted) {
            throw InputError(fmt::format("{} has shape {}; expected one that broadcasts to the normalised shape {}",
                                         tensor.where, print_shape(shape), print_shape(dimensions)));
        }
        if (extent != 1) steps[dimensions.size() - back] = step;
        step *= extent;
    }
    return steps;
}

std::vector<uint64_t> broadcast(const Found& tensor, std::span<const int64_t> dimensions, int64_t count) {
    const std::vector<int64_t> steps = broadcast_steps(tensor, dimensions);
    const std::vector<uint64_t> source = codes(tensor.tensor);
    std::vector<uint64_t> result(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
        int64_t rest = i, place = 0;
        for (size_t k = dimensions.size(); k-- > 0; rest /= dimensions[k]) place += rest % dimensions[k] * steps[k];
        result[static_cast<size_t>(i)] = source[static_cast<size_t>(place)];
    }
    return result;
}

/// gamma or beta; the first of the two sets the format of both.
std::vector<uint64_t> parameter(const FoundTensors& found, const char* name, const Split& split, Tensors& tensors) {
    const Found* tensor = find(found, name);
    if (tensor == nullptr) return {};
    require_same_format(*tensor, tensors.params.value_or(tensor->tensor.format), "gamma");
    tensors.params = tensor->tensor.format;
    return broadcast(*tensor, split.cols, tensors.cols);
}

std::vector<uint64_t> statistic(const FoundTensors& found, const char* name, Tensors& tensors) {
    const Found* tensor = find(found, name);
    if (tensor == nullptr) return {};
    require_same_format(*tensor, tensors.stats.value_or(tensor->tensor.format), "mean");
    tensors.stats = tensor->tensor.format;
    if (element_count(tensor->tensor.shape) == tensors.rows) return codes(tensor->tensor);
    throw InputError(fmt::format("{} has shape {}; expected one element for each of the {} rows", tensor->where,
                                 print_shape(tensor->tensor.shape), tensors.rows));
}

void decode_inputs(const FoundTensors& found, const Found& x, const Split& split, Tensors& tensors) {
    tensors.inputs.x = codes(x.tensor);
    tensors.inputs.residual = like_x(found, "residual", x);
    tensors.inputs.gamma = parameter(found, "gamma", split, tensors);
    tensors.inputs.beta = parameter(found, "beta", split, tensors);
}

void decode_outputs(const FoundTensors& found, const Found& x, Tensors& tensors) {
    const Found& y = required(found, "y");
    require_same(y, x);
    tensors.y = y.tensor.format;
    tensors.outputs.y = codes(y.tensor);
    tensors.outputs.residual_out = like_x(found, "residual_out", x);
    if (!tensors.outputs.residual_out.empty() && tensors.inputs.residual.empty())
        throw InputError("residual_out is there, but residual is missing; expected both or none");
    tensors.outputs.mean = statistic(found, "mean", tensors);
    tensors.outputs.rstd = statistic(found, "rstd", tensors);
}

}  // namespace

Tensors decoded(const FoundTensors& found, int64_t axis) {
    const Found& x = required(found, "x");
    required(found, "y");
    const Split split = split_shape(x, axis);
    Tensors tensors;
    tensors.x = x.tensor.format;
    tensors.rows = element_count(split.rows);
    tensors.cols = element_count(split.cols);
    if (tensors.rows == 0 || tensors.cols == 0) {
        throw InputError(
            fmt::format("nothing to judge: {} has shape {}, which is {} rows of {}; expected at least one of one",
                        x.where, print_shape(x.tensor.shape), tensors.rows, tensors.cols));
    }
    decode_inputs(found, x, split, tensors);
    decode_outputs(found, x, tensors);
    return tensors;
}

}  // namespace normcheck
