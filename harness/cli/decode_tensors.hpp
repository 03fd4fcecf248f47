// Named tensors of any shape become one call in rows and columns: shapes and formats are held against each other here.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/cli/tensors.hpp"
#include "harness/io/tensor.hpp"

namespace normcheck {

struct Found {
    Tensor tensor;
    std::string where;  // "gamma (FILE)", for messages
};
using FoundTensors = std::map<std::string, Found>;

/// The call, without a name and metadata; the names are those of tensor_names, and `axis` is as in TensorPaths. Throws
/// InputError naming the tensor and what was expected, also where there are no rows or no columns.
Tensors decoded(const FoundTensors& found, int64_t axis);

}  // namespace normcheck
