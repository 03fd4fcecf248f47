// What came of one call of a kernel, wherever it was made.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace normcheck {

struct KernelRun {
    std::optional<std::string> refusal;     // why the kernel does not take the call
    std::vector<std::string> broken_rules;  // an exception thrown, the environment changed, the process ended
    bool returned = false;                  // else there are no outputs
};

}  // namespace normcheck
