// The main function of a fuzz target in ordinary builds: runs the inputs of files and folders, or prints them as the
// lines of a corpus. Without libFuzzer a target does not rot either, and a finding can be rerun anywhere.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "harness/fuzz/input_files.hpp"
#include "harness/fuzz/target.hpp"

// There are no mutations of bytes here; the target's own mutator asks for one.
extern "C" size_t LLVMFuzzerMutate(uint8_t*, size_t size, size_t) {
    return size;
}

namespace normcheck {
namespace {

int replay(int argc, char** argv) {
    const bool prints = argc > 1 && std::string_view(argv[1]) == "--print";
    const int first = prints ? 2 : 1;
    if (argc <= first) {
        fmt::print(stderr, "usage: {} [--print] FILE|FOLDER...\n", argv[0]);
        return 2;
    }
    int64_t count = 0;
    for (int i = first; i < argc; ++i) {
        if (argv[i][0] == '-') continue;  // an option of libFuzzer's, which the target has read
        for (const Bytes& bytes : read_inputs(argv[i], input_of_line)) {
            if (prints) {
                fmt::print("{}\n", describe_input(bytes));
            } else {
                LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
            }
            ++count;
        }
    }
    if (!prints) fmt::print("{} inputs, no finding\n", count);
    return count > 0 ? 0 : 1;
}

}  // namespace
}  // namespace normcheck

int main(int argc, char** argv) {
    try {
        LLVMFuzzerInitialize(&argc, &argv);
        return normcheck::replay(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "normcheck: {}\n", error.what());
        return 2;
    }
}
