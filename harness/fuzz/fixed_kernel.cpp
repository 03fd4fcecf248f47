// Which kernel a target fuzzes: compiled once per kernel with NORMCHECK_FUZZ_KERNEL, its symbol in kernels.def, and
// once without for the target that has the input choose.
#include "harness/fuzz/fixed_kernel.hpp"

namespace normcheck {

#ifdef NORMCHECK_FUZZ_KERNEL
extern const nc_kernel NORMCHECK_FUZZ_KERNEL;

const nc_kernel* fixed_kernel() {
    return &NORMCHECK_FUZZ_KERNEL;
}
#else
const nc_kernel* fixed_kernel() {
    return nullptr;
}
#endif

}  // namespace normcheck
