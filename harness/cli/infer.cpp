// Inference; see infer.hpp. Most candidates die on their first row, so forms are tried before variants, and only forms
// near the outputs have their variants tried.
#include "harness/cli/infer.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "harness/cases/words.hpp"
#include "harness/cli/infer_lattice.hpp"
#include "harness/cli/infer_ranking.hpp"

namespace normcheck {
namespace {

/// What all candidates are held against.
struct Trial {
    const Tensors& tensors;
    CaseResult call;
    std::vector<int64_t> order;  // of rows

    RowInputs inputs(int64_t row) const { return row_inputs(call.inputs, tensors.cols, row); }
    RowOutputs outputs(int64_t row) const { return row_outputs(call.outputs, tensors.cols, row); }
    Judge judge(const Contract& contract) const { return make_judge(contract, tensors.cols, call.inputs); }
};

/// First, middle, last, then the rest.
std::vector<int64_t> row_order(int64_t rows) {
    std::vector<int64_t> order(static_cast<size_t>(rows));
    std::iota(order.begin(), order.end(), 0);
    if (rows < 3) return order;
    std::rotate(order.begin() + 1, order.begin() + rows / 2, order.begin() + rows / 2 + 1);
    std::rotate(order.begin() + 2, order.end() - 1, order.end());
    return order;
}

/// Calls the function for 0 .. count - 1 on all cores and rethrows what one of them threw.
void in_parallel(int64_t count, const std::function<void(int64_t)>& function) {
    std::exception_ptr thrown;
#pragma omp parallel for schedule(dynamic)
    for (int64_t i = 0; i < count; ++i) {
        try {
            function(i);
        } catch (...) {
#pragma omp critical(normcheck_infer)
            thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

/// Words of the text that say more than the tensors do by themselves.
int count_words(const std::string& text) {
    constexpr std::string_view formats[] = {"x", "params", "y", "stats"};
    int count = 0;
    for (const Word& word : words_of(text)) count += std::ranges::find(formats, word.key) == std::end(formats) ? 1 : 0;
    return count;
}

Candidate blank(const Contract& contract) {
    Candidate candidate;
    candidate.contract = contract;
    candidate.text = print(contract);
    candidate.words = count_words(candidate.text);
    return candidate;
}

/// Holds the candidate against the rows until one fails.
void try_rows(Candidate& candidate, const Trial& trial) {
    const Judge judge = trial.judge(candidate.contract);
    for (const int64_t row : trial.order) {
        RowResult result =
            judge.judge(trial.inputs(row), trial.outputs(row), {.oracle = Oracle::exact, .stop_at_failure = true});
        ++count(candidate.rows, result.verdict);
        candidate.bits += result.bits;
        candidate.correctly_rounded += result.correctly_rounded;
        if (result.verdict != Verdict::fail) continue;
        const int64_t passed = count(candidate.rows, Verdict::pass);
        candidate.refutation = {row, passed, std::move(result.reason), result.row_error, std::nullopt};
        return;
    }
    candidate.standing = count(candidate.rows, Verdict::pass) > 0 ? Standing::obeyed : Standing::unproven;
}

std::vector<Candidate> tried(const std::vector<Contract>& contracts, const Trial& trial) {
    std::vector<Candidate> candidates;
    for (const Contract& contract : contracts) candidates.push_back(blank(contract));
    in_parallel(std::ssize(candidates), [&](int64_t i) { try_rows(candidates[static_cast<size_t>(i)], trial); });
    return candidates;
}

/// What a form computes, whatever roundings it names on the way.
auto family_of(const Contract& c) {
    return std::make_tuple(c.norm, c.eps_at, c.eps.value, c.gamma, c.offset_in, c.beta);
}
using Family = decltype(family_of(Contract{}));

/// How far the outputs are from a form, in ulp of the row's largest output; 0 where nothing says that they are far.
double distance(const Candidate& candidate) {
    return candidate.standing == Standing::refuted ? candidate.refutation.row_error.value_or(0) : 0;
}

/// The forms whose variants are worth trying: of families within 64 times the distance of the closest one. The factor
/// leaves room for what stored statistics lose, and drops wrong formulas wherever some formula comes near.
std::vector<Contract> near_forms(const std::vector<Candidate>& candidates) {
    constexpr double factor = 64, smallest = 4;
    std::map<Family, double> distances;
    for (const Candidate& candidate : candidates) {
        const auto [place, added] = distances.emplace(family_of(candidate.contract), distance(candidate));
        if (!added) place->second = std::min(place->second, distance(candidate));
    }
    double closest = std::numeric_limits<double>::infinity();
    for (const auto& [family, value] : distances) closest = std::min(closest, value);
    std::vector<Contract> result;
    for (const Candidate& candidate : candidates) {
        if (distances.at(family_of(candidate.contract)) <= std::max(smallest, factor * closest))
            result.push_back(candidate.contract);
    }
    return result;
}

void tell_story(Candidate& candidate, const Trial& trial) {
    const Judge judge = trial.judge(candidate.contract);
    const int64_t row = candidate.refutation.row;
    const RowResult result = judge.judge(trial.inputs(row), trial.outputs(row));
    if (result.failing < 0) return;
    candidate.refutation.story = judge.explain(trial.inputs(row), trial.outputs(row), Output::y, result.failing);
}

void tell_stories(std::vector<Candidate>& sorted, const Trial& trial) {
    size_t shown = 0;
    for (Candidate& candidate : sorted) {
        if (candidate.standing != Standing::refuted) continue;
        if (shown++ < refuted_shown || candidate.is_default) tell_story(candidate, trial);
    }
}

void mark_defaults(std::vector<Candidate>& candidates, const std::vector<Contract>& defaults) {
    for (Candidate& candidate : candidates)
        candidate.is_default = std::ranges::find(defaults, candidate.contract) != defaults.end();
}

void add_each_once(std::vector<Contract>& contracts, const std::vector<Contract>& more) {
    for (const Contract& contract : more)
        if (std::ranges::find(contracts, contract) == contracts.end()) contracts.push_back(contract);
}

std::vector<Contract> all_variants(const std::vector<Candidate>& tried_forms, const Tensors& tensors,
                                   const InferOptions& options) {
    std::vector<Contract> result;
    for (const Contract& form : near_forms(tried_forms))
        for (const Contract& variant : variants(form, tensors, options)) result.push_back(variant);
    return result;
}

}  // namespace

std::vector<Candidate> infer(const Tensors& tensors, const InferOptions& options) {
    const Trial trial{tensors, unjudged(tensors), row_order(tensors.rows)};
    const std::vector<Contract> defaults = default_contracts(tensors, options);
    std::vector<Contract> contracts = forms(tensors, options);
    add_each_once(contracts, defaults);
    std::vector<Candidate> candidates = tried(contracts, trial);
    for (Candidate& candidate : tried(all_variants(candidates, tensors, options), trial))
        candidates.push_back(std::move(candidate));
    mark_defaults(candidates, defaults);
    rank(candidates);
    tell_stories(candidates, trial);
    return candidates;
}

}  // namespace normcheck
