// What the certified oracle knows of a row before it looks at the outputs: the elements as doubles, and enclosed sums.
#pragma once

#include <vector>

#include "oracles/certified/passes.hpp"
#include "oracles/judge_state.hpp"

namespace normcheck::certified {

/// Buffers that one thread uses again and again.
struct Scratch {
    std::vector<double> x;           // the row's s, padded to whole vectors
    std::vector<double> error;       // of y, from the last pass
    std::vector<double> doubt;       // about the error, where outputs are looked at one by one
    std::vector<uint64_t> narrowed;  // codes in their own storage
    std::vector<uint64_t> got_narrowed;
    void resize(int64_t n);
};
Scratch& scratch();

constexpr double u = 0x1p-53;  // unit roundoff of double

Storage storage_of(FormatId id);

/// Codes as the vector passes read them, copied into `buffer` where they come 8 bytes each.
Codes packed(const normcheck::Codes& codes, FormatId id, int64_t n, std::vector<uint64_t>& buffer);

struct Facts {
    NearSums sums;
    double largest_product = 0;  // |(x - centre) gamma| or |x gamma|, up to the rounding of x - centre
    bool special = false;        // NaN or Inf in the row: nothing else is filled in
};

/// Reads the row into scratch().x and encloses its sums.
Facts read_facts(const JudgeState& state, const normcheck::Codes& x, int64_t n);
/// The same of elements that are in scratch().x already.
Facts facts_of(const JudgeState& state, int64_t n);

}  // namespace normcheck::certified
