// Ranking; see infer_ranking.hpp.
#include "harness/cli/infer_ranking.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace normcheck {
namespace {

bool ranks_before(const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& c) {
        return std::make_tuple(c.standing, c.bits, -c.refutation.rows_passed, c.refutation.row_error.value_or(0),
                               c.words, std::cref(c.text));
    };
    return key(a) < key(b);
}

/// Fewer words, and of as many the contract that promises something on more of the rows.
bool is_simpler(const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& c) {
        return std::make_tuple(c.words, -count(c.rows, Verdict::pass), std::cref(c.text));
    };
    return key(a) < key(b);
}

/// Numbers the groups of obeyed candidates, which stand first and in the order of their bits. A group holds what is
/// within telling_bits of its first.
void group(std::vector<Candidate>& sorted) {
    int number = 0;
    for (size_t begin = 0; begin < sorted.size() && sorted[begin].standing == Standing::obeyed; ++number) {
        const double limit = sorted[begin].bits + telling_bits;
        size_t end = begin;
        for (; end < sorted.size() && sorted[end].standing == Standing::obeyed && sorted[end].bits <= limit; ++end)
            sorted[end].group = number;
        std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                  sorted.begin() + static_cast<std::ptrdiff_t>(end), is_simpler);
        begin = end;
    }
}

}  // namespace

void rank(std::vector<Candidate>& candidates) {
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
