// The kernels of cuda/ on a real device: there where nvcc has compiled them and a device is present, else a reason.
#pragma once

#include <span>
#include <string>

#include "harness/abi/normcheck.h"

namespace normcheck {

/// cuda/NAME for every line of kernels.def; none where there is no device to run them.
std::span<const nc_kernel* const> device_kernels();

/// Why device_kernels() is empty, as in "no CUDA device: ..."; empty where it is not.
const std::string& why_no_device_kernels();

}  // namespace normcheck
