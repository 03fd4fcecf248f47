// Small kernels for the tests of check: an honest RMSNorm in f32, and kernels that do the same and then break one rule.
#pragma once

#include "harness/abi/normcheck.h"

namespace normcheck {

extern const nc_kernel honest_kernel;          // rms, in_place=yes
extern const nc_kernel honest_adding_kernel;   // rms residual=wide, in_place=yes
extern const nc_kernel past_row_kernel;        // writes one element past the last row of y
extern const nc_kernel before_row_kernel;      // writes one element before y
extern const nc_kernel row_gap_kernel;         // writes the first element of the gap after row 0 of y
extern const nc_kernel column_gap_kernel;      // writes the element after y[0,0]
extern const nc_kernel gamma_guard_kernel;     // writes past gamma
extern const nc_kernel changes_x_kernel;       // negates x[0,1]
extern const nc_kernel changes_gamma_kernel;   // negates gamma[0,0]
extern const nc_kernel leaves_y_kernel;        // leaves the last element of y
extern const nc_kernel leaves_rstd_kernel;     // leaves the rstd of row 0
extern const nc_kernel nan_swallowing_kernel;  // writes 0 where a NaN is due
extern const nc_kernel eps_outside_kernel;     // adds eps outside the root, but promises inside
extern const nc_kernel wrong_rstd_kernel;      // doubles the rstd of row 0
extern const nc_kernel wrong_sum_kernel;       // adds a residual and returns the sum doubled at column 1 of row 0
extern const nc_kernel drifting_kernel;        // off by 1024 unit roundoffs: what the sum of 4096 squares may lose
extern const nc_kernel refusing_kernel;        // refuses, and writes nothing
extern const nc_kernel empty_writing_kernel;   // writes rstd and past y in an empty call
extern const nc_kernel flushing_kernel;        // leaves flush-to-zero set
extern const nc_kernel rounding_kernel;        // leaves the rounding direction at upward
extern const nc_kernel throwing_kernel;        // throws

}  // namespace normcheck
