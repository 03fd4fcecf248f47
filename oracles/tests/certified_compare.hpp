// Compares the certified oracle with the exact one: every field of the judgement, on rows of all families and contracts
// with outputs that are right, nearly right, wrong, or not numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace normcheck::twin {

struct Agreement {
    int64_t rows = 0;
    int64_t outputs = 0;
    int64_t undecided = 0;  // outputs that the certified oracle handed over
    int64_t disagreements = 0;
};

struct Comparison {
    Agreement total;
    std::map<std::string, Agreement> by_format;    // of y
    std::map<std::string, Agreement> by_family;    // of the row
    std::map<std::string, Agreement> by_contract;  // what the contract stores
    std::map<std::string, Agreement> by_verdict;
    std::vector<std::string> stories;  // of the first disagreements
};

void add(Comparison& total, const Comparison& part);

/// Rows first, first + 1, ... until at least that many outputs are compared; the result does not depend on the number
/// of threads.
Comparison compare_oracles(uint64_t seed, uint64_t first, int64_t outputs, int threads,
                           void (*progress)(const Comparison&) = nullptr);

}  // namespace normcheck::twin
