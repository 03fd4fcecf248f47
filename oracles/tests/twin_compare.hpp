// Compares the two oracles row by row: every output of both, every rounding mode, and what they call undefined.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "oracles/tests/twin_rows.hpp"

namespace normcheck::twin {

struct Count {
    int64_t outputs = 0;
    int64_t disagreements = 0;
};

/// What was compared. One rounding of one value in one mode is one output.
struct Tally {
    std::map<std::string, Count> by_group;  // format of x and placement of eps
    std::map<std::string, Count> by_family;
    Count total;
    int64_t rows = 0;
    int64_t undefined_rows = 0;      // denominator 0: both must say so
    int64_t unbounded_rows = 0;      // what the whole row uses is infinite after a named rounding: not compared
    int64_t unbounded_elements = 0;  // an intermediate of the element is: not compared
    int64_t last_precision_rows = 0;
    std::vector<std::string> stories;  // of the first disagreements
};

/// All outputs of one row from both oracles.
Tally compare_row(uint64_t seed, uint64_t index);

void add(Tally& total, const Tally& part);

/// Rows first, first + 1, ... until at least that many outputs are compared; the rows do not depend on the number of
/// threads. Calls progress after every round of rows, from the calling thread.
Tally compare_rows(uint64_t seed, uint64_t first, int64_t outputs, int threads, void (*progress)(const Tally&));

}  // namespace normcheck::twin
