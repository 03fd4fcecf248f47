// A case of a draft, and the way back, which ends by looking whether the draft says the same case.
#include "harness/fuzz/codec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cases/fills.hpp"
#include "harness/check/check.hpp"
#include "harness/fuzz/prepare.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::string shaped_text(const Draft& draft, DraftTensor tensor) {
    std::string text(draft_fills()[0]);
    for (const double number : shaped_parameters(draft, tensor)) text += fmt::format(":{}", number);
    return text;
}

bool is_shaped(const Draft& draft, DraftTensor tensor) {
    const bool is_row = tensor == DraftTensor::x || tensor == DraftTensor::residual;
    return is_row && fill_name(draft, tensor) == draft_fills()[0];
}

Source source_of(const Draft& draft, DraftTensor tensor, FormatId id, int64_t cols) {
    InlineBits bits = inline_bits(draft, tensor, id, cols);
    if (!bits.empty()) return {"", std::move(bits)};
    return {is_shaped(draft, tensor) ? shaped_text(draft, tensor) : std::string(fill_name(draft, tensor)), {}};
}

[[noreturn]] void refuse(const Case& c, std::string_view what) {
    throw InputError(fmt::format("'{}': {}; fuzzers have no bytes for this case", print(c), what));
}

int in_range(const Case& c, DraftField field, int64_t value) {
    const DraftFieldInfo& info = draft_fields()[static_cast<size_t>(field)];
    if (value >= info.lowest && value <= info.highest) return static_cast<int>(value);
    refuse(c, fmt::format("{} is {}, not within {} and {}", info.name, value, info.lowest, info.highest));
}

void set_bits(Draft& draft, const Case& c, DraftTensor tensor, const InlineBits& bits, FormatId id) {
    if (bits.size() > most_draft_bits) refuse(c, fmt::format("more than {} inline values", most_draft_bits));
    for (const uint64_t code : bits)
        draft.bits_of(tensor).push_back(static_cast<uint32_t>(format(id).bits() == 64 ? code >> 32 : code));
}

void set_fill(Draft& draft, const Case& c, DraftTensor tensor, std::string_view text) {
    const bool is_row = tensor == DraftTensor::x || tensor == DraftTensor::residual;
    const auto names = is_row ? draft_fills() : draft_parameter_fills();
    const auto place = std::ranges::find(names, text.substr(0, text.find(':')));
    if (place == names.end()) refuse(c, fmt::format("no fuzzer knows the fill {}", text));
    const auto field = static_cast<size_t>(fill_field(tensor));
    draft.fields[field] = static_cast<int>(place - names.begin());
    if (!is_shaped(draft, tensor)) return;
    const FillCall call = parse_fill(fills(), text, "fill");
    for (size_t i = 0; i < call.parameters.size(); ++i)
        draft.fields[field + 1 + i] =
            in_range(c, static_cast<DraftField>(field + 1 + i), static_cast<int64_t>(call.parameters[i]));
}

void set_source(Draft& draft, const Case& c, DraftTensor tensor, const Source& source, FormatId id) {
    source.bits.empty() ? set_fill(draft, c, tensor, source.fill) : set_bits(draft, c, tensor, source.bits, id);
}

void set_sources(Draft& draft, const Case& c, const Contract& contract) {
    set_source(draft, c, DraftTensor::x, c.x, contract.x);
    if (contract.gamma != Gamma::none) set_source(draft, c, DraftTensor::gamma, c.gamma, contract.params);
    if (contract.beta != Beta::none) set_source(draft, c, DraftTensor::beta, c.beta, contract.params);
    if (contract.residual != Residual::none) set_source(draft, c, DraftTensor::residual, c.residual, contract.x);
}

/// Of rows longer than 64 columns only every eighth number.
int cols_field(const Case& c) {
    return in_range(c, DraftField::cols, c.cols <= 64 ? c.cols : 64 + (c.cols - 64) / 8);
}

