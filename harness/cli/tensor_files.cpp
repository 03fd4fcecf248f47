// Reading of recorded calls; see tensor_files.hpp.
#include "harness/cli/tensor_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <span>

#include "harness/cases/words.hpp"
#include "harness/io/bytes.hpp"
#include "harness/io/npy.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

struct Found {
    Tensor tensor;
    std::string where;  // "gamma (FILE)", for messages
};
using FoundTensors = std::map<std::string, Found>;

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

std::string canonical_name(const std::string& name) {
    if (name == "weight") return "gamma";
    if (name == "bias") return "beta";
    return name;
}

void require_tensor_name(const std::string& name, const std::string& path) {
    for (const char* known : tensor_names)
        if (canonical_name(name) == known) return;
    throw InputError(fmt::format(
        "{}: tensor {} is not one of x, gamma (or weight), beta (or bias), residual, y, mean, rstd, residual_out", path,
        in_quotes(name)));
}

FoundTensors found_in(SafeTensors content, const std::string& path) {
    FoundTensors found;
    for (auto& [name, tensor] : content.tensors) {
        require_tensor_name(name, path);
        const std::string canonical = canonical_name(name);
        const bool first =
            found.emplace(canonical, Found{std::move(tensor), fmt::format("{} ({})", name, path)}).second;
        if (!first) throw InputError(fmt::format("{}: {} is there under both of its names", path, canonical));
    }
    return found;
}

std::optional<FormatId> word_format(std::string_view words, std::string_view key) {
    for (const Word& word : words_of(words))
        if (word.key == key) return find_format(word.value);
    return std::nullopt;
}

/// The format that the contract's words give a tensor; formats that are not named follow x, those of statistics do not.
std::optional<FormatId> format_by_words(std::string_view words, std::string_view tensor) {
    if (tensor == "mean" || tensor == "rstd") return word_format(words, "stats");
    const bool parameter = tensor == "gamma" || tensor == "beta";
    const std::string_view key = parameter ? "params" : tensor == "y" ? "y" : "x";
    const std::optional<FormatId> own = word_format(words, key);
    return own ? own : word_format(words, "x");
}

FoundTensors read_npy_files(const TensorPaths& paths, std::string_view words) {
    FoundTensors found;
    for (size_t i = 0; i < tensor_names.size(); ++i) {
        if (paths.npy[i].empty()) continue;
        std::optional<FormatId> view_as = format_by_words(words, tensor_names[i]);
        if (view_as && format(*view_as).bits() != 16) view_as.reset();
        found[tensor_names[i]] = {read_npy(paths.npy[i], view_as),
                                  fmt::format("{} ({})", tensor_names[i], paths.npy[i])};
    }
    return found;
}

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

}  // namespace

Tensors read_tensors(const TensorPaths& paths, std::string_view contract_words) {
    if (paths.safetensors.empty()) {
        Tensors tensors = decoded(read_npy_files(paths, contract_words), paths.axis);
        tensors.name = file_name(paths.npy[0]);
        return tensors;
    }
    SafeTensors content = read_safetensors(paths.safetensors);
    std::map<std::string, std::string> metadata = std::move(content.metadata);
    Tensors tensors = decoded(found_in(std::move(content), paths.safetensors), paths.axis);
    tensors.metadata = std::move(metadata);
    tensors.name = file_name(paths.safetensors);
    return tensors;
}

}  // namespace normcheck
