// Whole files in and out. A file is replaced in one step, so that a reader, or a run that was interrupted, never sees
// half of one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace normcheck {

/// Writes the bytes to a new file beside `path`, flushes it to the disk and renames it over `path`; a symbolic link is
/// followed. Throws InputError naming the path and the system's reason, and then leaves `path` as it was and nothing
/// beside it.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// The whole content of a file of at most `max_size` bytes. Throws InputError naming the path and the system's reason
/// or the limit.
std::string read_file(const std::filesystem::path& path, uint64_t max_size);

}  // namespace normcheck
