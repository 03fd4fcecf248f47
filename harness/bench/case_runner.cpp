// Steps of a case in kept memory; see case_runner.hpp.
#include "harness/bench/case_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/check/check.hpp"
#include "harness/check/float_environment.hpp"
#include "harness/check/run_kernel.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

Case case_of(const nc_kernel& kernel, FormatId id, int64_t cols) {
    Case c;
    c.kernel = kernel.name;
    c.overrides = fmt::format("x={}", format(id).name);
    c.cols = cols;
    return c;
}

/// Calls function with the tensor's first element, as a pointer to codes of the tensor's size.
template <class Function>
auto with_codes(GuardedTensor& tensor, Function function) {
    void* data = view(tensor).data;
    const int bytes = format(tensor.layout.format).bytes();
    if (bytes == 2) return function(static_cast<uint16_t*>(data));
    if (bytes == 4) return function(static_cast<uint32_t*>(data));
    return function(static_cast<uint64_t*>(data));
}

void store(GuardedTensor& tensor, const std::vector<uint64_t>& codes) {
    with_codes(tensor, [&](auto* to) {
        for (size_t i = 0; i < codes.size(); ++i) to[i] = static_cast<std::remove_pointer_t<decltype(to)>>(codes[i]);
    });
}

bool holds(GuardedTensor& tensor, const std::vector<uint64_t>& codes) {
    return with_codes(tensor, [&](const auto* from) {
        uint64_t differences = 0;
        for (size_t i = 0; i < codes.size(); ++i) differences |= from[i] ^ codes[i];
        return differences == 0;
    });
}

/// A signalling NaN, which arithmetic cannot bring forth.
uint64_t poison_of(const GuardedTensor& tensor) {
    return format(tensor.layout.format).inf_code() | 1;
}

void poison(GuardedTensor& tensor) {
    with_codes(tensor, [&](auto* to) {
        std::fill_n(to, tensor.layout.cols, static_cast<std::remove_pointer_t<decltype(to)>>(poison_of(tensor)));
    });
}

bool has_poison(GuardedTensor& tensor) {
    const uint64_t code = poison_of(tensor);
    return with_codes(tensor, [&](const auto* from) {
        int64_t unwritten = 0;
        for (int64_t i = 0; i < tensor.layout.cols; ++i) unwritten += from[i] == code ? 1 : 0;
        return unwritten != 0;
    });
}

Codes codes_of(GuardedTensor& tensor) {
    return with_codes(tensor, [](const auto* codes) { return Codes(codes); });
}

std::optional<uint64_t> statistic(GuardedTensor& tensor) {
    if (tensor.memory.empty()) return std::nullopt;
    return codes_of(tensor)[0];
}

constexpr size_t line_bytes = sizeof(CacheLine);

/// The guards nearest to the tensor: a line before its first element, and one from its last element on.
CacheLine line_before(GuardedTensor& tensor) {
    CacheLine line;
    std::memcpy(&line, static_cast<std::byte*>(view(tensor).data) - line_bytes, line_bytes);
    return line;
}
CacheLine line_behind(GuardedTensor& tensor) {
    CacheLine line;
    const int64_t bytes = tensor.layout.cols * format(tensor.layout.format).bytes();
    std::memcpy(&line, static_cast<std::byte*>(view(tensor).data) + bytes, line_bytes);
    return line;
}

bool is_equal(const CacheLine& a, const CacheLine& b) {
    return std::memcmp(&a, &b, line_bytes) == 0;
}

}  // namespace

CaseRunner::CaseRunner(const nc_kernel& kernel, FormatId format, int64_t cols)
    : kernel_(kernel),
      case_(case_of(kernel, format, cols)),
      contract_(case_contract(&kernel, case_)),
      random_(has_random_rows(case_, contract_)),
      drawn_(make_inputs(case_, contract_)),
      buffers_(make_call_buffers(case_, contract_, drawn_)),
      call_(make_call(buffers_, contract_, 1)),
      judge_(make_judge(contract_, cols, drawn_)) {
    for (const Input& input :
         {Input{&buffers_.x, &drawn_.x}, {&buffers_.gamma, &drawn_.gamma}, {&buffers_.beta, &drawn_.beta}})
        if (!input.tensor->memory.empty()) inputs_.push_back(input);
    for (GuardedTensor* tensor : {&buffers_.y, &buffers_.mean, &buffers_.rstd})
        if (!tensor->memory.empty()) outputs_.push_back({tensor, line_before(*tensor), line_behind(*tensor)});
}

RowResult CaseRunner::run(uint64_t seed) {
    const DefaultFloatEnvironment environment;  // the oracle computes in doubles too
    make(seed);
    call();
    prepare();
    return judge();
}

void CaseRunner::make(uint64_t seed) {
    case_.seed = seed;
    drawn_ = make_inputs(case_, contract_);
    for (const Input& input : inputs_) store(*input.tensor, *input.codes);
}

const char* CaseRunner::broken_rule() const {
    for (const Input& input : inputs_)
        if (!holds(*input.tensor, *input.codes)) return "an input was changed";
    for (const Output& output : outputs_) {
        if (has_poison(*output.tensor)) return "an output was not written";
        const bool intact = is_equal(line_before(*output.tensor), output.before) &&
                            is_equal(line_behind(*output.tensor), output.behind);
        if (!intact) return "memory beside an output was overwritten";
    }
    return nullptr;
}

void CaseRunner::call() {
    for (const Output& output : outputs_) poison(*output.tensor);
    const KernelRun run = run_kernel(kernel_, call_);
    if (run.refusal) throw InputError(fmt::format("{} refuses the calls: {}", kernel_.name, *run.refusal));
    const char* broken = run.broken_rules.empty() ? broken_rule() : run.broken_rules[0].c_str();
    if (broken != nullptr) throw InputError(fmt::format("'{}': {}", print(case_), broken));
}

void CaseRunner::prepare() {
    judge_ = make_judge(contract_, case_.cols, drawn_);
}

RowResult CaseRunner::judge() {
    const RowOutputs outputs{codes_of(buffers_.y), {}, statistic(buffers_.mean), statistic(buffers_.rstd)};
    return judge_.judge({codes_of(buffers_.x), {}}, outputs, {.random_fill = random_});
}

}  // namespace normcheck
