// Ranking; see infer_ranking.hpp.
#include "harness/cli/infer_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

namespace normcheck {
namespace {

/// open_bits counts how often another value comes into reach, mostly by chance, so it wavers by about its root. Smaller
/// differences than that, or than one in a hundred, say nothing.
double beyond_chance(double bits) {
    return bits + std::max(bits / 100, 3 * std::sqrt(bits));
}

/// Numbers the obeyed candidates by tightness; each number begins at the tightest one that is beyond the last.
void grade(std::vector<Candidate>& candidates) {
    std::vector<Candidate*> obeyed;
    for (Candidate& candidate : candidates)
        if (candidate.standing == Standing::obeyed) obeyed.push_back(&candidate);
    std::ranges::sort(obeyed, {}, &Candidate::open_bits);
    int tightness = -1;
    double limit = -1;
    for (Candidate* candidate : obeyed) {
        if (candidate->open_bits > limit) {
            ++tightness;
            limit = beyond_chance(candidate->open_bits);
        }
        candidate->tightness = tightness;
    }
}

bool ranks_before(const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& c) {
        return std::make_tuple(c.standing, c.tightness, -c.correctly_rounded, c.open_bits, -c.refutation.rows_passed,
                               c.refutation.row_error.value_or(0), c.words, std::cref(c.text));
    };
    return key(a) < key(b);
}

/// Numbers the groups of obeyed candidates in the order of their first ones, and brings each together.
void group(std::vector<Candidate>& sorted) {
    std::map<std::pair<double, uint64_t>, int> groups;
    for (Candidate& candidate : sorted) {
        if (candidate.standing != Standing::obeyed) continue;
        const auto next = static_cast<int>(groups.size());
        candidate.group = groups.emplace(std::pair(candidate.open_bits, candidate.targets), next).first->second;
    }
    const auto end = std::ranges::find_if(sorted, [](const Candidate& c) { return c.standing != Standing::obeyed; });
    std::sort(sorted.begin(), end, [](const Candidate& a, const Candidate& b) {
        return std::tie(a.group, a.words, a.text) < std::tie(b.group, b.words, b.text);
    });
}

}  // namespace

void rank(std::vector<Candidate>& candidates) {
    grade(candidates);
    std::ranges::sort(candidates, ranks_before);
    group(candidates);
}

Groups groups_of(std::span<const Candidate> candidates) {
    Groups groups;
    for (size_t begin = 0; begin < candidates.size() && candidates[begin].group >= 0;) {
        size_t end = begin;
        while (end < candidates.size() && candidates[end].group == candidates[begin].group) ++end;
        groups.push_back(candidates.subspan(begin, end - begin));
        begin = end;
    }
    return groups;
}

std::vector<const Candidate*> shown_refuted(std::span<const Candidate> candidates) {
    std::vector<const Candidate*> shown;
    size_t passed_over = 0;
    for (const Candidate& candidate : candidates) {
        if (candidate.standing != Standing::refuted) continue;
        if (passed_over++ < refuted_shown || candidate.is_default) shown.push_back(&candidate);
    }
    return shown;
}

}  // namespace normcheck
