// The supervisor is the reaper of all orphans below it, so that no process of the command can get away from it.
#include "harness/cli/supervise.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>

#include "harness/compiler/address_sanitizer.hpp"

namespace normcheck::host {
namespace {

// Its shadow memory counts as ours, and is larger than any limit.
constexpr bool can_limit_memory = !has_address_sanitizer;

constexpr int cannot_start = 127;

sigset_t signals(std::initializer_list<int> numbers) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : numbers) sigaddset(&set, number);
    return set;
}

[[noreturn]] void become(const std::string& command, int64_t memory_mib) {
    const sigset_t none = signals({});
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit_resources(memory_mib);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    ::_exit(cannot_start);
}

/// Kills all processes below this one; those whose parents die become its children.
void kill_all_below() {
    for (int round = 0; round < 1000; ++round) {
        std::ifstream children("/proc/thread-self/children");
        for (pid_t child = 0; children >> child;) ::kill(child, SIGKILL);
        while (::waitpid(-1, nullptr, WNOHANG) > 0) {
        }
        if (::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) return;
        ::usleep(1000);
    }
}

/// Ends this process as the status says another one did.
int end_as(int status) {
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    const int number = WTERMSIG(status);
    ::signal(number, SIG_DFL);
    const sigset_t one = signals({number});
    ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
    ::raise(number);
    return cannot_start;
}

}  // namespace

void limit_resources(int64_t memory_mib) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (!can_limit_memory || memory_mib <= 0) return;
    const rlim_t bytes = static_cast<rlim_t>(memory_mib) << 20;
    const rlimit memory{bytes, bytes};
    ::setrlimit(RLIMIT_DATA, &memory);  // private and writable; the shared memory does not count
}

int supervise(const std::string& command, int64_t memory_mib, const std::vector<int>& descriptors) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const sigset_t awaited = signals({SIGTERM, SIGCHLD});
    ::sigprocmask(SIG_BLOCK, &awaited, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    limit_resources(0);
    const pid_t host = ::fork();
    if (host == 0) become(command, memory_mib);
    for (const int descriptor : descriptors) ::close(descriptor);  // else the harness would not see that the host ends
    if (host < 0) return cannot_start;
    while (true) {
        int got = 0, status = 0;
        if (::sigwait(&awaited, &got) == 0 && got == SIGTERM) break;
        for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
            if (ended != host) continue;
            kill_all_below();
            return end_as(status);
        }
    }
    kill_all_below();
    return EXIT_SUCCESS;
}

}  // namespace normcheck::host
