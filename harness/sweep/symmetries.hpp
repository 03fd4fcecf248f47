// Which symmetries the built-in kernels are proven to have. The table stands in symmetries.cpp, each claim with its
// proof; a kernel that is not in it has none.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/sweep/domain.hpp"

namespace normcheck {

/// A proof holds for the outputs as numbers: zeros of either sign are the same number, and so are all NaNs, for the
/// kernel as for the judge. It holds for rows of two columns at most, without gamma and beta and with a residual of +0.
struct KernelSymmetry {
    const char* kernel;
    Symmetry symmetry;
    const char* sign_proof;  // completes "proven because"; null where not claimed
    const char* swap_proof;  // null where not claimed
};

std::span<const KernelSymmetry> proven_symmetries();

/// What is proven of the kernel of that name.
Symmetry proven_symmetry(std::string_view kernel);

/// Why the kernel has the symmetry used, as one sentence without a full stop; empty where none is used. Throws
/// InternalError where it is not proven.
std::string proof_of(std::string_view kernel, const Symmetry& used);

}  // namespace normcheck
