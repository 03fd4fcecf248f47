// Signals that ask for an end; see interruption.hpp.
#include "harness/cli/interruption.hpp"

#include <signal.h>

namespace normcheck {
namespace {

volatile sig_atomic_t noted = 0;

void note(int number) {
    if (noted == 0) {
        noted = number;
        return;
    }
    ::signal(number, SIG_DFL);
    ::raise(number);  // acts when this handler returns
}

void note_signal(int number) {
    struct sigaction before{};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
    struct sigaction action{};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    ::sigaction(number, &action, nullptr);
}

}  // namespace

void note_interruption() {
    note_signal(SIGINT);
    note_signal(SIGTERM);
}

int interruption() {
    return noted;
}

}  // namespace normcheck
