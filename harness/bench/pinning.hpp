// Keeps a measurement on one core.
#pragma once

#include <optional>

namespace normcheck {

/// Binds the calling thread, and those it makes later, to the core on which it runs. Returns the core's number, nothing
/// where the system does not allow it.
std::optional<int> pin_to_current_core();

}  // namespace normcheck
