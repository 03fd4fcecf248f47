// A lock between processes, by a file: only one of them works on an output at a time. The system gives the lock back
// when its holder ends, however that happens.
#pragma once

#include <filesystem>

namespace normcheck {

class FileLock {
  public:
    /// Takes the lock that stands for `output`, the file `output`.lock, without waiting. Throws InputError where
    /// another process holds it, or where the file cannot be made.
    explicit FileLock(const std::filesystem::path& output);
    /// Gives the lock back and removes its file.
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

  private:
    std::filesystem::path file_;
    int descriptor_ = -1;
};

}  // namespace normcheck
