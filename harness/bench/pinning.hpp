// Keeps a measurement on its cores.
#pragma once

#include <optional>

namespace normcheck {

/// Binds the calling thread, and those it makes later, to the core on which it runs. Returns the core's number, nothing
/// where the system does not allow it.
std::optional<int> pin_to_current_core();

/// Binds each of the threads of a team, of which this thread is the first, to a core of its own as far as there are
/// enough; the first stays on its core. Threads that OpenMP makes for a team of that size are these. Not after
/// pin_to_current_core, which leaves one core alone.
void pin_team(int threads);

}  // namespace normcheck
