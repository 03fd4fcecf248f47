// The fuzz target of a parser: any bytes give a value or an InputError, and a value that was read prints to text that
// reads to the same value. Each parser is one function round_trip in a file of its own.
#include "harness/fuzz/parser_target.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/fuzz/input_files.hpp"
#include "harness/fuzz/seeds.hpp"
#include "harness/fuzz/target.hpp"
#include "oracles/error.hpp"

extern "C" {

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    normcheck::write_seeds_if_asked(*argc, *argv);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace normcheck;
    const std::string broken = round_trip({reinterpret_cast<const char*>(data), size});
    if (broken.empty()) return 0;
    fmt::print(stderr, "round trip broken: {}\ninput {}\n", broken, print_hex({data, size}));
    std::abort();
}
}

namespace normcheck {

std::string describe_input(std::span<const uint8_t> bytes) {
    return print_hex(bytes);
}

Bytes input_of_line(std::string_view line) {
    return parse_hex(line);
}

}  // namespace normcheck
