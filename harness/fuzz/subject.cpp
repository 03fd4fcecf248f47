// The table of contracts of one kernel.
#include "harness/fuzz/subject.hpp"

#include <fmt/format.h>

#include <array>

#include "harness/check/abi_format.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr FormatId formats[] = {FormatId::f32, FormatId::f16, FormatId::bf16, FormatId::f64};
constexpr size_t choices_per_format = 4;

std::string format_words(FormatId x, bool wide_params, bool wide_y) {
    std::string words = fmt::format("x={}", format(x).name);
    if (wide_params) words += " params=f32";
    if (wide_y) words += " y=f32";
    return words;
}

bool has_formats_of(const Contract& a, const Contract& b) {
    return a.x == b.x && a.params == b.params && a.y == b.y;
}

}  // namespace

FuzzSubject::FuzzSubject(const nc_kernel& kernel, std::optional<FormatId> only)
    : kernel_(&kernel), is_hosted_(needs_host(kernel)) {
    for (const FormatId x : formats)
        if (takes(kernel, x) && (!only || x == *only)) add_choices(x);
    if (!choices_.empty()) return;
    const std::string wanted = only ? std::string(format(*only).name) : "a format that a fuzzer knows";
    throw InputError(fmt::format("{} does not take {}", kernel.name, wanted));
}

// Wide parameters and a wide y are another choice only where x is 16 bits wide.
void FuzzSubject::add_choices(FormatId x) {
    const bool narrow = format(x).bits() < 32;
    for (const bool wide_params : {false, true}) {
        for (const bool wide_y : {false, true}) {
            const std::string words = format_words(x, narrow && wide_params, narrow && wide_y);
            choices_.push_back({with_overrides(parse_contract(kernel_->contract), words), words});
        }
    }
}

const FuzzSubject::Choice& FuzzSubject::choice(const Draft& draft) const {
    const auto number = static_cast<size_t>(draft[DraftField::format]) % (choices_.size() / choices_per_format);
    const auto wide = static_cast<size_t>(draft[DraftField::wide_y] + 2 * draft[DraftField::wide_params]);
    return choices_[choices_per_format * number + wide];
}

bool FuzzSubject::set_formats(Draft& draft, const Contract& contract) const {
    for (size_t i = 0; i < choices_.size(); ++i) {
        if (!has_formats_of(choices_[i].contract, contract)) continue;
        draft[DraftField::format] = static_cast<int>(i / choices_per_format);
        draft[DraftField::wide_y] = static_cast<int>(i % 2);
        draft[DraftField::wide_params] = static_cast<int>(i % choices_per_format / 2);
        return true;
    }
    return false;
}

}  // namespace normcheck
