// Recorded calls in files: which tensors there are, by name, and how they become rows and columns.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "harness/cli/tensors.hpp"

namespace normcheck {

/// The tensors of a call as files and options name them, in the order of TensorPaths::npy.
constexpr std::array<const char*, 8> tensor_names = {"x", "gamma", "beta", "residual",
                                                     "y", "mean",  "rstd", "residual_out"};

/// Either one .safetensors file, or one .npy file for each tensor that is there (empty: it is not).
struct TensorPaths {
    std::string safetensors;
    std::array<std::string, tensor_names.size()> npy;
    int64_t axis = -1;  // where the normalised axes begin; negative counts from the end
};

/// Reads and decodes. Dimensions of x from `axis` on are columns, those before it rows; y, residual and residual_out
/// have x's shape; gamma and beta broadcast to the normalised dimensions; mean and rstd have one element per row.
/// 16-bit words of .npy files without a format of their own are read as the words of the contract say. Throws
/// InputError naming the tensor and what was expected; no rows or no columns are refused too.
Tensors read_tensors(const TensorPaths& paths, std::string_view contract_words);

}  // namespace normcheck
