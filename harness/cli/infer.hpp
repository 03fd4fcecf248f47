// Inference: which contracts does a recorded output obey? Every contract of a lattice is held against the rows; those
// that no row refutes are ranked by how little they leave open, for the tightest promise that is kept says most.
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
    double open_bits = 0;           // log2 of the number of outputs that the contract admits on these rows
    int64_t correctly_rounded = 0;  // outputs that are the target itself
    int tightness =
        -1;  // of the obeyed ones: equal where open_bits are, as far as so many outputs can tell; 0 is the tightest
    uint64_t targets = 0;     // hash of all targets
    int group = -1;           // of the obeyed ones: equal where the rows cannot tell them apart; 0 is the best
    bool is_default = false;  // of its norm
    Refutation refutation;
};

/// The candidates: obeyed ones by group (the tightest first, then the most correctly rounded outputs, then the smallest
/// open_bits, then the fewest words), then unproven ones, then refuted ones with the most rows passed first. Does not
/// depend on the number of threads. Throws InputError where no contract holds all the fixed words, or where one
/// contradicts the tensors.
std::vector<Candidate> infer(const Tensors& tensors, const InferOptions& options);

/// Refuted candidates in the order of the list that have a story: the closest ones and the defaults of each norm.
constexpr size_t refuted_shown = 10;

}  // namespace normcheck
