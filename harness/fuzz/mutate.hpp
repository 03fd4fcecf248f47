// Mutation of drafts: small moves of what decides a row's numbers, rather than of bytes. All choices come from the
// stream, so the same seed gives the same result.
#pragma once

#include "harness/cases/random.hpp"
#include "harness/fuzz/draft.hpp"

namespace normcheck {

/// Changes the draft in one to four places: a number moved, redrawn or reset; codes drawn, stepped by ulps, flipped,
/// cut, repeated or dropped.
void mutate(Draft& draft, Stream& stream);

/// Each number, and each tensor's codes, out of one of the two.
Draft cross_over(const Draft& a, const Draft& b, Stream& stream);

/// Every row of uniform random bits, with a random format, shape and eps: what a search without feedback tries.
Draft random_draft(Stream& stream);

}  // namespace normcheck
