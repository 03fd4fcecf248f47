// The inputs of a case, as codes. Pure functions of the case and the contract, so they may be called from any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/cases/random.hpp"

namespace normcheck {

/// Dense codes: rows * cols of x and, where the contract adds one, of the residual (format contract.x); cols of gamma
/// and beta (format contract.params), empty where the contract takes none or the case passes none.
struct Inputs {
    std::vector<uint64_t> x, residual, gamma, beta;
};

/// `contract` is the kernel's with the case's overrides laid over it. Throws InputError where rows * cols exceeds 2^31
/// or an inline code does not fit the contract's format.
Inputs make_inputs(const Case& c, const Contract& contract);

enum class InputTensor : uint8_t { x, residual, gamma, beta };

/// The stream from which one row of a tensor is drawn; `index` is its place in the stream of rows, 0 for gamma and
/// beta.
Stream row_stream(uint64_t seed, InputTensor tensor, int64_t index);

/// The cols codes of one tensor in one row of the case; the row does not matter for gamma and beta. Empty where the
/// tensor is.
std::vector<uint64_t> make_row(const Case& c, const Contract& contract, InputTensor tensor, int64_t row);

/// Whether all inputs that enter the sums are independent random values, so that `suspect` may be asked.
bool has_random_rows(const Case& c, const Contract& contract);

}  // namespace normcheck
