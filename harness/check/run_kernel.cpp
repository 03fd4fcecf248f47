// The bare call of a kernel; see run_kernel.hpp.
#include "harness/check/run_kernel.hpp"

#include <fmt/format.h>

#include <exception>

#include "harness/check/float_environment.hpp"

namespace normcheck {

KernelRun run_kernel(const nc_kernel& kernel, const nc_call& call) {
    KernelRun run;
    const DefaultFloatEnvironment environment;
    try {
        if (const char* refusal = kernel.run(&call)) run.refusal = refusal;
        run.returned = true;
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

}  // namespace normcheck
