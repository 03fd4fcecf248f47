// What a host prints: read whenever the harness waits for it, so that the host never waits for a reader; its end is
// kept, to be quoted where the host dies at start.
#pragma once

#include <string>

namespace normcheck::host {

class HostOutput {
  public:
    HostOutput() = default;
    ~HostOutput();
    HostOutput(const HostOutput&) = delete;
    HostOutput& operator=(const HostOutput&) = delete;

    /// Opens a pipe and returns its end for writing, which the caller closes.
    int open();
    /// The descriptor to wait on; -1 where nobody can write any more.
    int descriptor() const { return pipe_; }
    /// Takes what there is, without waiting, and copies it to the log.
    void read();
    /// The last lines, as in "; its last lines: 'a', 'b'"; empty where it has printed nothing.
    std::string last_lines();

  private:
    void close();

    int pipe_ = -1;
    std::string tail_;
};

}  // namespace normcheck::host
