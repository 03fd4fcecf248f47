// After the call outputs are read and put back to what they were: then no byte of any tensor's memory may differ.
#include "harness/fuzz/kept_call.hpp"

#include <algorithm>
#include <cstring>

#include "harness/check/abi_format.hpp"
#include "harness/check/code_type.hpp"
#include "harness/check/run_kernel.hpp"

namespace normcheck {
namespace {

using Place = KeptCall::Place;
constexpr size_t line_bytes = sizeof(CacheLine);

uint64_t poison_of(const TensorLayout& layout) {
    return format(layout.format).inf_code() | 1;
}

void* first_element(std::vector<CacheLine>& memory, const TensorLayout& layout) {
    return memory[1].bytes + static_cast<size_t>(layout.offset) * static_cast<size_t>(format(layout.format).bytes());
}

/// Calls function with each element in turn and its number in dense order.
template <class Code, class Function>
void for_each_element(const TensorLayout& layout, Code* first, Function function) {
    size_t number = 0;
    for (int64_t row = 0; row < layout.rows; ++row) {
        Code* element = first + row * layout.row_stride();
        for (int64_t col = 0; col < layout.cols; ++col, ++number) function(element[col * layout.stride], number);
    }
}

/// Lays the tensor out, poisoned, with these codes where it is an input.
void place(Place& place, const TensorLayout& layout, const std::vector<uint64_t>* codes) {
    const auto elements = static_cast<size_t>(layout.offset + layout.rows * layout.row_stride());
    const size_t bytes = elements * static_cast<size_t>(format(layout.format).bytes());
    place.layout = layout;
    place.lines = 2 + (bytes + line_bytes - 1) / line_bytes;
    if (place.memory.size() < place.lines) {
        place.memory.resize(place.lines);
        place.before.resize(place.lines);
    }
    with_code_type(layout.format, [&](auto zero) {
        using Code = decltype(zero);
        std::fill_n(reinterpret_cast<Code*>(place.memory.data()), place.lines * line_bytes / sizeof(Code),
                    static_cast<Code>(poison_of(layout)));
        if (codes == nullptr) return;
        for_each_element(layout, static_cast<Code*>(first_element(place.memory, layout)),
                         [&](Code& element, size_t number) { element = static_cast<Code>((*codes)[number]); });
    });
    std::memcpy(place.before.data(), place.memory.data(), place.lines * line_bytes);
}

nc_tensor view_of(Place& place) {
    if (place.lines == 0) return {};
    const TensorLayout& layout = place.layout;
    return {first_element(place.memory, layout),
            {layout.rows, layout.cols},
            {layout.row_stride(), layout.stride},
            abi_format(layout.format),
            {NC_CPU, 0}};
}

/// Reads an output and puts back what was there before. False where an element holds poison: then it may not have been
/// written.
bool take(Place& place, std::vector<uint64_t>& codes) {
    codes.resize(static_cast<size_t>(place.layout.rows * place.layout.cols));
    return with_code_type(place.layout.format, [&](auto zero) {
        using Code = decltype(zero);
        const auto poison = static_cast<Code>(poison_of(place.layout));
        auto* first = static_cast<Code*>(first_element(place.memory, place.layout));
        const auto* before = static_cast<const Code*>(first_element(place.before, place.layout));
        bool has_poison = false;
        for_each_element(place.layout, first, [&](Code& element, size_t number) {
            codes[number] = element;
            has_poison |= element == poison;
            element = before[&element - first];
        });
        return !has_poison;
    });
}

void leave_out(Place& place) {
    place.lines = 0;
}

}  // namespace

// Which tensors a call has is decided as make_call_buffers does.
nc_call KeptCall::place_tensors(const PreparedCall& prepared) {
    const auto& [c, contract, inputs] = prepared;
    for (Place& each : places_) leave_out(each);
    TensorLayout rows{contract.x, c.rows, c.cols, c.pitch, c.stride, c.offset};
    place(places_[x], rows, &inputs.x);
    rows.format = contract.y;
    if (c.alias != Alias::y_is_x) place(places_[y], rows, nullptr);
    rows.format = contract.x;
    rows.offset = 0;
    const bool adds = contract.residual != Residual::none;
    if (adds) place(places_[residual], rows, &inputs.residual);
    if (adds && c.alias != Alias::residual_out_is_residual) place(places_[residual_out], rows, nullptr);
    const TensorLayout parameters{.format = contract.params, .rows = 1, .cols = c.cols};
    if (!inputs.gamma.empty()) place(places_[gamma], parameters, &inputs.gamma);
    if (!inputs.beta.empty()) place(places_[beta], parameters, &inputs.beta);
    const TensorLayout statistic{.format = contract.stats, .rows = c.rows, .cols = 1};
    if (contract.norm == Norm::layer) place(places_[mean], statistic, nullptr);
    place(places_[rstd], statistic, nullptr);
    nc_call call{};
    call.x = view_of(places_[x]);
    call.residual = view_of(places_[residual]);
    call.gamma = view_of(places_[gamma]);
    call.beta = view_of(places_[beta]);
    call.y = view_of(places_[c.alias == Alias::y_is_x ? x : y]);
    call.residual_out = view_of(places_[c.alias == Alias::residual_out_is_residual ? residual : residual_out]);
    call.mean = view_of(places_[mean]);
    call.rstd = view_of(places_[rstd]);
    call.eps = contract.eps.value;
    call.threads = c.threads;
    return call;
}

bool KeptCall::take_outputs(const PreparedCall& prepared) {
    const auto& [c, contract, inputs] = prepared;
    outputs_.residual_out.clear();
    outputs_.mean.clear();
    bool whole = take(places_[c.alias == Alias::y_is_x ? x : y], outputs_.y);
    const Name sum = c.alias == Alias::residual_out_is_residual ? residual : residual_out;
    if (places_[sum].lines > 0) whole &= take(places_[sum], outputs_.residual_out);
    if (places_[mean].lines > 0) whole &= take(places_[mean], outputs_.mean);
    return take(places_[rstd], outputs_.rstd) && whole;
}

bool KeptCall::is_untouched() const {
    return std::ranges::all_of(places_, [](const Place& each) {
        const size_t bytes = each.lines * line_bytes;
        return bytes == 0 || std::memcmp(each.memory.data(), each.before.data(), bytes) == 0;
    });
}

KeptCall::Outcome KeptCall::run(const nc_kernel& kernel, const PreparedCall& prepared) {
    const KernelRun run = run_kernel(kernel, place_tensors(prepared));
    if (!run.broken_rules.empty()) return Outcome::amiss;
    if (run.refusal) return is_untouched() ? Outcome::refused : Outcome::amiss;
    const bool whole = take_outputs(prepared);
    return whole && is_untouched() ? Outcome::written : Outcome::amiss;
}

}  // namespace normcheck
