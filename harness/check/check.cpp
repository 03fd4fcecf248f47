// The call, with everything round it that a kernel must not disturb, and the judgement row by row.
#include "harness/check/check.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "harness/check/abi_format.hpp"
#include "harness/check/call_buffers.hpp"
#include "harness/check/float_environment.hpp"
#include "harness/check/run_kernel.hpp"

namespace normcheck {
namespace {

std::optional<std::string> refuse_format(const nc_kernel& kernel, const Contract& contract) {
    if (takes(kernel, contract.x)) return std::nullopt;
    return fmt::format("the kernel does not take x in {}", format(contract.x).name);
}

std::optional<std::string> refuse_alias(const nc_kernel& kernel, Alias alias, const Contract& contract) {
    if (alias == Alias::y_is_x && contract.x != contract.y)
        return fmt::format("y cannot lie on x: x is {} and y is {}", format(contract.x).name, format(contract.y).name);
    if (alias == Alias::y_is_x && !contract.in_place)
        return "y cannot lie on x: the contract does not say in_place=yes";
    if (alias == Alias::residual_out_is_residual && contract.residual == Residual::none)
        return "residual_out cannot lie on the residual: the contract takes none";
    if (alias == Alias::residual_out_is_residual && (kernel.supports & NC_NO_RESIDUAL_OUT) != 0)
        return "residual_out cannot lie on the residual: the kernel returns no residual_out";
    return std::nullopt;
}

void append(std::vector<std::string>& into, std::vector<std::string> from) {
    for (std::string& text : from) into.push_back(std::move(text));
}

CallResult refused(std::string reason) {
    CallResult result;
    result.refusal = std::move(reason);
    return result;
}

const uint64_t* row_of(const std::vector<uint64_t>& codes, int64_t cols, int64_t row) {
    return codes.empty() ? nullptr : codes.data() + row * cols;
}

std::optional<uint64_t> statistic(const std::vector<uint64_t>& codes, int64_t row) {
    return codes.empty() ? std::nullopt : std::optional(codes[static_cast<size_t>(row)]);
}

std::vector<RowResult> judge_rows(const Case& c, const Contract& contract, const CaseResult& result, Oracle oracle) {
    const Judge judge = make_judge(contract, c.cols, result.inputs);
    const JudgeOptions options{.oracle = oracle, .random_fill = has_random_rows(c, contract)};
    std::vector<RowResult> rows;
    for (int64_t row = 0; row < c.rows; ++row)
        rows.push_back(
            judge.judge(row_inputs(result.inputs, c.cols, row), row_outputs(result.outputs, c.cols, row), options));
    return rows;
}

}  // namespace

Contract case_contract(const nc_kernel* kernel, const Case& c) {
    return parse_contract(kernel == nullptr ? c.overrides : laid_over(kernel->contract, c.overrides));
}

CallResult call_kernel(const nc_kernel& kernel, const Case& c, const Contract& contract, const Inputs& inputs) {
    if (auto reason = refuse_format(kernel, contract)) return refused(*std::move(reason));
    if (auto reason = refuse_alias(kernel, c.alias, contract)) return refused(*std::move(reason));
    CallBuffers buffers = make_call_buffers(c, contract, inputs, kernel.supports);
    KernelRun run = run_in_its_place(kernel, make_call(buffers, contract, c.threads), memory_blocks(buffers));
    CallResult result;
    result.returned = run.returned;
    result.refusal = std::move(run.refusal);
    result.broken_rules = std::move(run.broken_rules);
    append(result.broken_rules, touched_memory(buffers, inputs));
    if (result.refusal || !result.returned) return result;
    append(result.broken_rules, wrongly_written(buffers));
    result.outputs = read_outputs(buffers);
    return result;
}

CaseResult check_inputs(const nc_kernel& kernel, const Case& c, const Contract& contract, Inputs inputs,
                        Oracle oracle) {
    const DefaultFloatEnvironment environment;  // the oracle computes in doubles too
    CaseResult result;
    result.inputs = std::move(inputs);
    CallResult call = call_kernel(kernel, c, contract, result.inputs);
    result.refusal = std::move(call.refusal);
    result.broken_rules = std::move(call.broken_rules);
    result.outputs = std::move(call.outputs);
    if (!result.refusal && call.returned) result.rows = judge_rows(c, contract, result, oracle);
    return result;
}

CaseResult check_case(const nc_kernel& kernel, const Case& c, Oracle oracle) {
    const DefaultFloatEnvironment environment;
    const Contract contract = case_contract(&kernel, c);
    return check_inputs(kernel, c, contract, make_inputs(c, contract), oracle);
}

RowInputs row_inputs(const Inputs& inputs, int64_t cols, int64_t row) {
    return {row_of(inputs.x, cols, row), row_of(inputs.residual, cols, row)};
}

RowOutputs row_outputs(const Outputs& outputs, int64_t cols, int64_t row) {
    return {row_of(outputs.y, cols, row), row_of(outputs.residual_out, cols, row), statistic(outputs.mean, row),
            statistic(outputs.rstd, row)};
}

Judge make_judge(const Contract& contract, int64_t cols, const Inputs& inputs) {
    return Judge(contract, cols, row_of(inputs.gamma, cols, 0), row_of(inputs.beta, cols, 0));
}

}  // namespace normcheck
