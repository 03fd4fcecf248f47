// Calls of kernels for tests: what a call is made of, in one value, and its outputs, as codes read back densely.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/abi/normcheck.h"
#include "oracles/contract.hpp"

namespace normcheck {

struct KernelCall {
    int64_t rows = 1;
    int64_t cols = 1;
    FormatId x = FormatId::f32;
    FormatId params = FormatId::f32;
    FormatId y = FormatId::f32;
    int64_t pitch = 0;      // extra elements between rows
    int64_t stride = 1;     // elements between columns
    int64_t offset = 0;     // elements by which data starts past a 64-byte boundary
    int64_t first_row = 0;  // index of the first row in the endless stream of random rows
    int64_t nan_row = -1;   // a row of this call with a NaN in it
    int threads = 1;
    bool in_place = false;
    bool parameters = true;  // gamma and beta are passed
    double eps = 9.9999999747524270787835121154785e-07;
};

struct KernelOutputs {
    const char* refusal = nullptr;
    std::vector<uint64_t> y, residual_out, mean, rstd;
    bool untouched = true;  // gaps between the elements, and all of it where nothing may be written, kept their bits
};

enum class Role : uint8_t { x, residual, gamma, beta };

/// The random value of an element, rounded to the format: a pure function of its arguments, in [-2, 2].
double random_value(Role role, int64_t row, int64_t col, FormatId format);

/// Runs the kernel with every tensor that its contract takes.
KernelOutputs call_kernel(const nc_kernel& kernel, const KernelCall& call);

}  // namespace normcheck
