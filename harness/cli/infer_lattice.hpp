// The contracts that inference tries: forms (what is computed) first, then variants of a form (in which arithmetic,
// with which statistics stored). Fixed words stand in all of them.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/infer.hpp"

namespace normcheck {

/// All contracts of the default arithmetic, each once, in a fixed order. Throws InputError where there are none.
std::vector<Contract> forms(const Tensors& tensors, const InferOptions& options);

/// The form in other arithmetic, each once, the form itself left out.
std::vector<Contract> variants(const Contract& form, const Tensors& tensors, const InferOptions& options);

/// What `rms` and `layer` alone stand for under these words and tensors.
std::vector<Contract> default_contracts(const Tensors& tensors, const InferOptions& options);

}  // namespace normcheck
