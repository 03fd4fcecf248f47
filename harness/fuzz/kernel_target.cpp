// The fuzz target of kernels: libFuzzer's entry points over a session. The counters below are features of an input to
// libFuzzer, as edges of code are: see feedback.hpp.
#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "harness/fuzz/mutate.hpp"
#include "harness/fuzz/seeds.hpp"
#include "harness/fuzz/session.hpp"
#include "harness/fuzz/target.hpp"

namespace {

using namespace normcheck;

constexpr size_t counter_bytes = (slack_counter_count + 7) / 8 * 8;

#ifdef NORMCHECK_LIBFUZZER
[[gnu::section("__libfuzzer_extra_counters"), gnu::used]]
#endif
alignas(8) uint8_t slack_counters[counter_bytes];

/// Bad words in the environment end the process as they do elsewhere: one line, status 2.
FuzzSession make_session() {
    try {
        return FuzzSession();
    } catch (const std::exception& error) {
        fmt::print(stderr, "normcheck: {}\n", error.what());
        std::exit(2);
    }
}

FuzzSession& session() {
    static FuzzSession only = make_session();
    return only;
}

#ifdef NORMCHECK_LIBFUZZER
/// Puts what holds for every search before the flags that were given, which therefore win. Comparisons are no source of
/// words: nothing that is instrumented makes any but with strings of the environment, and a search would depend on it.
void prepend_fixed_flags(int& argc, char**& argv) {
    static char no_words[] = "-use_cmp=0";
    static std::vector<char*> flags;
    flags.assign(argv, argv + argc);
    flags.insert(flags.begin() + 1, no_words);
    flags.push_back(nullptr);
    argv = flags.data();
    ++argc;
}
#endif

size_t store(const Draft& draft, uint8_t* data, size_t most) {
    const Bytes bytes = write_draft(draft);
    const size_t size = std::min(bytes.size(), most);  // what is cut off counts as zeros
    std::copy_n(bytes.begin(), size, data);
    return size;
}

}  // namespace

extern "C" {

int LLVMFuzzerInitialize(int* argc, char*** argv) {
#ifdef NORMCHECK_LIBFUZZER
    prepend_fixed_flags(*argc, *argv);
#endif
    // A search ends with the `normcheck fuzz` that started it, however that ends.
    if (std::getenv("NORMCHECK_FUZZ_STATUS") != nullptr) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Threads that a call with several has left waiting sleep, rather than spin beside the next thousand calls.
    ::setenv("KMP_BLOCKTIME", "0", 0);
    constexpr std::string_view prefix = "-artifact_prefix=";
    for (int i = 1; i < *argc; ++i) {
        const std::string_view argument = (*argv)[i];
        if (argument.starts_with(prefix)) session().set_artifact_prefix(std::string(argument.substr(prefix.size())));
    }
    session();
    write_seeds_if_asked(*argc, *argv);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const Execution execution = session().run({data, size});
    if (session().engine() == Engine::guided) mark_slack(execution, slack_counters);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
    Stream stream{seed, 0, 0};
    if (session().engine() == Engine::random) return store(random_draft(stream), data, most);
    const bool as_bytes = next_below(stream, 8) == 0;
    Draft draft = read_draft({data, as_bytes ? LLVMFuzzerMutate(data, size, most) : size});
    if (as_bytes)
        draft[DraftField::shape] = 0;  // those take a hundred times as long
    else
        mutate(draft, stream, session().shape_runs());
    return store(draft, data, most);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                                 size_t most, unsigned seed) {
    Stream stream{seed, 1, 0};
    if (session().engine() == Engine::random) return store(random_draft(stream), out, most);
    return store(cross_over(read_draft({a, a_size}), read_draft({b, b_size}), stream), out, most);
}
}

namespace normcheck {

std::string describe_input(std::span<const uint8_t> bytes) {
    return print(session().case_of_input(bytes));
}

Bytes input_of_line(std::string_view line) {
    return session().bytes_of_line(line);
}

}  // namespace normcheck
