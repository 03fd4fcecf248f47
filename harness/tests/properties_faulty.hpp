// Kernels for the tests of properties: two honest ones, and one for every property that breaks it and, on the case that
// stands beside it, no other.
#pragma once

#include <span>

#include "harness/abi/normcheck.h"

namespace normcheck {

extern const nc_kernel honest_rms_kernel;    // f32, in double, rounded once; bits follow the row
extern const nc_kernel honest_layer_kernel;  // the same

struct PlantedFault {
    const char* property;
    nc_kernel kernel;
    const nc_kernel* honest;
    const char* case_line;
};
std::span<const PlantedFault> planted_faults();

}  // namespace normcheck
