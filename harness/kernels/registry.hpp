// All kernels that there are, where they come from and where they are called: the built-in ones, an explicit ordered
// list made from kernels.def, the faults, and those that a run adds from outside.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/abi/normcheck.h"

namespace normcheck {

enum class Origin : uint8_t { built_in, fault, outside };

/// The number of no host: the kernel is called in this process.
constexpr int this_process = -1;
/// The number of the host that has the faults which may end their process.
constexpr int fault_host = 0;

/// A kernel, and which host it is called in: kernel number `index` of host number `host` (harness/host).
struct KernelEntry {
    const nc_kernel* kernel = nullptr;
    Origin origin = Origin::built_in;
    int host = this_process;
    uint32_t index = 0;
};

/// All built-in kernels, in the order of kernels.def; those for a device last, where there is one.
std::span<const nc_kernel* const> built_in_kernels();
/// The kernels that were added, in that order.
std::vector<const nc_kernel*> outside_kernels();
/// Built-in kernels, faults, and added kernels.
std::span<const KernelEntry> all_kernels();
/// The faults that may end their process, in the order in which their host counts them.
std::vector<const nc_kernel*> hosted_faults();

/// Adds kernels from outside, which stay where they are. No name may be known yet, and nothing else may go on with
/// kernels meanwhile.
void add_kernels(std::span<const KernelEntry> added);

/// The kernel of that name; null where there is none.
const nc_kernel* find_kernel(std::string_view name);

/// Where a kernel comes from and is called; a kernel that nobody has listed is called in this process.
KernelEntry entry_of(const nc_kernel& kernel);

/// True where the kernel may crash, hang or end its process, so that it is called in a host process only.
bool needs_host(const nc_kernel& kernel);

}  // namespace normcheck
