// The lock is flock on a file that is removed at the end. A process may lock a file that its holder is just removing:
// the lock counts only if the name still leads to the file that was locked.
#include "harness/io/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int error) {
    throw InputError(fmt::format("cannot lock {}: {}", file.string(), std::generic_category().message(error)));
}

bool leads_to(const std::filesystem::path& file, int descriptor) {
    struct stat named{}, opened{};
    return ::stat(file.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino &&
           named.st_dev == opened.st_dev;
}

/// 0, or the error with which the lock was not had.
int lock_now(int descriptor) {
    int status = -1;
    do status = ::flock(descriptor, LOCK_EX | LOCK_NB);
    while (status != 0 && errno == EINTR);
    return status == 0 ? 0 : errno;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& output) : file_(output) {
    file_ += ".lock";
    while (true) {
        const int descriptor = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0) fail(file_, errno);
        const int error = lock_now(descriptor);
        if (error == 0 && leads_to(file_, descriptor)) {
            descriptor_ = descriptor;
            return;
        }
        ::close(descriptor);
        if (error == EWOULDBLOCK)
            throw InputError(
                fmt::format("another process is working on {} (it holds {})", output.string(), file_.string()));
        if (error != 0) fail(file_, error);
    }
}

FileLock::~FileLock() {
    ::unlink(file_.c_str());
    ::close(descriptor_);
}

}  // namespace normcheck
