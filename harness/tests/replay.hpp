// Replays one line of a corpus: the kernel is called, the oracle judges, and everything the line states is compared.
#pragma once

#include <string>
#include <vector>

#include "harness/check/corpus.hpp"
#include "oracles/regime.hpp"

namespace normcheck {

struct Replayed {
    std::vector<std::string> complaints;  // each about one thing that is not as the line states; empty where all is
    std::vector<Regime> regimes;          // of its rows
    Contract contract;                    // of its case
};

/// Throws InputError where the case makes no sense for its kernel; never for what a kernel does.
Replayed replay(const CorpusLine& line);

}  // namespace normcheck
