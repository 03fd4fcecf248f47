// What inference found, as text and as JSON.
#pragma once

#include <span>
#include <string>

#include "harness/cli/infer.hpp"
#include "reports/layout.hpp"

namespace normcheck {

/// The best group first, then weaker promises, then those that prove nothing, then the closest refuted ones.
std::string inference_text(std::span<const Candidate> candidates, const Tensors& tensors, const Page& page);

/// A document with a newline at the end; measured numbers are hex floats in strings.
std::string inference_json(std::span<const Candidate> candidates, const Tensors& tensors);

}  // namespace normcheck
