// The table of proven symmetries; harness/tests/symmetries_test.cpp checks every claim on the kernels' bits.
//
// Sign. Rounding to nearest, ties to even, is odd: round(-v) = -round(v), in every format, also at its ends. So a sum,
// difference, product or quotient of negated operands is the negated result, and the product of two of them, a square,
// is the same number. Through a kernel's steps from load to store this gives: sums and means of x are negated; squares,
// their sums, the variance, the radicand, the root and its reciprocal stay the same, and so does what is decided by
// comparing the variance with 0; x - mean, the products with the reciprocal and with gamma = 1, and the stores are
// negated. Only zeros escape: a - a is +0 either way, and so is 0 + -0 in a lane's first sum and in x + residual.
//
// Swap. With two columns each sum has two terms. In lanes they stand in lanes 0 and 1, to which zeros are added first,
// exactly, until the last step of the tree adds the two; from left to right the sum is (0 + a) + b. Either way the two
// terms meet in one addition, which commutes. All other steps take the statistics, which are then the same, and one
// element.
#include "harness/sweep/symmetries.hpp"

#include <algorithm>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr const char* odd_steps = "every step of the kernel rounds to nearest, which commutes with negation";
constexpr const char* two_terms =
    "the two terms of every sum meet in one addition, which commutes, and all other steps are elementwise";

constexpr Symmetry both{.sign = true, .swap = true};

constexpr KernelSymmetry proven[] = {
    {"cpu/layer_two_pass", both, odd_steps, two_terms},
    // Each element is the mean of its own lane; the merge gives a + (b - a) / 2, which rounds unlike b + (a - b) / 2.
    {"cpu/layer_welford", {.sign = true}, odd_steps, nullptr},
    {"cpu/layer_one_pass", both, odd_steps, two_terms},
    {"cpu/layer_folded", both, odd_steps, two_terms},
    {"cpu/layer_f64", both, odd_steps, two_terms},
    {"cpu/layer_composed", both, odd_steps, two_terms},
    {"cpu/rms", both, odd_steps, two_terms},
    {"cpu/rms_f64", both, odd_steps, two_terms},
    {"cpu/rms_composed", both, odd_steps, two_terms},
    {"cpu/rms_composed_lanes", both, odd_steps, two_terms},
    {"cpu/rms_cast_before_gamma", both, odd_steps, two_terms},
    {"cpu/rms_one_plus", both, odd_steps, two_terms},
    {"cpu/rms_eps_outside", both, odd_steps, two_terms},
    {"cpu/add_rms_rounded", both, odd_steps, two_terms},
    {"cpu/add_rms_wide", both, odd_steps, two_terms},
};

const KernelSymmetry* find(std::string_view kernel) {
    const auto found = std::ranges::find_if(proven, [&](const KernelSymmetry& one) { return one.kernel == kernel; });
    return found == std::end(proven) ? nullptr : found;
}

}  // namespace

std::span<const KernelSymmetry> proven_symmetries() {
    return proven;
}

Symmetry proven_symmetry(std::string_view kernel) {
    const KernelSymmetry* found = find(kernel);
    return found == nullptr ? Symmetry{} : found->symmetry;
}

std::string proof_of(std::string_view kernel, const Symmetry& used) {
    if (used == Symmetry{}) return "";
    const Symmetry known = proven_symmetry(kernel);
    require((known.sign || !used.sign) && (known.swap || !used.swap), "a symmetry is used that is not proven");
    const KernelSymmetry& claim = *find(kernel);
    if (!used.swap) return claim.sign_proof;
    if (!used.sign) return claim.swap_proof;
    return std::string(claim.sign_proof) + "; " + claim.swap_proof;
}

}  // namespace normcheck
