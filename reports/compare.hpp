// What got worse, better, or different between two runs, or a baseline and a run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/record.hpp"

namespace normcheck {

/// How far a regime's largest error may grow, as a share of it, before that is worse.
constexpr double default_margin = 0.05;
/// On other inputs than the baseline's, coverage shrinks where a regime's rows that pass fall below this share of what
/// they were; on the same ones, where they are fewer.
constexpr double least_coverage = 0.75;

/// What both sides have to be before their numbers can be compared.
struct Comparables {
    const std::vector<KernelReport>& base;
    const std::vector<KernelReport>& now;
    /// What the witnesses of `base` give now; where a record has none, its witnesses were not rerun.
    const std::vector<KernelReport>& reruns;
};

/// The changes of every record of `base`, in its order, then what is new in `now`. Worse is: a record that is gone, a
/// verdict, a contract that is another one, a regime with fewer rows that pass, a property that is no longer
/// asked, and a largest error beyond the margin where the inputs are the same or it is a witness of
/// `base` that reached it. On other inputs a larger error may be the draw's, so it is `other`.
std::vector<Change> compare(const Comparables& sides, double margin = default_margin);

/// Gives a change for the worse that has no case that of the first finding of its kernel, format and regime.
void add_cases(std::vector<Change>& changes, std::span<const Finding> findings);

/// `base` with what is better or new in `now` recorded; largest errors that grew within the margin stay as they were,
/// so that small steps do not add up. The inputs must be the same where both have a record.
std::vector<KernelReport> improved(const std::vector<KernelReport>& base, const std::vector<KernelReport>& now);

}  // namespace normcheck
