// The result of a sweep, whole or of a part, as a value; what it means; and how parts are joined.
#pragma once

#include <span>
#include <string>

#include "harness/sweep/subject.hpp"
#include "harness/sweep/sweep.hpp"
#include "oracles/judge.hpp"

namespace normcheck {

struct SweepResult {
    SweepIdentity identity;
    SweepState state;
    bool operator==(const SweepResult&) const = default;
};

/// Whether its range is the whole domain, and done.
bool is_whole(const SweepResult& result);

/// fail where a row fails; else pass, doubtful or outside, the first of which there are rows.
Verdict verdict(const SweepResult& result);

/// 1 where a row fails, or where the whole domain has no row that passes; else 0.
int exit_status(const SweepResult& result);

/// Share of outputs that are correctly rounded: of the whole domain, for the rows that were run.
struct RoundedShare {
    uint64_t rounded = 0;
    uint64_t outputs = 0;
};
RoundedShare rounded_share(const SweepResult& result);

struct NamedResult {
    std::string name;  // of its file
    SweepResult result;
};

/// The whole result from its parts, in any order. Throws InputError naming files and places where a part is unfinished
/// or of another version, kernel, domain, contract or symmetry, and where parts overlap or leave a gap.
SweepResult join(std::span<const NamedResult> parts);

}  // namespace normcheck
