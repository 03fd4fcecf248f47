// The ordered list of built-in kernels and the look-up in it.
#include "harness/kernels/registry.hpp"

#include <algorithm>

namespace normcheck {

#define KERNEL(symbol) extern const nc_kernel symbol;
#include "harness/kernels/kernels.def"
#undef KERNEL

namespace {

constexpr const nc_kernel* kernels[] = {
#define KERNEL(symbol) &symbol,
#include "harness/kernels/kernels.def"
#undef KERNEL
};

}  // namespace

std::span<const nc_kernel* const> built_in_kernels() {
    return kernels;
}

const nc_kernel* find_kernel(std::string_view name) {
    const auto found = std::ranges::find_if(kernels, [&](const nc_kernel* kernel) { return kernel->name == name; });
    return found == std::end(kernels) ? nullptr : *found;
}

bool needs_host(const nc_kernel&) {
    return false;
}

}  // namespace normcheck
