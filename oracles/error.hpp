// The two ways to fail: bad user text (InputError, exit status 2) and a broken invariant (InternalError, a defect of
// ours).
#pragma once

#include <stdexcept>
#include <string>

namespace normcheck {

/// Text or a file from the user that cannot be taken; the message names the word and what was expected.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A broken invariant inside normcheck, checked in every build.
struct InternalError : std::logic_error {
    using std::logic_error::logic_error;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_broken(const char* what) {
    throw InternalError(std::string("internal error: ") + what);
}
inline void require(bool holds, const char* what) {
    if (!holds) throw_broken(what);
}

}  // namespace normcheck
