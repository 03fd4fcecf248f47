// Inference: which contracts does a recorded output obey? Every contract of a lattice is held against the rows; those
// that no row refutes are ranked by the bits it takes to state the outputs once the contract's targets are known: a
// contract that explains the outputs leaves little to state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/tensors.hpp"
#include "oracles/judge.hpp"
#include "reports/record.hpp"

namespace normcheck {

struct InferOptions {
    std::string words;             // contract words that are fixed and not varied
    std::vector<std::string> eps;  // tried beside the usual ones, as text
};

/// obeyed: some row passed and none failed; unproven: no row failed, and none passed either.
enum class Standing : uint8_t { obeyed, unproven, refuted };

/// The first failing row of those tried; rows are tried in one order for all: first, middle, last, then the rest.
struct Refutation {
    int64_t row = 0;
    int64_t rows_passed = 0;  // before it
    std::string reason;
    std::optional<double> row_error;
    std::optional<ElementStory> story;  // of the element, where one is to blame; of the closest candidates alone
};

struct Candidate {
    Contract contract;
    std::string text;  // print(contract)
    int words = 0;     // that are not defaults, the tensors' formats aside
    Standing standing = Standing::refuted;
    VerdictCounts rows{};           // of those tried
    double bits = 0;                // of all rows: see RowResult::bits
    int64_t correctly_rounded = 0;  // outputs that are the target itself
    int group = -1;                 // of the obeyed ones: equal where the rows cannot tell them apart; 0 is the best
    bool is_default = false;        // of its norm
    Refutation refutation;
};

/// Evidence, in bits, that it takes to rank one obeyed contract before another: odds of 2^10.
constexpr double telling_bits = 10;

/// The candidates: obeyed ones by group (fewest bits first; a group spans less than telling_bits, and within it the
/// fewest words come first, and of as many words what promises more), then unproven ones, then refuted ones with the
/// most rows passed first. Does not depend on the number of threads. Throws InputError where no contract holds all the
/// fixed words, or where one contradicts the tensors.
std::vector<Candidate> infer(const Tensors& tensors, const InferOptions& options);

/// Refuted candidates in the order of the list that have a story: the closest ones and the defaults of each norm.
constexpr size_t refuted_shown = 10;

}  // namespace normcheck
