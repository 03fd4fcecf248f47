// The comparison of two kernels, case by case.
#include "harness/check/same_bits.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "harness/check/check.hpp"
#include "harness/check/float_environment.hpp"

namespace normcheck {
namespace {

void compare(FormatId id, const std::vector<uint64_t>& a, const std::vector<uint64_t>& b, BitComparison& into) {
    into.outputs += std::ssize(a);
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const bool both_nan = is_nan(format(id), a[i]) && is_nan(format(id), b[i]);
        into.differing += a[i] != b[i] && !both_nan;
    }
    into.differing += a.size() != b.size();
}

BitComparison compare_case(const nc_kernel& a, const nc_kernel& b, const Case& c) {
    const DefaultFloatEnvironment environment;
    const Contract contract = case_contract(&a, c);
    const Inputs inputs = make_inputs(c, contract);
    const CallResult of_a = call_kernel(a, c, contract, inputs);
    const CallResult of_b = call_kernel(b, c, contract, inputs);
    BitComparison result;
    result.differing = of_a.refusal != of_b.refusal || of_a.returned != of_b.returned;
    compare(contract.y, of_a.outputs.y, of_b.outputs.y, result);
    compare(contract.x, of_a.outputs.residual_out, of_b.outputs.residual_out, result);
    compare(contract.stats, of_a.outputs.mean, of_b.outputs.mean, result);
    compare(contract.stats, of_a.outputs.rstd, of_b.outputs.rstd, result);
    return result;
}

}  // namespace

BitComparison compare_bits(const nc_kernel& a, const nc_kernel& b, const Job& job, int threads) {
    std::vector<BitComparison> results(job.cases.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (size_t i = 0; i < results.size(); ++i) results[i] = compare_case(a, b, job.cases[i]);
    BitComparison all;
    for (size_t i = 0; i < results.size(); ++i) {
        all.outputs += results[i].outputs;
        all.differing += results[i].differing;
        if (results[i].differing > 0 && all.first.empty()) all.first = print(job.cases[i]);
    }
    return all;
}

}  // namespace normcheck
