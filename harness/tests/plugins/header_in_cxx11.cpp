// The header in C++11, included first and twice.
#include "harness/abi/normcheck.h"

static_assert(NORMCHECK_ABI_VERSION == 2, "the version that this project speaks");

const nc_plugin* normcheck_plugin(void) {
    static const nc_plugin plugin = {NORMCHECK_ABI_VERSION, 0, nullptr};
    return &plugin;
}
