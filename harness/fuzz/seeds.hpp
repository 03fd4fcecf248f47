// Committed inputs, which are lines of text, as the files of bytes that fuzzing engines start from.
#pragma once

namespace normcheck {

/// `TARGET -write_seeds=FOLDER FILE...` writes the inputs of the files to the folder and ends the process, in every
/// build; it is how engines that take a zipped seed corpus are given one. Without that option it does nothing.
void write_seeds_if_asked(int argc, char** argv);

}  // namespace normcheck
