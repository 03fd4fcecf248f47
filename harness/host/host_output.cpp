// A pipe that is never waited on, and the last few KiB of what came through it.
#include "harness/host/host_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "harness/host/host_command.hpp"
#include "harness/host/printable.hpp"
#include "oracles/error.hpp"

namespace normcheck::host {
namespace {

constexpr size_t bytes_kept = 4096;
constexpr size_t lines_quoted = 5;
constexpr size_t longest_line = 200;

/// The last lines that are not blank, the first of them first.
std::vector<std::string> last_lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty() && lines.size() < lines_quoted) {
        const size_t end = text.find_last_not_of('\n');
        if (end == std::string_view::npos) break;
        text = text.substr(0, end + 1);
        const size_t newline = text.find_last_of('\n');
        const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
        lines.push_back(printable(text.substr(begin, longest_line)));
        text = text.substr(0, begin);
    }
    std::ranges::reverse(lines);
    return lines;
}

void copy_to_log(const char* bytes, size_t count) {
    const int log = host_settings().log;
    while (log >= 0 && count > 0) {
        const ssize_t written = ::write(log, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // what a host prints is not worth an error
        bytes += written;
        count -= static_cast<size_t>(written);
    }
}

}  // namespace

HostOutput::~HostOutput() {
    close();
}

void HostOutput::close() {
    if (pipe_ >= 0) ::close(pipe_);
    pipe_ = -1;
}

int HostOutput::open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw InputError("cannot start a host process: no pipe for its output");
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pipe_ = ends[0];
    return ends[1];
}

void HostOutput::read() {
    char bytes[4096];
    // Not for ever, where a host prints without end.
    for (int times = 0; pipe_ >= 0 && times < 64; ++times) {
        const ssize_t count = ::read(pipe_, bytes, sizeof bytes);
        if (count == 0) return close();
        if (count < 0) return;
        copy_to_log(bytes, static_cast<size_t>(count));
        tail_.append(bytes, static_cast<size_t>(count));
        if (tail_.size() > bytes_kept) tail_.erase(0, tail_.size() - bytes_kept);
    }
}

std::string HostOutput::last_lines() {
    read();
    std::string text;
    for (const std::string& line : last_lines_of(tail_))
        text += fmt::format("{}'{}'", text.empty() ? "; its last lines: " : ", ", line);
    return text;
}

}  // namespace normcheck::host
