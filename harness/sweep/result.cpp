// Meaning and joining of results; see result.hpp.
#include "harness/sweep/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::string places(uint64_t first, uint64_t end) {
    return fmt::format("places {} to {}", first, end - 1);
}

std::string places(const NamedResult& part) {
    return fmt::format("{} ({})", part.name, places(part.result.state.range.first, part.result.state.range.end));
}

void refuse_mixed(const NamedResult& first, const NamedResult& part) {
    const std::string difference = first_difference(part.result.identity, first.result.identity);
    if (!difference.empty())
        throw InputError(fmt::format("{} does not belong to {}: {}", part.name, first.name, difference));
}

void refuse_unfinished(const NamedResult& part) {
    const SweepState& state = part.result.state;
    if (!state.is_complete())
        throw InputError(fmt::format("{} is unfinished: {} of {} rows are done", part.name,
                                     state.done - state.range.first, state.range.size()));
}

std::vector<const NamedResult*> in_order(std::span<const NamedResult> parts) {
    std::vector<const NamedResult*> sorted;
    for (const NamedResult& part : parts) sorted.push_back(&part);
    std::ranges::sort(sorted, {},
                      [](const NamedResult* part) { return std::pair(part->result.state.range.first, part); });
    return sorted;
}

/// `next` is the first place that the parts before do not hold.
void refuse_overlap_or_gap(uint64_t next, const NamedResult* before, const NamedResult& part) {
    const uint64_t first = part.result.state.range.first;
    if (first < next) throw InputError(fmt::format("{} and {} overlap", places(*before), places(part)));
    if (first == next) return;
    const std::string after = before == nullptr ? "" : fmt::format(" after {}", places(*before));
    throw InputError(fmt::format("gap: {} are missing{} before {}", places(next, first), after, places(part)));
}

}  // namespace

bool is_whole(const SweepResult& result) {
    return result.state.is_complete() && result.state.range == PlaceRange{0, run_rows(result.identity.domain)};
}

Verdict verdict(const SweepResult& result) {
    const ClassCounts& run = result.state.tally.run;
    if (count(run, RowClass::fail) > 0) return Verdict::fail;
    if (count(run, RowClass::rounded) + count(run, RowClass::admissible) + count(run, RowClass::special) > 0)
        return Verdict::pass;
    return count(run, RowClass::doubtful) > 0 ? Verdict::doubtful : Verdict::outside;
}

int exit_status(const SweepResult& result) {
    const Verdict said = verdict(result);
    return said == Verdict::fail || (is_whole(result) && said != Verdict::pass) ? 1 : 0;
}

RoundedShare rounded_share(const SweepResult& result) {
    const Tally& tally = result.state.tally;
    return {tally.correctly_rounded, measured_rows(tally.rows) * static_cast<uint64_t>(result.identity.domain.cols)};
}

SweepResult join(std::span<const NamedResult> parts) {
    if (parts.empty()) throw InputError("no results to join");
    for (const NamedResult& part : parts) {
        refuse_mixed(parts[0], part);
        refuse_unfinished(part);
    }
    const uint64_t all = run_rows(parts[0].result.identity.domain);
    SweepResult whole{parts[0].result.identity, SweepState{{0, all}}};
    const NamedResult* before = nullptr;
    for (const NamedResult* part : in_order(parts)) {
        refuse_overlap_or_gap(whole.state.done, before, *part);
        merge(whole.state.tally, part->result.state.tally);
        whole.state.done = part->result.state.range.end;
        before = part;
    }
    if (whole.state.done != all)
        throw InputError(fmt::format("gap: {} are missing after {}", places(whole.state.done, all), places(*before)));
    return whole;
}

}  // namespace normcheck
