// Detection: how soon, and by what, a faulty kernel is caught.
#pragma once

#include <cstdint>
#include <string>

#include "harness/abi/normcheck.h"
#include "harness/cases/case.hpp"

namespace normcheck {

/// What looks for the fault.
///   verify:     what `verify` does by default, in its order, format after format
///   cases:      the same without properties
///   properties: every property of every small case of the same plan; what a case shows by itself does not count
enum class DetectEngine : uint8_t { verify, cases, properties };

struct DetectOptions {
    DetectEngine engine = DetectEngine::verify;
    uint64_t seed = 1;
    double seconds = 10;  // no case is begun after them
    bool minimize = true;
    bool retry = false;  // verify: again with the next seeds until the time is up, for what depends on threads' luck
};

struct Detection {
    bool caught = false;
    std::string kind;    // of finding, without its place; a property is named
    Case first;          // the first case that shows it
    Case smallest;       // shrunk from it; `first` where that was not asked for or the finding does not come back
    int64_t cases = 0;   // run until then, or in all
    double seconds = 0;  // until then, or in all; without shrinking
};

/// Runs cases one after the other, in one thread, until one shows something. The cases do not depend on the machine, so
/// neither does what is found, unless the time is up first or the kernel itself is not deterministic.
Detection detect(const nc_kernel& kernel, const DetectOptions& options);

}  // namespace normcheck
