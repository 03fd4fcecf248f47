// The ordered list of built-in kernels and the look-up in it and among the faults.
#include "harness/kernels/registry.hpp"

#include <algorithm>

#include "harness/kernels/faulty/faults.hpp"

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
    if (found != std::end(kernels)) return *found;
    const auto fault = std::ranges::find_if(faults(), [&](const FaultInfo& info) { return info.kernel->name == name; });
    return fault == faults().end() ? nullptr : fault->kernel;
}

bool needs_host(const nc_kernel& kernel) {
    const FaultInfo* fault = fault_of(kernel);
    return fault != nullptr && fault->shown_by == ShownBy::process;
}

}  // namespace normcheck
