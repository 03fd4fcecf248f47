// Calls the kernel a few times with the same gamma and beta and infers from the rows of all calls together.
#include "harness/cli/obeyed.hpp"

#include "harness/check/abi_format.hpp"
#include "harness/check/check.hpp"
#include "harness/cli/infer.hpp"
#include "harness/cli/selection.hpp"

namespace normcheck {
namespace {

struct Rows {
    const char* fill;
    int64_t rows, position;
};
constexpr Rows parts[] = {{"eps_grid", 9, 36}, {"small", 3, 0}, {"gaussian", 3, 0}, {"offset", 1, 0}, {"spike", 1, 0}};
constexpr int64_t cols = 24;

void append(std::vector<uint64_t>& into, const std::vector<uint64_t>& from) {
    into.insert(into.end(), from.begin(), from.end());
}

Tensors described(const Contract& contract, const CaseResult& first) {
    Tensors tensors;
    tensors.name = "calls";
    tensors.cols = cols;
    tensors.x = contract.x;
    tensors.y = contract.y;
    if (!first.inputs.gamma.empty() || !first.inputs.beta.empty()) tensors.params = contract.params;
    tensors.inputs.gamma = first.inputs.gamma;
    tensors.inputs.beta = first.inputs.beta;
    return tensors;
}

/// Adds the rows of a call; saved statistics are left out, so that y alone speaks.
void add_rows(Tensors& tensors, const CaseResult& call, int64_t rows) {
    tensors.rows += rows;
    append(tensors.inputs.x, call.inputs.x);
    append(tensors.inputs.residual, call.inputs.residual);
    append(tensors.outputs.y, call.outputs.y);
}

}  // namespace

std::string obeyed_contract(const nc_kernel& kernel) {
    const Contract own = parse_contract(kernel.contract);
    const std::string x = std::string("x=") + format(formats_of(kernel).front()).name;
    const Contract contract = with_overrides(own, x);
    std::optional<Tensors> tensors;
    for (const Rows& part : parts) {
        Case c;
        c.kernel = kernel.name;
        c.overrides = difference(contract, own);
        c.rows = part.rows;
        c.cols = cols;
        c.x = {part.fill, {}};
        c.position = part.position;
        const CaseResult call = check_case(kernel, c);
        if (call.outputs.y.empty()) continue;
        if (!tensors) tensors = described(contract, call);
        add_rows(*tensors, call, part.rows);
    }
    if (!tensors) return "";
    const std::string eps = print_number(contract.eps.value, contract.eps.format);
    const std::vector<Candidate> candidates = infer(*tensors, {.words = "", .eps = {eps}});
    const auto is_best = [](const Candidate& one) { return one.standing == Standing::obeyed && one.group == 0; };
    for (const Candidate& candidate : candidates)
        if (is_best(candidate) && candidate.contract == contract) return candidate.text;
    return !candidates.empty() && is_best(candidates.front()) ? candidates.front().text : "";
}

}  // namespace normcheck
