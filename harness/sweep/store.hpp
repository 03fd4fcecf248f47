// Where a sweep keeps what it has: the finished result in FILE, progress in FILE.part, and FILE.lock while a process
// works on it.
#pragma once

#include <filesystem>
#include <optional>

#include "harness/io/file_lock.hpp"
#include "harness/sweep/result.hpp"

namespace normcheck {

class SweepStore {
  public:
    /// Locks the output. Throws InputError where another process works on it, or where it is no regular file.
    explicit SweepStore(const std::filesystem::path& output);

    /// What is kept of this sweep, finished or not; nothing where there is nothing. Throws InputError where a file is
    /// damaged, or the result of another sweep or of another range of it.
    std::optional<SweepResult> find(const SweepResult& wanted) const;

    /// Replaces what is kept, in one step. A finished result goes to FILE, and FILE.part is removed. Throws InputError
    /// where the file cannot be written; what was kept before is then still there.
    void keep(const SweepResult& result) const;

  private:
    std::filesystem::path output_, part_;
    FileLock lock_;
};

}  // namespace normcheck
