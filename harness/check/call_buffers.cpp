// Which tensors a call has, and which of the rules holds for which of them.
#include "harness/check/call_buffers.hpp"

#include <optional>
#include <utility>

#include "harness/check/check.hpp"

namespace normcheck {
namespace {

bool exists(const GuardedTensor& tensor) {
    return !tensor.memory.empty();
}

bool has_elements(const CallBuffers& buffers) {
    return buffers.x.layout.rows > 0 && buffers.x.layout.cols > 0;
}

void set_input(GuardedTensor& tensor, const char* name, const TensorLayout& layout,
               const std::vector<uint64_t>& codes) {
    tensor = guarded_tensor(name, layout);
    write_codes(tensor, codes);
}

void set_parameter(GuardedTensor& tensor, const char* name, FormatId format, const std::vector<uint64_t>& codes) {
    if (!codes.empty()) set_input(tensor, name, {.format = format, .rows = 1, .cols = std::ssize(codes)}, codes);
}

void set_inputs(CallBuffers& buffers, const Case& c, const Contract& contract, const Inputs& inputs) {
    TensorLayout layout{contract.x, c.rows, c.cols, c.pitch, c.stride, c.offset};
    set_input(buffers.x, "x", layout, inputs.x);
    layout.offset = 0;
    if (contract.residual != Residual::none) set_input(buffers.residual, "residual", layout, inputs.residual);
    set_parameter(buffers.gamma, "gamma", contract.params, inputs.gamma);
    set_parameter(buffers.beta, "beta", contract.params, inputs.beta);
}

void set_outputs(CallBuffers& buffers, const Case& c, const Contract& contract, uint32_t supports) {
    TensorLayout layout{contract.y, c.rows, c.cols, c.pitch, c.stride, c.offset};
    if (c.alias != Alias::y_is_x) buffers.y = guarded_tensor("y", layout);
    layout.format = contract.x;
    layout.offset = 0;
    const bool returns_sum = contract.residual != Residual::none && (supports & NC_NO_RESIDUAL_OUT) == 0;
    if (returns_sum && c.alias != Alias::residual_out_is_residual)
        buffers.residual_out = guarded_tensor("residual_out", layout);
    if ((supports & NC_NO_STATISTICS) != 0) return;
    const TensorLayout statistic{.format = contract.stats, .rows = c.rows, .cols = 1};
    if (contract.norm == Norm::layer) buffers.mean = guarded_tensor("mean", statistic);
    buffers.rstd = guarded_tensor("rstd", statistic);
}

nc_tensor view_or_none(GuardedTensor& tensor) {
    return exists(tensor) ? view(tensor) : nc_tensor{};
}

std::vector<uint64_t> read_or_none(const GuardedTensor& tensor) {
    return exists(tensor) ? read_codes(tensor) : std::vector<uint64_t>{};
}

void append(std::vector<std::string>& texts, std::optional<std::string> text) {
    if (text) texts.push_back(*std::move(text));
}

/// An input that is an output as well may change.
void append_changed(std::vector<std::string>& texts, const GuardedTensor& tensor, const std::vector<uint64_t>& codes,
                    bool is_output) {
    if (exists(tensor) && !is_output) append(texts, changed_element(tensor, codes));
}

}  // namespace

CallBuffers make_call_buffers(const Case& c, const Contract& contract, const Inputs& inputs, uint32_t supports) {
    CallBuffers buffers;
    buffers.alias = c.alias;
    set_inputs(buffers, c, contract, inputs);
    set_outputs(buffers, c, contract, supports);
    return buffers;
}

nc_call make_call(CallBuffers& buffers, const Contract& contract, int threads) {
    nc_call call{};
    call.x = view(buffers.x);
    call.residual = view_or_none(buffers.residual);
    call.gamma = view_or_none(buffers.gamma);
    call.beta = view_or_none(buffers.beta);
    call.y = view(buffers.y_tensor());
    call.residual_out = view_or_none(buffers.residual_out_tensor());
    call.mean = view_or_none(buffers.mean);
    call.rstd = view_or_none(buffers.rstd);
    call.eps = contract.eps.value;
    call.threads = threads;
    return call;
}

std::vector<host::Block> memory_blocks(CallBuffers& buffers) {
    std::vector<host::Block> blocks;
    for (GuardedTensor* tensor : {&buffers.x, &buffers.residual, &buffers.gamma, &buffers.beta, &buffers.y,
                                  &buffers.residual_out, &buffers.mean, &buffers.rstd})
        if (exists(*tensor))
            blocks.push_back({tensor->memory.data()->bytes, tensor->memory.size() * sizeof(CacheLine)});
    return blocks;
}

std::vector<std::string> touched_memory(CallBuffers& buffers, const Inputs& inputs) {
    std::vector<std::string> broken;
    for (const GuardedTensor* tensor : {&buffers.x, &buffers.residual, &buffers.gamma, &buffers.beta, &buffers.y,
                                        &buffers.residual_out, &buffers.mean, &buffers.rstd})
        if (exists(*tensor)) append(broken, broken_guard(*tensor));
    append_changed(broken, buffers.x, inputs.x, buffers.alias == Alias::y_is_x);
    append_changed(broken, buffers.residual, inputs.residual, buffers.alias == Alias::residual_out_is_residual);
    append_changed(broken, buffers.gamma, inputs.gamma, false);
    append_changed(broken, buffers.beta, inputs.beta, false);
    return broken;
}

std::vector<std::string> wrongly_written(CallBuffers& buffers) {
    std::vector<std::string> broken;
    const auto check = has_elements(buffers) ? unwritten_element : written_element;
    for (const GuardedTensor* tensor : {&buffers.y, &buffers.residual_out, &buffers.mean, &buffers.rstd})
        if (exists(*tensor)) append(broken, check(*tensor));
    return broken;
}

Outputs read_outputs(CallBuffers& buffers) {
    if (!has_elements(buffers)) return {};
    return {read_codes(buffers.y_tensor()), read_or_none(buffers.residual_out_tensor()), read_or_none(buffers.mean),
            read_or_none(buffers.rstd)};
}

}  // namespace normcheck
