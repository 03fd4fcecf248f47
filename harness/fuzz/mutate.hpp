// Mutation of drafts: small moves of what decides a row's numbers, rather than of bytes. All choices come from the
// stream, so the same seed gives the same result.
#pragma once

#include <array>
#include <cstdint>

#include "harness/cases/random.hpp"
#include "harness/fuzz/draft.hpp"

namespace normcheck {

/// How often each of draft_shapes() has been executed, by its number.
using ShapeRuns = std::array<int64_t, 16>;
constexpr int64_t first_shape_runs = 24;

/// Changes the draft in one to four places: a number moved, redrawn or reset; codes drawn, stepped by ulps, flipped,
/// cut, repeated or dropped. A search that knows its runs gives a draft the shape that has had fewest of them, and does
/// so often until each has had `first_shape_runs`.
void mutate(Draft& draft, Stream& stream, const ShapeRuns* runs = nullptr);

/// Each number, and each tensor's codes, out of one of the two.
Draft cross_over(const Draft& a, const Draft& b, Stream& stream);

/// Every row of uniform random bits, with a random format, shape and eps: what a search without feedback tries.
Draft random_draft(Stream& stream);

}  // namespace normcheck