/// The number of the shape that the case has; 0 where it has none of those.
int shape_number(const Case& c) {
    const auto shapes = draft_shapes();
    for (size_t i = 1; i < shapes.size(); ++i) {
        const DraftShape& shape = shapes[i];
        const bool fits = shape.pitch == 0 || shape.pitch == c.pitch;
        if (fits && shape.rows == c.rows && shape.cols == c.cols && shape.threads == c.threads)
            return static_cast<int>(i);
    }
    return 0;
}

void set_layout(Draft& draft, const Case& c) {
    const auto set = [&](DraftField field, int64_t value) { draft[field] = in_range(c, field, value); };
    draft[DraftField::shape] = shape_number(c);
    const bool is_plain = draft[DraftField::shape] == 0;
    if (is_plain) set(DraftField::rows, c.rows);
    if (is_plain) draft[DraftField::cols] = cols_field(c);
    set(DraftField::seed, static_cast<int64_t>(std::min<uint64_t>(c.seed, INT64_MAX)));
    set(DraftField::position, c.position);
    if (is_plain || draft_shapes()[static_cast<size_t>(draft[DraftField::shape])].pitch == 0)
        set(DraftField::pitch, c.pitch);
    set(DraftField::stride, c.stride);
    set(DraftField::offset, c.offset);
    set(DraftField::alias, static_cast<int64_t>(c.alias));
}

void set_eps(Draft& draft, const Contract& contract) {
    const auto code = static_cast<uint32_t>(round_double(format(FormatId::f32), contract.eps.value));
    draft[DraftField::eps_is_bits] = 1;
    draft[DraftField::eps_low] = static_cast<int>(code & 0xffff);
    draft[DraftField::eps_high] = static_cast<int>(code >> 16);
}

}  // namespace

Case case_of(const Draft& draft, const FuzzSubject& subject) {
    const PreparedCall call = prepare(draft, subject);
    Case c = call.layout;
    const Contract& contract = call.contract;
    c.kernel = subject.kernel().name;
    c.overrides = canonical_overrides(
        fmt::format("eps={} {}", print_number(contract.eps.value, FormatId::f32), subject.words(draft)));
    c.x = source_of(draft, DraftTensor::x, contract.x, c.cols);
    if (contract.gamma != Gamma::none) c.gamma = source_of(draft, DraftTensor::gamma, contract.params, c.cols);
    if (contract.beta != Beta::none) c.beta = source_of(draft, DraftTensor::beta, contract.params, c.cols);
    if (contract.residual != Residual::none) c.residual = source_of(draft, DraftTensor::residual, contract.x, c.cols);
    return c;
}

Draft draft_of(const Case& c, const FuzzSubject& subject) {
    const Contract contract = case_contract(&subject.kernel(), c);
    Draft draft;
    draft[DraftField::kernel] = kernel_number(subject.kernel());
    if (!subject.set_formats(draft, contract)) refuse(c, "formats that no draft has");
    set_layout(draft, c);
    set_sources(draft, c, contract);
    set_eps(draft, contract);
    Case said = case_of(draft, subject);
    if (case_contract(&subject.kernel(), said) != contract) refuse(c, "contract words that no draft has");
    const std::string text = print(said);
    said.kernel = c.kernel;
    said.overrides = c.overrides;
    if (said != c) refuse(c, fmt::format("the nearest is '{}'", text));
    return draft;
}

Case decode_case(std::span<const uint8_t> bytes, const FuzzSubject& subject) {
    return case_of(read_draft(bytes), subject);
}

Bytes encode_case(const Case& c, const FuzzSubject& subject) {
    return write_draft(draft_of(c, subject));
}

const nc_kernel& kernel_of(const Draft& draft) {
    const auto kernels = built_in_kernels();
    return *kernels[static_cast<size_t>(draft[DraftField::kernel]) % kernels.size()];
}

int kernel_number(const nc_kernel& kernel) {
    const auto kernels = built_in_kernels();
    const auto place = std::ranges::find(kernels, &kernel);
    return place == kernels.end() ? 0 : static_cast<int>(place - kernels.begin());
}

}  // namespace normcheck
