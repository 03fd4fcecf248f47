// The bare call of a kernel, and the choice of its place; see run_kernel.hpp.
#include "harness/check/run_kernel.hpp"

#include <fmt/format.h>

#include <exception>

#include "harness/check/float_environment.hpp"
#include "harness/kernels/cuda/model/violation.hpp"
#include "harness/kernels/registry.hpp"

namespace normcheck {

KernelRun run_kernel(const nc_kernel& kernel, const nc_call& call) {
    KernelRun run;
    const DefaultFloatEnvironment environment;
    try {
        if (const char* refusal = kernel.run(&call)) run.refusal = refusal;
        run.returned = true;
    } catch (const model::Violation& violation) {
        run.broken_rules.push_back(fmt::format("the device model stopped the kernel: {}", violation.what()));
    } catch (const std::exception& exception) {
        run.broken_rules.push_back(fmt::format("the kernel threw an exception: {}", exception.what()));
    } catch (...) {
        run.broken_rules.push_back("the kernel threw an exception");
    }
    const std::string changes = unusual_parts(float_environment());
    if (!changes.empty())
        run.broken_rules.push_back(fmt::format("the floating-point environment was changed ({})", changes));
    return run;
}

KernelRun run_in_its_place(const nc_kernel& kernel, const nc_call& call, std::span<const host::Block> blocks) {
    const KernelEntry entry = entry_of(kernel);
    return entry.host == this_process ? run_kernel(kernel, call)
                                      : host::run_in_host(entry.host, entry.index, call, blocks);
}

}  // namespace normcheck
