// Whole files in and out, by POSIX calls, since the standard library has no fsync: see atomic_file.hpp.
#include "harness/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

using std::filesystem::path;

[[noreturn]] void fail(const char* action, const path& file, int error) {
    throw InputError(fmt::format("cannot {} {}: {}", action, file.string(), std::generic_category().message(error)));
}

/// An open file, closed when it goes out of scope.
struct Descriptor {
    int number;
    explicit Descriptor(int opened) : number(opened) {}
    Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

/// Removes a file when it goes out of scope, unless it was kept.
struct TemporaryName {
    path file;
    bool kept = false;
    explicit TemporaryName(path name) : file(std::move(name)) {}
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName() {
        if (!kept && !file.empty()) ::unlink(file.c_str());
    }
};

path followed(const path& file) {
    std::error_code error;
    if (!std::filesystem::is_symlink(file, error)) return file;
    path target = std::filesystem::canonical(file, error);
    if (error) fail("write", file, error.value());
    return target;
}

void refuse_special_file(const path& file) {
    std::error_code error;
    auto status = std::filesystem::status(file, error);
    bool replaceable = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
    if (!replaceable) throw InputError(fmt::format("cannot write {}: not a regular file", file.string()));
}

// mkstemp would make a file that only its owner may read; open honours the umask.
Descriptor open_beside(const path& target, path& created) {
    int error = EEXIST;
    for (int attempt = 0; attempt < 100 && error == EEXIST; ++attempt) {
        path candidate = target;
        candidate += fmt::format(".{}-{}.tmp", ::getpid(), attempt);
        Descriptor file(::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (file.number >= 0) {
            created = candidate;
            return file;
        }
        error = errno;
    }
    fail("write", target, error);
}

void write_all(const Descriptor& file, std::string_view bytes, const path& target) {
    while (!bytes.empty()) {
        ssize_t written = ::write(file.number, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write", target, errno);
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    if (::fsync(file.number) != 0) fail("write", target, errno);
}

// The rename has happened by now, and some file systems cannot flush a directory: a failure here is no failure.
void flush_directory(const path& target) {
    path directory = target.has_parent_path() ? target.parent_path() : path(".");
    Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.number >= 0) static_cast<void>(::fsync(opened.number));
}

size_t read_some(const Descriptor& file, char* to, size_t size, const path& name) {
    ssize_t got = -1;
    do got = ::read(file.number, to, size);
    while (got < 0 && errno == EINTR);
    if (got < 0) fail("read", name, errno);
    return static_cast<size_t>(got);
}

[[noreturn]] void fail_too_large(const path& file, uint64_t max_size) {
    throw InputError(fmt::format("cannot read {}: expected at most {} bytes", file.string(), max_size));
}

}  // namespace

void write_file_atomically(const path& file, std::string_view bytes) {
    path target = followed(file);
    refuse_special_file(target);
    TemporaryName temporary{path()};
    Descriptor opened = open_beside(target, temporary.file);
    write_all(opened, bytes, target);
    if (::rename(temporary.file.c_str(), target.c_str()) != 0) fail("write", target, errno);
    temporary.kept = true;
    flush_directory(target);
}

// The buffer grows with the bytes that came, never with a size that was claimed.
std::string read_file(const path& file, uint64_t max_size) {
    constexpr size_t first_size = 65536;
    Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (opened.number < 0) fail("read", file, errno);
    std::string bytes;
    size_t used = 0;
    while (true) {
        if (used == bytes.size()) bytes.resize(std::max(first_size, 2 * used));
        size_t got = read_some(opened, bytes.data() + used, bytes.size() - used, file);
        used += got;
        if (used > max_size) fail_too_large(file, max_size);
        if (got == 0) break;
    }
    bytes.resize(used);
    return bytes;
}

}  // namespace normcheck
