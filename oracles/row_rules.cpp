// Rules on whole rows that both oracles follow.
#include <cmath>

#include "oracles/judge_state.hpp"

namespace normcheck {

template <class A>
const char* outside_reason(const JudgeState& state, const SumsOf<A>& sums, const BasicRowProgram<A>& program) {
    using Up = typename A::Upper;
    if (program.scenarios.empty()) return program.outside;
    const Contract& contract = state.contract;
    if (contract.range == Range::full) return nullptr;
    const Up largest = machine<A>(contract.acc, Subnormals::keep).largest;
    const Up largest_normed = Up(1.5L) * sqrt(A::whole(state.cols));
    const Up scaled =
        A::bound(state.parameters.largest_gamma) * largest_normed + A::bound(state.parameters.largest_beta);
    const bool folds = contract.norm == Norm::layer && contract.apply == Apply::folded;
    const Up folded = folds ? Up(1.5L) * A::size(sums.largest) * program.scenarios[0].loss.reciprocal : Up(0);
    const bool leaves = below(largest, scaled) || below(largest, folded);
    return leaves ? "gamma, beta or x * rstd may leave the accumulator's range" : nullptr;
}

template <class A>
bool is_trivial(const JudgeState& state, const ElementLoss<A>& elements, const BasicLoss<A>& loss) {
    using Up = typename A::Upper;
    const Up quarter(0.25L);
    if (below(loss.mean_term + loss.rstd_relative, quarter) && below(loss.gap, quarter * loss.reciprocal)) return false;
    Up largest(0.5L);
    for (int64_t i = 0; i < state.cols; ++i) largest = max(largest, elements.normed_magnitude(i));
    for (int64_t i = 0; i < state.cols; ++i)
        if (below(elements.normed_loss(i), largest)) return false;
    return true;
}

template const char* outside_reason<Exact>(const JudgeState&, const RowSums&, const RowProgram&);
template const char* outside_reason<Certified>(const JudgeState&, const NearSums&, const BasicRowProgram<Certified>&);
template bool is_trivial<Exact>(const JudgeState&, const ElementLoss<Exact>&, const Loss&);
template bool is_trivial<Certified>(const JudgeState&, const ElementLoss<Certified>&, const BasicLoss<Certified>&);

}  // namespace normcheck
