// Reading of recorded calls; see tensor_files.hpp.
#include "harness/cli/tensor_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "harness/cases/words.hpp"
#include "harness/cli/decode_tensors.hpp"
#include "harness/io/bytes.hpp"
#include "harness/io/npy.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

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
