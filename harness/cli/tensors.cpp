// Contracts for recorded tensors, and tensors of cases; see tensors.hpp.
#include "harness/cli/tensors.hpp"

#include <fmt/format.h>

#include "harness/cases/words.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::optional<FormatId> named_format(std::string_view words, std::string_view key) {
    for (const Word& word : words_of(words))
        if (word.key == key) return find_format(word.value);
    return std::nullopt;
}

/// The word to add for a field; empty where there is nothing to say.
std::string format_word(std::string_view words, const char* key, std::optional<FormatId> found, const char* tensor,
                        const std::string& file) {
    if (!found) return "";
    const std::optional<FormatId> named = named_format(words, key);
    if (!named) return fmt::format(" {}={}", key, format(*found).name);
    if (named == found) return "";
    throw InputError(fmt::format("{}: {} holds {}, but the contract says {}={}", file, tensor, format(*found).name, key,
                                 format(*named).name));
}

struct Claim {
    bool broken;
    const char* why;
};

void require_known_tensors(const Contract& contract, const Tensors& tensors) {
    const bool layer = contract.norm == Norm::layer;
    const Claim claims[] = {
        {!tensors.inputs.gamma.empty() && contract.gamma == Gamma::none,
         "gamma is there, but the contract says gamma=none"},
        {!tensors.inputs.beta.empty() && contract.beta == Beta::none,
         "beta is there, but the contract says beta=none; expected beta=add"},
        {!tensors.inputs.residual.empty() && contract.residual == Residual::none,
         "residual is there, but the contract says residual=none; expected residual=wide or residual=rounded"},
        {tensors.inputs.residual.empty() && contract.residual != Residual::none,
         "residual is missing, and the contract adds one"},
        {!tensors.outputs.mean.empty() && !layer, "mean is there, but the contract's norm is rms, which has none"}};
    for (const Claim& claim : claims)
        if (claim.broken) throw InputError(fmt::format("{}: {}", tensors.name, claim.why));
}

void put(SafeTensors& content, const char* name, FormatId id, std::vector<int64_t> shape,
         const std::vector<uint64_t>& values) {
    if (!values.empty() || element_count(shape) == 0) content.tensors[name] = from_codes(id, std::move(shape), values);
}

}  // namespace

std::string with_formats(std::string_view words, const Tensors& tensors) {
    canonical_overrides(words);
    return std::string(words) + format_word(words, "x", tensors.x, "x", tensors.name) +
           format_word(words, "params", tensors.params, "gamma or beta", tensors.name) +
           format_word(words, "y", tensors.y, "y", tensors.name) +
           format_word(words, "stats", tensors.stats, "mean or rstd", tensors.name);
}

Contract tensors_contract(std::string_view words, const Tensors& tensors) {
    if (tensors.y != tensors.x && !named_format(words, "y"))
        throw InputError(
            fmt::format("{}: y holds {} and x {}, but the contract names no format of y; expected y={} in it "
                        "where the kernel writes that, or a y in {}",
                        tensors.name, format(tensors.y).name, format(tensors.x).name, format(tensors.y).name,
                        format(tensors.x).name));
    const Contract contract = parse_contract(with_formats(words, tensors));
    require_known_tensors(contract, tensors);
    return contract;
}

CaseResult unjudged(const Tensors& tensors) {
    CaseResult result;
    result.inputs = tensors.inputs;
    result.outputs = tensors.outputs;
    return result;
}

SafeTensors to_safetensors(const Case& c, const Contract& contract, const Inputs& inputs, const Outputs& outputs) {
    SafeTensors content;
    content.metadata = {{"case", print(c)}, {"contract", print(contract)}};
    const std::vector<int64_t> matrix{c.rows, c.cols};
    put(content, "x", contract.x, matrix, inputs.x);
    if (contract.residual != Residual::none) put(content, "residual", contract.x, matrix, inputs.residual);
    if (!inputs.gamma.empty()) put(content, "gamma", contract.params, {c.cols}, inputs.gamma);
    if (!inputs.beta.empty()) put(content, "beta", contract.params, {c.cols}, inputs.beta);
    if (!outputs.y.empty()) put(content, "y", contract.y, matrix, outputs.y);
    if (!outputs.residual_out.empty()) put(content, "residual_out", contract.x, matrix, outputs.residual_out);
    if (!outputs.mean.empty()) put(content, "mean", contract.stats, {c.rows}, outputs.mean);
    if (!outputs.rstd.empty()) put(content, "rstd", contract.stats, {c.rows}, outputs.rstd);
    return content;
}

}  // namespace normcheck
