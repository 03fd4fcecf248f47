// SIGINT and SIGTERM as a request to come to an end and tell what there is so far.
#pragma once

namespace normcheck {

/// From now on the first SIGINT or SIGTERM is noted, and a second one ends the process at once. A signal that was
/// ignored stays so.
void note_interruption();

/// The signal that was noted; 0 while there is none.
int interruption();

}  // namespace normcheck
