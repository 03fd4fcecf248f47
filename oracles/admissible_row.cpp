// Admissible sets as intervals; see admissible_row.hpp. Where a contract stores statistics, an element's interval is
// the hull over all scenarios.
#include "oracles/admissible_row.hpp"

#include <algorithm>

#include "oracles/judge_state.hpp"

namespace normcheck {
namespace {

Contract without_named_roundings(Contract contract) {
    contract.stored = {};
    contract.cast = Cast::last;
    return contract;
}

std::unique_ptr<Judge::State> make_state(const Contract& contract, int64_t cols, const uint64_t* gamma,
                                         const uint64_t* beta) {
    return std::make_unique<Judge::State>(
        Judge::State{contract, cols, read_parameters(contract, cols, gamma, beta), stored_places(contract)});
}

std::vector<AdmissibleElement> elements_of(const JudgeState& state, const JudgeState& plain, const Row& row,
                                           const RowProgram& program, const RowProgram& formula) {
    const Format& y = format(state.contract.y);
    std::vector<AdmissibleElement> elements(static_cast<size_t>(state.cols));
    for (size_t k = 0; k < program.scenarios.size(); ++k) {
        const Elements scenario(state, row, program.scenarios[k]);
        for (int64_t i = 0; i < state.cols; ++i) {
            AdmissibleElement& element = elements[static_cast<size_t>(i)];
            const RankRange hull = scenario.y_hull(i);
            const double lowest = decode_double(y, code_of_rank(y, hull.lowest));
            const double highest = decode_double(y, code_of_rank(y, hull.highest));
            element.lowest = k == 0 ? lowest : std::min(element.lowest, lowest);
            element.highest = k == 0 ? highest : std::max(element.highest, highest);
        }
    }
    const Elements exact(plain, row, formula.scenarios[0]);
    for (int64_t i = 0; i < state.cols; ++i) elements[static_cast<size_t>(i)].formula = exact.target(i).exact.hi;
    return elements;
}

}  // namespace

AdmissibleRows::AdmissibleRows(const Contract& contract, int64_t cols, const uint64_t* gamma, const uint64_t* beta)
    : state_(make_state(contract, cols, gamma, beta)),
      plain_(make_state(without_named_roundings(contract), cols, gamma, beta)) {}
AdmissibleRows::~AdmissibleRows() = default;

AdmissibleRows::Row AdmissibleRows::row(const RowInputs& inputs) const {
    const JudgeState& state = *state_;
    if (!state.parameters.finite) return {{}, "gamma or beta has NaN or Inf"};
    const normcheck::Row row = read_row(state.contract, state.cols, inputs);
    if (!row.special.empty()) return {{}, "the row has NaN or Inf"};
    if (row.sum_left_range) return {{}, "the residual sum leaves f64"};
    const RowProgram program = row_program(state.contract, row.sums, row.loss, {});
    if (const char* why = outside_reason<Exact>(state, row.sums, program)) return {{}, why};
    if (program.search) return {{}, "its stored statistics are searched, not listed"};
    const RowProgram formula = row_program(plain_->contract, row.sums, row.loss, {.target_only = true});
    if (formula.scenarios.empty()) return {{}, formula.outside};
    return {elements_of(state, *plain_, row, program, formula), ""};
}

}  // namespace normcheck
