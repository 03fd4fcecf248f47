// Judges one row: scenarios in turn, elements against their admissible sets, errors against the first scenario's
// target.
#include "oracles/judge.hpp"

#include <algorithm>
#include <cmath>

#include "oracles/certified/row.hpp"
#include "oracles/error.hpp"
#include "oracles/judge_state.hpp"

namespace normcheck {

namespace {

constexpr const char* verdict_names[] = {"pass", "fail", "suspect", "outside", "doubtful", "unsupported"};
constexpr const char* verdict_meanings[] = {"every output is admissible",
                                            "an output lies outside its admissible set, or a rule is broken",
                                            "admissible, but beyond the probabilistic bound",
                                            "the contract promises nothing on this row",
                                            "the row proves nothing: all outputs are trivially admissible",
                                            "the kernel refuses this call"};
constexpr const char* output_names[] = {"y", "residual_out", "mean", "rstd"};

}  // namespace

const char* name(Verdict verdict) {
    return verdict_names[static_cast<int>(verdict)];
}
const char* meaning(Verdict verdict) {
    return verdict_meanings[static_cast<int>(verdict)];
}
const char* name(Output output) {
    return output_names[static_cast<int>(output)];
}

Judge::Judge(const Contract& contract, int64_t cols, const uint64_t* gamma, const uint64_t* beta)
    : state_(std::make_unique<State>(
          State{contract, cols, read_parameters(contract, cols, gamma, beta), stored_places(contract)})) {}
Judge::~Judge() = default;
Judge::Judge(Judge&&) noexcept = default;
Judge& Judge::operator=(Judge&&) noexcept = default;

RowResult Judge::judge(const RowInputs& inputs, const RowOutputs& outputs, const JudgeOptions& options) const {
    RowResult result;
    result.short_row = state_->cols < 4;
    if (state_->cols == 0) {
        result.verdict = Verdict::doubtful;
        result.reason = "the row has no outputs";
        return result;
    }
    const bool fast = options.oracle == Oracle::certified && certified::covers(*state_);
    if (fast)
        if (auto judged = certified::judge(*state_, inputs, outputs, options)) return *std::move(judged);
    const Row row = read_row(state_->contract, state_->cols, inputs);
    if (!row.special.empty()) return judge_special(*state_, row, outputs);
    result = RowJudgement(*state_, row, outputs, options).run();
    if (options.oracle == Oracle::certified) result.undecided = state_->cols;
    return result;
}

std::vector<uint64_t> Judge::targets(const RowInputs& inputs) const {
    const Row row = read_row(state_->contract, state_->cols, inputs);
    std::vector<uint64_t> result;
    if (!row.special.empty()) {
        for (int64_t i = 0; i < state_->cols; ++i) result.push_back(special_target(*state_, row, i).code);
        return result;
    }
    const RowProgram program = row_program(state_->contract, row.sums, row.loss, {.target_only = true});
    if (program.scenarios.empty()) throw InputError(std::string("targets: ") + program.outside);
    const Elements elements(*state_, row, program.scenarios[0]);
    const Format& y = format(state_->contract.y);
    for (int64_t i = 0; i < state_->cols; ++i) {
        if (is_plain(*state_, i))
            result.push_back(code_of_rank(y, elements.target(i).rank));
        else
            result.push_back(special_parameter(*state_, i, [&] { return elements.normed_sign(i); }).code);
    }
    return result;
}

}  // namespace normcheck
