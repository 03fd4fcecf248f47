// The order of candidates, and the parts of the list that are shown.
#pragma once

#include <span>
#include <vector>

#include "harness/cli/infer.hpp"

namespace normcheck {

/// Fills in the group of the candidates and brings them into the order that infer promises.
void rank(std::vector<Candidate>& candidates);

/// The obeyed candidates of a ranked list, group by group.
using Groups = std::vector<std::span<const Candidate>>;
Groups groups_of(std::span<const Candidate> candidates);

/// The refuted candidates of a ranked list that are shown: the closest ones, and the defaults wherever they stand.
std::vector<const Candidate*> shown_refuted(std::span<const Candidate> candidates);

}  // namespace normcheck
