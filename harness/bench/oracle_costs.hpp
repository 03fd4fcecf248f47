// `bench oracle`: what every competitor costs on every setting, measured in one run, and whether the targets are met.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/bench/measure.hpp"
#include "harness/bench/oracle_subject.hpp"

namespace normcheck {

struct OracleCosts {
    OracleSetting setting;
    std::string kernel;                                           // empty where no kernel takes part
    std::string contract;                                         // that the rows are judged by
    std::array<std::optional<Timing>, competitor_count> per_row;  // nothing where a competitor takes no part
    int64_t judged = 0;                                           // elements
    int64_t undecided = 0;  // of these, handed to the exact oracle by the certified one

    const std::optional<Timing>& of(Competitor competitor) const { return per_row[static_cast<size_t>(competitor)]; }
    /// How many times as long the first takes as the second; both must take part.
    double ratio(Competitor first, Competitor second) const;
};

struct OracleBenchOptions {
    uint64_t seed = 1;
    int64_t judged = 1 << 20;  // elements, at least, on which the share of undecided ones is counted
    MeasureOptions measure;
};

/// The settings rms and layer by f32, bf16 and f64 by 64, 768 and 4096 columns; f64 comes last.
std::vector<OracleCosts> measure_oracle_costs(const OracleBenchOptions& options);

/// A promise about the measured numbers, and the setting that comes out worst.
struct OracleTarget {
    std::string key;   // for programs, as in certified_per_plain
    std::string text;  // what is wanted, for people
    double wanted = 0;
    double got = 0;
    OracleSetting worst;
    bool met = false;
};
std::vector<OracleTarget> oracle_targets(std::span<const OracleCosts> costs);

/// As in "layer bf16 4096".
std::string text_of(const OracleSetting& setting);

}  // namespace normcheck
